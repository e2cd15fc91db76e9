//! Small documents with one list, and what is suggested for it, in short: for the tests of suggestions.

use rollcall_contract::suggest::{Suggestions, suggest};
use rollcall_contract::{Document, Pointer};
use serde_json::{Value, json};

/// What is suggested for a parameter, such as `after /created_at`, or why nothing is.
pub(crate) type Outcome = Result<String, String>;

/// A schema in short: a type, words of an enum between bars, the format of a text, or the whole schema.
pub(crate) fn schema(short: &Value) -> Value {
    match short.as_str() {
        Some(kind @ ("string" | "integer" | "number" | "boolean" | "array")) => json!({"type": kind}),
        Some(words) if words.contains('|') => {
            json!({"type": "string", "enum": words.split('|').collect::<Vec<_>>()})
        }
        Some(format) => json!({"type": "string", "format": format}),
        None => short.clone(),
    }
}

/// An object with members whose schemas are given in short.
pub(crate) fn object(members: &str) -> Value {
    let members: Value = yaml_serde::from_str(members).unwrap();
    let members = members.as_object().unwrap().iter();
    let members = members.map(|(name, short)| (name.clone(), schema(short)));
    json!({"type": "object", "properties": members.collect::<Value>()})
}

/// A parameter of the query, written as its name and its schema in short.
pub(crate) fn parameter(written: &str) -> Value {
    let (name, short) = written.split_once(": ").unwrap();
    let short: Value = yaml_serde::from_str(short).unwrap();
    json!({"name": name, "in": "query", "schema": schema(&short)})
}

/// A document with the list `GET /notes` of such records. It answers what `answer` says; null is an array of them.
pub(crate) fn document(record: &Value, answer: &Value, parameters: &[Value]) -> Document {
    let notes = json!({"type": "array", "items": {"$ref": "#/components/schemas/Note"}});
    let answer = if answer.is_null() { &notes } else { answer };
    Document::of(json!({
        "openapi": "3.1.0",
        "paths": {"/notes": {"get": {
            "operationId": "notes",
            "parameters": parameters,
            "responses": {"200": {"content": {"application/json": {"schema": answer}}}},
        }}},
        "components": {"schemas": {"Note": record}},
    }))
    .unwrap()
}

/// What is suggested for the parameter with this number of the list `GET /notes`.
pub(crate) fn outcome(found: &Suggestions, number: usize) -> Outcome {
    let at = format!("/paths/~1notes/get/parameters/{number}");
    outcome_at(found, &at.parse().unwrap())
}

/// What is suggested for the parameter at a place.
pub(crate) fn outcome_at(found: &Suggestions, at: &Pointer) -> Outcome {
    match found.made.iter().find(|one| one.at == *at) {
        Some(one) => Ok(short(&one.value)),
        None => Err(found
            .unclear
            .iter()
            .find(|one| one.at == *at)
            .unwrap()
            .why
            .clone()),
    }
}

/// The `x-list` that is suggested; none where no list is found.
pub(crate) fn list(found: &Suggestions) -> Option<&Value> {
    let mut lists = found.made.iter().filter(|one| one.annotation == "x-list");
    lists.next().map(|one| &one.value)
}

/// An `x-filter` as its match and the members that it looks at, or a role.
fn short(value: &Value) -> String {
    let Some(matching) = value["match"].as_str() else {
        return format!("role {}", value.as_str().unwrap());
    };
    let fields = match value["any-of"].as_array() {
        Some(several) => several.iter().filter_map(Value::as_str).collect(),
        None => vec![value["field"].as_str().unwrap()],
    };
    let shown = if value["shown"] == false {
        ", not shown"
    } else {
        ""
    };
    let words = match value["words"].as_object() {
        Some(words) => format!(", words {}", json!(words)),
        None => String::new(),
    };
    format!("{matching} {}{shown}{words}", fields.join(" "))
}

/// What is suggested for one parameter, given with its description, of a list of records with such members.
pub(crate) fn reading(members: &str, written: &str, description: &str) -> Outcome {
    let mut parameter = parameter(written);
    parameter["description"] = json!(description);
    outcome(
        &suggest(&document(&object(members), &Value::Null, &[parameter])),
        0,
    )
}

/// Holds parameters of a list of such records against a table. A line has a parameter, its description if that matters, and
/// after `=>` what is suggested, or after `unclear:` a part of the reason why nothing is.
pub(crate) fn suggests(members: &str, table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (asked, expected) = line.split_once(" => ").unwrap();
        let (written, description) = asked.split_once(" ; ").unwrap_or((asked, ""));
        let found = reading(members, written.trim(), description.trim());
        agrees(&found, expected, &format!("{members}: {line}"));
    }
}

/// Whether an outcome is the suggestion that is expected, or has the reason that is expected.
pub(crate) fn agrees(found: &Outcome, expected: &str, case: &str) {
    match (found, expected.strip_prefix("unclear: ")) {
        (Ok(found), None) => assert_eq!(found, expected, "{case}"),
        (Err(why), Some(reason)) => assert!(why.contains(reason), "{case}: {why}"),
        (found, _) => panic!("{case}: {found:?}"),
    }
}
