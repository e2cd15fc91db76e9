//! References of a document, and the schemas that are written "this or null".

use serde_json::{Map, Value};

use crate::Pointer;

/// The most references that lead from one to the next.
pub(crate) const MAX_STEPS: usize = 100;

/// The place a `$ref` names, if `value` is one into this document.
pub(crate) fn target(value: &Value) -> Option<Pointer> {
    value.get("$ref")?.as_str()?.strip_prefix('#')?.parse().ok()
}

/// What `value` stands for: the target of its `$ref`, or itself.
pub(crate) fn resolve<'d>(document: &'d Value, mut value: &'d Value) -> &'d Value {
    for _ in 0..MAX_STEPS {
        match target(value).and_then(|pointer| pointer.find(document)) {
            Some(target) => value = target,
            None => break,
        }
    }
    value
}

/// What the members of a schema say besides null.
pub(crate) fn or_null<'s>(document: &Value, schema: &'s Map<String, Value>) -> Option<&'s Value> {
    match schema.get("anyOf")?.as_array()?.as_slice() {
        [one, null] if is_null(resolve(document, null)) => Some(one),
        _ => None,
    }
}

/// Whether a schema admits null and nothing else.
pub(crate) fn is_null(schema: &Value) -> bool {
    let words = schema.get("enum").and_then(Value::as_array);
    words.is_some_and(|words| matches!(words.as_slice(), [Value::Null]))
        // OpenAPI 3.1
        || schema.get("type").is_some_and(|kind| kind == "null")
}
