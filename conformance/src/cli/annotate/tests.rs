//! The text of a document stays as it is, whatever its style, and the annotated document means what was suggested.

use proptest::prelude::*;
use rollcall_contract::Document;
use rollcall_contract::suggest::suggest;
use serde_json::Value;

use super::insert::{Annotated, MARK, insert};

/// The parameters of a list in several styles; NAME is one of the record's members, or of none.
const STYLES: [&str; 6] = [
    "        - {name: NAME, in: query, schema: {type: string}}  # of one line\n",
    "        - name: NAME # é\n          in: query\n          schema: {type: string}\n",
    "        # a block at the end\n        - name: NAME\n          in: query\n          schema:\n            type: string\n          \
     description: |+\n            Some text: #1\n\n\n",
    "        - name: NAME\n          in: query\n          schema: {type: string}\n          description: >-\n            Folded\n\
     \x20           text\n\n        # between\n",
    "        - {\n            name: NAME,\n            in: query, # where\n            schema: {\"type\": 'string'} # its schema\n\
     \x20         }\n",
    "        - &NAME\n          \"name\": 'NAME'\n          in: query\n          description: 'a\n\n            b'\n          \
     schema:\n            {type: string}\n",
];

const HEAD: &str = "\
# A document of many styles ✓
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    get:
      operationId: notes
      parameters:
";

const TAIL: &str = "      responses:
        '200':
          description: Notes.
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}
components:
  schemas:
    Note:
      properties: {id: {type: string}, title: {type: string}, body: {type: string}, made_at: {type: string, format: date-time}}";

const NAMES: [&str; 6] = [
    "title",
    "body",
    "made_after",
    "made_before",
    "title_search",
    "colour",
];

fn document() -> impl Strategy<Value = String> {
    document_of(&STYLES)
}

/// A document whose parameters have some of these styles.
fn document_of(styles: &'static [&'static str]) -> impl Strategy<Value = String> {
    let parameters = prop::sample::subsequence(NAMES.to_vec(), 1..=NAMES.len()).prop_flat_map(move |names| {
        names
            .into_iter()
            .map(|name| (Just(name), 0..styles.len()))
            .collect::<Vec<_>>()
    });
    (parameters, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        move |(parameters, is_crlf, ends, has_mark)| {
            let parameters: String = parameters
                .into_iter()
                .map(|(name, style)| styles[style].replace("NAME", name))
                .collect();
            let text = format!("{HEAD}{parameters}{TAIL}{}", if ends { "\n" } else { "" });
            let text = if has_mark { format!("---\n{text}") } else { text };
            if is_crlf { text.replace('\n', "\r\n") } else { text }
        },
    )
}

fn annotate(text: &str) -> Annotated {
    let document = Document::parse(text).unwrap();
    insert(text, &document, &suggest(&document).made).unwrap()
}

/// Whether `text` is left when some characters of `longer` are taken away.
fn is_within(text: &str, longer: &str) -> bool {
    let mut rest = longer.chars();
    text.chars().all(|letter| rest.any(|other| other == letter))
}

/// The document without what was added.
fn without_suggestions(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let is_suggested = members.contains_key(MARK);
            let kept = members.iter().filter(|(key, _)| {
                !is_suggested
                    || ![MARK, "x-list", "x-filter", "x-role", "x-identifier"].contains(&key.as_str())
            });
            kept.map(|(key, value)| (key.clone(), without_suggestions(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(without_suggestions).collect(),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn the_text_stays_and_the_second_time_nothing_is_added(text in document()) {
        let document = Document::parse(&text).unwrap();
        let made = suggest(&document).made.len();
        let annotated = annotate(&text);
        prop_assert!(made > 0 && is_within(&text, &annotated.text));
        prop_assert_eq!(annotated.left_out.len(), 0);
        prop_assert_eq!(annotated.text.matches(MARK).count(), made);
        prop_assert_eq!(&without_suggestions(annotated.document.raw()), document.raw());
        prop_assert_eq!(annotate(&annotated.text).text, annotated.text);
    }

    #[test]
    fn in_the_block_style_only_lines_are_added(text in document_of(&STYLES[1..4])) {
        let annotated = annotate(&text).text;
        let lines = annotated.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("x-"));
        prop_assert_eq!(lines.collect::<String>(), text);
    }

    #[test]
    fn json_stays_json(text in document(), is_pretty in any::<bool>()) {
        let document = Document::parse(&text).unwrap();
        let text = if is_pretty { document.to_json().unwrap() } else { document.raw().to_string() };
        let annotated = annotate(&text);
        prop_assert!(is_within(&text, &annotated.text));
        prop_assert_eq!(&serde_json::from_str::<Value>(&annotated.text).unwrap(), annotated.document.raw());
        prop_assert_eq!(&without_suggestions(annotated.document.raw()), document.raw());
        prop_assert_eq!(annotate(&annotated.text).text, annotated.text);
    }
}

#[test]
fn letters_in_two_halves_are_no_hindrance_in_json() {
    let document = Document::parse(&format!("{HEAD}{}{TAIL}", STYLES[0].replace("NAME", "title"))).unwrap();
    let text = document
        .to_json()
        .unwrap()
        .replace("Notes.", "Notes \\ud83d\\ude00 \\/ \\\"quoted\\\"");
    assert!(annotate(&text).text.contains("\\ud83d\\ude00 \\/ \\\"quoted\\\""));
}

#[test]
fn what_an_alias_repeats_is_left_out() {
    let parameters = "        - &title {name: title, in: query, schema: {type: string}}\n";
    let other =
        "  /others:\n    get:\n      operationId: others\n      parameters: [*title]\n      responses: {}\n";
    let text = format!(
        "{HEAD}{parameters}{}",
        TAIL.replacen("components:", &format!("{other}components:"), 1)
    );
    let annotated = annotate(&text);
    assert_eq!(
        annotated
            .left_out
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        ["/paths/~1notes/get/parameters/0"]
    );
    assert!(annotated.text.contains("x-list"), "{}", annotated.text);
}
