//! What a difference does to clients, by the keyword that it is in.

use serde_json::Value;

use super::direction::Direction;
use super::reason::Reason;

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

/// Annotations that say what a request or a member means.
const MEANING: [&str; 8] = [
    "x-filter",
    "x-list",
    "x-role",
    "x-count",
    "x-link",
    "x-made-of",
    "x-state-time",
    "x-identifier",
];

/// Whether a keyword is for readers only, so that nothing below it matters to a client.
pub(super) fn is_words(key: &str) -> bool {
    WORDS.contains(&key) || ORIGIN.contains(&key)
}

impl Range {
    /// What a change of the values that a schema takes does to clients.
    pub(super) fn reason(self, direction: Direction) -> Reason {
        match self {
            Self::Wider => Reason::wider(direction, Reason::ValueUnknown),
            Self::Narrower => Reason::narrower(direction, Reason::RequestRefused),
            Self::Other if direction == Direction::default() => Reason::Component,
            Self::Other => Reason::FormChanged,
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
pub(super) fn presence(keys: &[&str], part: &Value, is_added: bool, direction: Direction) -> Reason {
    let added_or = |gone: Reason| if is_added { Reason::Added } else { gone };
    match keys {
        ["paths", _] | ["paths", _, "get" | "put" | "post" | "patch" | "delete"] => {
            added_or(Reason::OperationGone)
        }
        ["paths", _, _, "parameters", _] if is_added && part["required"] == true => Reason::ParameterRequired,
        ["paths", _, _, "parameters", _] => added_or(Reason::ParameterGone),
        ["paths", _, _, "parameters", _, "required"] => match is_added && part == true {
            true => Reason::ParameterRequired,
            false => Reason::AcceptsMore,
        },
        ["paths", _, _, "requestBody"] if is_added && part["required"] == true => Reason::ParameterRequired,
        ["paths", _, _, "responses", status] if status.starts_with('2') => Reason::StatusChanged,
        ["paths", _, _, "responses", _] => added_or(Reason::Incidental),
        ["paths", _, _, "x-list", "relations", _] | ["paths", _, _, "x-list", "sort", "fields", _] => {
            added_or(Reason::ChoiceGone)
        }
        // A component that is used has been seen where it is used.
        ["components", _] | ["components", _, _] => Reason::Component,
        [.., "properties", _] if !is_added && direction != Direction::default() => Reason::MemberGone,
        [.., "properties", _] => added_or(Reason::Component),
        [.., "headers"] | [.., "headers", _] => added_or(Reason::HeaderGone),
        ["x-open-points", _, "accepts", _] if is_added => Reason::ConformanceWider,
        ["x-open-points", _, "accepts", _] => Reason::ConformanceNarrower,
        ["x-open-points", _] | ["x-rules", _] if is_added => Reason::ConformanceNarrower,
        ["x-open-points", _] | ["x-rules", _] => Reason::ConformanceWider,
        [.., "x-extensible" | "x-optional-members"] if is_added => Reason::ConformanceWider,
        [.., "x-extensible" | "x-optional-members"] => Reason::ConformanceNarrower,
        ["servers" | "tags", ..] => Reason::Incidental,
        ["x-clauses", ..] => Reason::ReadersOnly,
        _ => meaning_or_unknown(keys),
    }
}

/// What it does to clients that a value is another now.
pub(super) fn value(keys: &[&str], new: &Value) -> Reason {
    match keys {
        ["paths", _, _, "parameters", _, "required"] | ["paths", _, _, "requestBody", "required"] => {
            match new == true {
                true => Reason::ParameterRequired,
                false => Reason::AcceptsMore,
            }
        }
        ["servers" | "tags", ..] => Reason::Incidental,
        // The name of an answer says which one conforms; its sentence is for readers.
        ["x-clauses", ..] | ["x-open-points", _, "accepts", _] => Reason::ReadersOnly,
        _ => meaning_or_unknown(keys),
    }
}

fn meaning_or_unknown(keys: &[&str]) -> Reason {
    match keys {
        ["paths", _, _, "x-scope"] => Reason::ScopeChanged,
        _ if keys.iter().any(|key| MEANING.contains(key)) => Reason::MeaningChanged,
        _ => Reason::Unknown,
    }
}
