//! Inserts annotations into the text of a document, and changes nothing else of it.

use std::collections::HashMap;

use rollcall_contract::suggest::Suggestion;
use rollcall_contract::{Document, Pointer};
use serde_json::{Value, json};

use super::locate::{Leaf, Locator, Spot};
use super::tokens;
use super::write::{Form, lines, member};

/// The member beside an annotation that says why it is suggested.
pub(super) const MARK: &str = "x-suggested";

/// A text with annotations.
pub(super) struct Annotated {
    pub(super) text: String,
    /// The document that the text is.
    pub(super) document: Document,
    /// The places of suggestions for which there is no place in the text.
    pub(super) left_out: Vec<Pointer>,
}

/// Inserts suggestions into the text that `document` was read from.
///
/// # Errors
/// The text with the annotations is another document than the one meant.
pub(super) fn insert(text: &str, document: &Document, made: &[Suggestion]) -> Result<Annotated, String> {
    let form = match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => Form::Json,
        Err(_) => Form::Yaml,
    };
    let wanted = made
        .iter()
        .map(|one| (one.at.clone(), member_after(one.annotation)))
        .collect();
    let spots = spots(text, form, &wanted)?;
    let mut pieces = Vec::new();
    let mut left_out = Vec::new();
    let mut expected = document.raw().clone();
    for one in made {
        let members = [(one.annotation, &one.value), (MARK, &json!(one.why))];
        match spots.get(&one.at) {
            Some(Spot::Flow { at, space }) => {
                let members = members.map(|(key, value)| format!(",{space}{}", member(key, value, form)));
                pieces.push((*at, members.concat()));
            }
            Some(Spot::Block { after, column }) => pieces.push(block(text, *after, *column, &members)),
            Some(Spot::Aliased) | None => {
                left_out.push(one.at.clone());
                continue;
            }
        }
        if let Some(Value::Object(element)) = one.at.find_mut(&mut expected) {
            element.extend(members.map(|(key, value)| (key.to_owned(), value.clone())));
        }
    }
    let text = joined(text, pieces);
    let document = Document::parse(&text).map_err(|error| error.to_string());
    match document {
        Ok(document) if *document.raw() == expected => Ok(Annotated {
            text,
            document,
            left_out,
        }),
        Ok(_) => Err(UNFIT.to_owned()),
        Err(error) => Err(format!("{UNFIT}: {error}")),
    }
}

const UNFIT: &str =
    "the annotations do not fit into this text; write it anew in a plain style, and report this";

/// The member before which an annotation is written, where there is one.
fn member_after(annotation: &str) -> &'static str {
    match annotation {
        "x-list" => "parameters",
        "x-identifier" => "paths",
        _ => "",
    }
}

fn spots(
    text: &str,
    form: Form,
    wanted: &HashMap<Pointer, &'static str>,
) -> Result<HashMap<Pointer, Spot>, String> {
    let mut locator = Locator::new(text, wanted);
    match form {
        Form::Json => tokens::of_json(text, |token| locator.take(token)),
        Form::Yaml => tokens::of_yaml(text, |token| locator.take(token))?,
    }
    Ok(locator.finish())
}

/// The lines of members in the block style, and the byte where they go.
fn block(text: &str, after: Leaf, column: usize, members: &[(&str, &Value)]) -> (usize, String) {
    let at = match after.block_of {
        None => line_end(text, after.end),
        Some(column) => block_end(text, after.end, column),
    };
    let before = &text[..at];
    let newline = match before.strip_suffix('\n').unwrap_or(before).ends_with('\r')
        || first_line(text).ends_with("\r\n")
    {
        true => "\r\n",
        false => "\n",
    };
    let written: Vec<String> = members
        .iter()
        .flat_map(|(key, value)| lines(key, value, column))
        .collect();
    let written = written.join(newline);
    match before.ends_with('\n') {
        true => (at, format!("{written}{newline}")),
        false => (at, format!("{newline}{written}")),
    }
}

fn first_line(text: &str) -> &str {
    text.split_inclusive('\n').next().unwrap_or_default()
}

/// The byte after the line that has the byte `at`, its end included.
fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The byte after a block of text that begins at the byte `at`, or right before it, in a mapping at `column`.
fn block_end(text: &str, at: usize, column: usize) -> usize {
    let first = line_end(text, at);
    let sign = ['|', '>'];
    let header = match text[at..].starts_with(sign) {
        true => &text[at..first],
        false => text[..at].trim_end().rsplit('\n').next().unwrap_or_default(),
    };
    let header = header.split(" #").next().unwrap_or_default();
    let keeps = header
        .rsplit(sign)
        .next()
        .is_some_and(|after| after.contains('+'));
    let (mut end, mut read) = (first, first);
    for line in text[first..].split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        let indent = line.len() - line.trim_start_matches(' ').len();
        if !is_blank && indent <= column {
            break;
        }
        read += line.len();
        if !is_blank || keeps {
            end = read;
        }
    }
    end
}

/// The text with pieces put in.
fn joined(text: &str, mut pieces: Vec<(usize, String)>) -> String {
    pieces.sort_by_key(|(at, _)| *at);
    let mut joined =
        String::with_capacity(text.len() + pieces.iter().map(|(_, piece)| piece.len()).sum::<usize>());
    let mut from = 0;
    for (at, piece) in pieces {
        joined.push_str(&text[from..at]);
        joined.push_str(&piece);
        from = at;
    }
    joined.push_str(&text[from..]);
    joined
}
