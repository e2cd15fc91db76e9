//! The real `openapi.yaml`.

use std::path::PathBuf;

use rollcall_contract::{Contract, Form, lint};
use serde_json::Value;

use crate::schemas::validator;

pub(crate) fn the_contract() -> Contract {
    Contract::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../openapi.yaml")).unwrap()
}

#[test]
fn the_contract_is_sound() {
    let findings: Vec<_> = lint::lint(&the_contract())
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        findings.is_empty(),
        "{} findings:\n{}",
        findings.len(),
        findings.join("\n")
    );
}

#[test]
fn every_component_schema_converts_in_both_forms() {
    let contract = the_contract();
    for (name, _) in contract.document().schemas() {
        for form in [Form::Strict, Form::Judging] {
            let schema = contract.document().json_schema(name, form).unwrap();
            validator(&schema);
        }
    }
}

#[test]
fn every_example_is_valid_by_its_schema() {
    let contract = the_contract();
    let mut wrong = Vec::new();
    let checked = examples(&contract, contract.document().raw(), "", &mut wrong);
    assert!(checked > 100, "only {checked} examples were looked at");
    assert!(
        wrong.is_empty(),
        "{} examples are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Holds every example below `value` against the schema beside it, or the schema it stands in; says how many there are.
fn examples(contract: &Contract, value: &Value, at: &str, wrong: &mut Vec<String>) -> usize {
    let a_schema = at.starts_with("/components/schemas/") && !at.ends_with("/properties");
    let schema = value.get("schema").or_else(|| a_schema.then_some(value));
    let mut checked = 0;
    for (schema, example) in schema
        .into_iter()
        .flat_map(|schema| given(contract, value).map(move |one| (schema, one)))
    {
        checked += 1;
        for form in [Form::Strict, Form::Judging] {
            let validator = validator(&contract.document().json_schema_of(schema, form));
            let errors = validator.iter_errors(example);
            wrong.extend(errors.map(|error| format!("{at}, {form:?}: {} {error}", error.instance_path())));
        }
    }
    let below = children(value)
        .into_iter()
        .filter(|(key, _)| !["example", "examples"].contains(&key.as_str()));
    checked
        + below
            .map(|(key, value)| examples(contract, value, &format!("{at}/{key}"), wrong))
            .sum::<usize>()
}

/// The examples that an element gives, in either way of giving them.
fn given<'c>(contract: &'c Contract, element: &'c Value) -> impl Iterator<Item = &'c Value> {
    let several = element
        .get("examples")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|several| several.values());
    let several = several.map(|example| &contract.document().resolve(example)["value"]);
    element.get("example").into_iter().chain(several)
}

/// A longer line cannot be read in a diff.
const LONGEST_LINE: usize = 160;

#[test]
fn no_line_is_too_long_to_be_reviewed() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../openapi.yaml");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().enumerate();
    let long = lines.filter(|(_, line)| line.chars().count() > LONGEST_LINE);
    let long: Vec<_> = long
        .map(|(index, line)| format!("line {}: {line}", index + 1))
        .collect();
    assert!(
        long.is_empty(),
        "over {LONGEST_LINE} characters:\n{}",
        long.join("\n")
    );
}

/// Generators differ in which forms of null they understand; this one passes them all (see `clients/`).
#[test]
fn null_is_written_in_one_form() {
    let contract = the_contract();
    let null = serde_json::json!({"type": "string", "nullable": true, "enum": [null]});
    let mut others = Vec::new();
    let found = count_null_forms(contract.document().raw(), "", &null, &mut others);
    assert!(found > 50, "only {found} members can be null");
    assert!(others.is_empty(), "other forms of null:\n{}", others.join("\n"));
}

/// Counts each `anyOf` of a schema and `null`; collects the places of every other `nullable`.
fn count_null_forms(value: &Value, at: &str, null: &Value, others: &mut Vec<String>) -> usize {
    let is_nullable = value.get("nullable").is_some_and(|nullable| *nullable == true);
    if is_nullable && !(at.ends_with("/anyOf/1") && value == null) {
        others.push(at.to_owned());
    }
    let found: usize = children(value)
        .into_iter()
        .map(|(key, value)| count_null_forms(value, &format!("{at}/{key}"), null, others))
        .sum();
    found + usize::from(is_nullable)
}

/// The members of an object by name, or the items of an array by number.
fn children(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, member)| (key.clone(), member))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(i, item)| (i.to_string(), item))
            .collect(),
        _ => Vec::new(),
    }
}
