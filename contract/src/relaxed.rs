//! A schema as it holds for every implementation, not for ours alone. The runner judges others by it, and callers of any
//! implementation generate their clients from it.
//!
//! `x-accepts` replaces a schema, an enum with `x-extensible` takes any string, members of an object with
//! `x-optional-members` may be absent, what is marked `x-extension` may look like anything or be absent, and no object is
//! closed.

use serde_json::{Map, Value};

/// What is kept of a schema that is replaced: it says the same about the other one.
const KEPT: [&str; 4] = ["description", "example", "x-source", "x-open-point"];

/// Keywords that say nothing about an element that may look like anything.
const OF_A_KNOWN_FORM: [&str; 2] = ["x-enum-varnames", "x-state-time"];

/// The schema for every implementation, in the words of OpenAPI 3.0 like the one given.
pub(crate) fn relaxed(schema: &Value) -> Value {
    let Value::Object(written) = schema else {
        return schema.clone();
    };
    let kept = || {
        let kept = KEPT
            .iter()
            .filter_map(|key| Some(((*key).to_owned(), written.get(*key)?.clone())));
        kept.collect::<Map<_, _>>()
    };
    if let Some(accepted) = written.get("x-accepts") {
        let mut accepted = relaxed(accepted);
        if let Value::Object(accepted) = &mut accepted {
            accepted.extend(kept());
        }
        return accepted;
    }
    if is(written, "x-extension") {
        return Value::Object(kept());
    }
    let members = written
        .iter()
        .filter_map(|(key, value)| Some((key.clone(), keyword(written, key, value)?)));
    Value::Object(members.collect())
}

/// The value of one keyword; none if it demands what others need not do.
fn keyword(schema: &Map<String, Value>, key: &str, value: &Value) -> Option<Value> {
    let is_extensible = is(schema, "x-extensible");
    match key {
        "properties" => {
            let schemas = value.as_object()?.iter();
            Some(Value::Object(
                schemas
                    .map(|(name, schema)| (name.clone(), relaxed(schema)))
                    .collect(),
            ))
        }
        "required" if is(schema, "x-optional-members") => None,
        "required" => required(schema, value),
        "additionalProperties" if value == &Value::Bool(false) => None,
        "enum" if is_extensible => None,
        "description" if is_extensible => Some(with_known_values(schema, value)),
        _ if is_extensible && OF_A_KNOWN_FORM.contains(&key) => None,
        "items" | "additionalProperties" | "not" => Some(relaxed(value)),
        "allOf" | "anyOf" | "oneOf" => Some(value.as_array()?.iter().map(relaxed).collect()),
        _ => Some(value.clone()),
    }
}

/// The description of an enum that others may extend, with the values that are known.
fn with_known_values(schema: &Map<String, Value>, description: &Value) -> Value {
    let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let values: Vec<_> = values.filter_map(Value::as_str).collect();
    let description = description.as_str().unwrap_or_default().trim_end();
    Value::from(format!(
        "{description} Known values: {}; a server may have others.",
        values.join(", ")
    ))
}

/// The required members without those that are extensions; none if no member is left, because the list must not be empty.
fn required(schema: &Map<String, Value>, names: &Value) -> Option<Value> {
    let is_extension = |name: &str| {
        let property = schema
            .get("properties")
            .and_then(|properties| properties.get(name));
        property
            .and_then(Value::as_object)
            .is_some_and(|property| is(property, "x-extension"))
    };
    let names = names.as_array()?.iter();
    let left: Vec<_> = names
        .filter(|name| !name.as_str().is_some_and(is_extension))
        .cloned()
        .collect();
    (!left.is_empty()).then_some(Value::Array(left))
}

pub(crate) fn is(schema: &Map<String, Value>, flag: &str) -> bool {
    schema.get(flag) == Some(&Value::Bool(true))
}
