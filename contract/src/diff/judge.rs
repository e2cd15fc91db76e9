//! What a difference does to clients, by the keyword that it is in.

use serde_json::Value;

use super::Effect;
use super::direction::Direction;

/// Whether a schema takes more values than before, fewer, or others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    Wider,
    Narrower,
    Other,
}

/// Keywords that say something to readers only.
const WORDS: [&str; 10] = [
    "description",
    "summary",
    "title",
    "example",
    "examples",
    "contact",
    "license",
    "externalDocs",
    "version",
    "says",
];

/// Where an element comes from.
const ORIGIN: [&str; 5] = ["x-source", "x-extension", "x-open-point", "x-rules", "source"];

/// Bounds that a greater number widens, and bounds that it narrows.
const UPPER: [&str; 4] = ["maximum", "maxLength", "maxItems", "maxProperties"];
const LOWER: [&str; 4] = ["minimum", "minLength", "minItems", "minProperties"];

/// Whether a keyword is for readers only, so that nothing below it matters to a client.
pub(super) fn is_words(key: &str) -> bool {
    WORDS.contains(&key) || ORIGIN.contains(&key)
}

impl Range {
    /// What a change of the values that a schema takes does to clients.
    pub(super) fn effect(self, direction: Direction) -> Effect {
        let is_broken = match self {
            Self::Wider => direction.is_received,
            Self::Narrower => direction.is_sent,
            Self::Other => direction.is_sent || direction.is_received,
        };
        if is_broken {
            Effect::Breaking
        } else {
            Effect::Compatible
        }
    }
}

/// How the values of a schema change when one of its keywords does; none if the keyword is about something else.
pub(super) fn range(key: &str, old: Option<&Value>, new: Option<&Value>) -> Option<Range> {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64);
    match key {
        _ if UPPER.contains(&key) => Some(bound(number(old), number(new))),
        _ if LOWER.contains(&key) => Some(bound(
            number(old).map(|number| -number),
            number(new).map(|number| -number),
        )),
        "pattern" | "format" | "additionalProperties" | "not" | "uniqueItems" | "multipleOf" | "enum" => {
            Some(match (old, new) {
                (None, Some(_)) => Range::Narrower,
                (Some(_), None) => Range::Wider,
                _ => Range::Other,
            })
        }
        "nullable" => Some(match new {
            Some(Value::Bool(true)) => Range::Wider,
            _ => Range::Narrower,
        }),
        "type" | "exclusiveMinimum" | "exclusiveMaximum" | "allOf" | "anyOf" | "oneOf" | "items" | "$ref" => {
            Some(Range::Other)
        }
        _ => None,
    }
}

/// An upper bound that is missing is the widest.
fn bound(old: Option<f64>, new: Option<f64>) -> Range {
    match (old, new) {
        (Some(_), None) => Range::Wider,
        (Some(old), Some(new)) if new > old => Range::Wider,
        _ => Range::Narrower,
    }
}

/// What it does to clients that a part of the document is there now, or is not any more.
pub(super) fn presence(keys: &[&str], part: &Value, is_added: bool, direction: Direction) -> Effect {
    let breaking_if = |is_breaking: bool| {
        if is_breaking {
            Effect::Breaking
        } else {
            Effect::Compatible
        }
    };
    match keys {
        ["paths", _] | ["paths", _, "get" | "put" | "post" | "patch" | "delete"] => breaking_if(!is_added),
        ["paths", _, _, "parameters", _] => breaking_if(!is_added || part["required"] == true),
        ["paths", _, _, "responses", status] => breaking_if(status.starts_with('2')),
        ["paths", _, _, "x-list", "relations", _] | ["paths", _, _, "x-list", "sort", "fields", _] => {
            breaking_if(!is_added)
        }
        // A component that is used has been seen where it is used.
        ["components", _] | ["components", _, _] => Effect::Compatible,
        [.., "properties", _] if is_added => Effect::Compatible,
        [.., "properties", _] => breaking_if(direction.is_sent || direction.is_received),
        // Headers of an answer, and what servers of others may do.
        [.., "headers", _] => breaking_if(!is_added),
        ["x-open-points", _, "accepts", _] => breaking_if(!is_added),
        ["x-open-points", _] | ["x-rules", _] => breaking_if(is_added),
        [.., "x-extensible" | "x-optional-members"] => breaking_if(!is_added),
        ["servers" | "tags", ..] => Effect::Compatible,
        _ => Effect::Breaking,
    }
}

/// What it does to clients that a value is another now.
pub(super) fn value(keys: &[&str], new: &Value) -> Effect {
    match keys {
        ["paths", _, _, "parameters", _, "required"] | ["paths", _, _, "requestBody", "required"]
            if new != true =>
        {
            Effect::Compatible
        }
        ["servers" | "tags", ..] => Effect::Compatible,
        _ => Effect::Breaking,
    }
}
