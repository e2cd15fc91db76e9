//! `annotate`: the library's contract without its annotations gets most of them back.

use std::path::{Path, PathBuf};

use rollcall_contract::Document;
use serde_json::Value;

use crate::CONTRACT;
use crate::command_line::{runner, text};

const ANNOTATIONS: [&str; 5] = ["x-filter", "x-role", "x-list", "x-identifier", "x-suggested"];

/// Counts the annotations of a document, and takes them out.
fn strip(value: &mut Value) -> usize {
    match value {
        Value::Object(members) => {
            let before = members.len();
            members.retain(|key, _| !ANNOTATIONS.contains(&key.as_str()));
            before - members.len() + members.values_mut().map(strip).sum::<usize>()
        }
        Value::Array(items) => items.iter_mut().map(strip).sum(),
        _ => 0,
    }
}

/// The library's contract without annotations, and how many it had.
fn bare() -> (Document, usize) {
    let mut raw = Document::parse(CONTRACT).unwrap().raw().clone();
    let number = strip(&mut raw);
    (Document::of(raw).unwrap(), number)
}

fn file(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).unwrap();
    file
}

/// What `annotate` prints of a file, and what it tells.
fn annotate(file: &Path) -> (String, String) {
    let output = runner(&["annotate", file.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let [printed, told] = [output.stdout, output.stderr].map(|stream| String::from_utf8(stream).unwrap());
    (printed, told)
}

/// Whether an annotation says what the contract says; the order without the parameter is in no name.
fn agrees(ours: &Value, suggested: &Value) -> bool {
    let mut ours = ours.clone();
    if let Some(Value::Object(sort)) = ours.get_mut("sort") {
        sort.shift_remove("default");
    }
    ours == *suggested
}

/// Counts the annotations that both documents have, and fails where one has another.
fn same(ours: &Value, suggested: &Value) -> usize {
    match (ours, suggested) {
        (Value::Object(ours), Value::Object(suggested)) => ours
            .iter()
            .filter_map(|(key, value)| Some((key, value, suggested.get(key)?)))
            .map(|(key, value, other)| match ANNOTATIONS.contains(&key.as_str()) {
                true => {
                    assert!(agrees(value, other), "{key}: {value} and {other}");
                    1
                }
                false => same(value, other),
            })
            .sum(),
        (Value::Array(ours), Value::Array(suggested)) => ours
            .iter()
            .zip(suggested)
            .map(|(one, other)| same(one, other))
            .sum(),
        _ => 0,
    }
}

#[test]
fn all_annotations_but_that_of_a_page_called_sheet_are_suggested_again() {
    let (bare, number) = bare();
    for (name, written) in [
        ("bare.yaml", bare.to_yaml().unwrap()),
        ("bare.json", bare.to_json().unwrap()),
    ] {
        let (printed, told) = annotate(&file(name, &written));
        let annotated = Document::parse(&printed).unwrap();
        assert_eq!(
            same(Document::parse(CONTRACT).unwrap().raw(), annotated.raw()),
            number - 1,
            "{printed}"
        );
        assert!(
            told.contains("sheet: Loan has no member that is called so"),
            "{told}"
        );
        assert!(
            told.contains("rollcall-conformance run --dry-run --contract FILE"),
            "{told}"
        );
        assert_eq!(annotate(&file(name, &printed)).0, printed, "the second time");
    }
}

#[test]
fn a_document_with_annotations_stays_as_it_is() {
    let (printed, told) = annotate(&file("whole.yaml", CONTRACT));
    assert_eq!(printed, CONTRACT);
    assert!(
        told.contains("Nothing is suggested.") && !told.contains("cannot judge"),
        "{told}"
    );
}

#[test]
fn what_is_no_document_is_refused_with_the_place() {
    for (name, written, said) in [
        ("broken.yaml", "openapi: [", "not a YAML document"),
        ("old.yaml", "swagger: '2.0'", "at /openapi"),
        (
            "parts.yaml",
            "openapi: 3.0.3\npaths: {$ref: paths.yaml}",
            "at /paths",
        ),
    ] {
        let output = runner(&["annotate", file(name, written).to_str().unwrap()])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(
            output.stdout.is_empty() && text(&output).contains(said),
            "{}",
            text(&output)
        );
    }
}
