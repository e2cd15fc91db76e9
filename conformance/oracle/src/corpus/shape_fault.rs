//! What is wrong about the shape of a value, in our words: a validator speaks of schemas, and nobody has read them.

use jiff::tz::TimeZone;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Value, json};

use crate::http::exchange::shortened;
use crate::open_points::timestamp;

/// So many characters of a value are shown.
const SHOWN: usize = 80;

/// Why a value has another shape than its schema gives it: `is the number 7, and no text`.
pub fn describe(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            format!("the member {name} is missing")
        }
        ValidationErrorKind::Type { kind } => format!("is {}, and not {}", in_words(value), types(kind)),
        ValidationErrorKind::Enum { options } => {
            let options = options.as_array().into_iter().flatten();
            let options: Vec<_> = options.filter(|option| !option.is_null()).map(plain).collect();
            format!("is {}, and none of {}", in_words(value), options.join(", "))
        }
        ValidationErrorKind::Constant { expected_value } => {
            format!("is {}, and not {}", in_words(value), plain(expected_value))
        }
        ValidationErrorKind::Pattern { pattern } => mismatch(value, pattern),
        ValidationErrorKind::Format { format } => format!("is {}, and no {format}", in_words(value)),
        ValidationErrorKind::Minimum { limit } | ValidationErrorKind::ExclusiveMinimum { limit } => {
            format!("is {}, which is less than {limit}", in_words(value))
        }
        ValidationErrorKind::Maximum { limit } | ValidationErrorKind::ExclusiveMaximum { limit } => {
            format!("is {}, which is more than {limit}", in_words(value))
        }
        ValidationErrorKind::MinLength { .. } => format!("is {}, which is too short", in_words(value)),
        ValidationErrorKind::MaxLength { .. } => format!("is {}, which is too long", in_words(value)),
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            format!("has the unknown member {}", unexpected.join(", "))
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            of_several(value, context)
        }
        _ => format!("is {}, which the schema does not allow", in_words(value)),
    }
}

/// Why a value is none of several; of something or null, why it is not that something.
fn of_several(value: &Value, context: &[Vec<ValidationError<'static>>]) -> String {
    let is_null_alone = |branch: &&Vec<ValidationError<'static>>| {
        let mut errors = branch.iter();
        errors.any(|error| matches!(error.kind(), ValidationErrorKind::Enum { options } if **options == json!([null])))
    };
    let others: Vec<_> = context.iter().filter(|branch| !is_null_alone(branch)).collect();
    let may_be_null = others.len() < context.len();
    // The branch whose first fault lies deepest is the one that was meant.
    let depth = |error: &ValidationError<'static>| error.instance_path().as_str().matches('/').count();
    let first = others
        .iter()
        .filter_map(|branch| branch.iter().max_by_key(|error| depth(error)));
    let meant = first.max_by_key(|error| depth(error));
    let or_null = if may_be_null { " or null" } else { "" };
    match meant {
        Some(error) if matches!(error.kind(), ValidationErrorKind::Type { .. }) => {
            format!("{}{or_null}", describe(error))
        }
        Some(error) => describe(error),
        None => format!("is {}, which the schema does not allow", in_words(value)),
    }
}

/// Why a text does not match a pattern: a timestamp, an identifier, or anything else.
fn mismatch(value: &Value, pattern: &str) -> String {
    let text = value.as_str().unwrap_or_default();
    let is_timestamp = |one: &str| jsonschema::is_valid(&json!({"pattern": pattern}), &json!(one));
    if is_timestamp(A_TIMESTAMP) {
        return format!("is {}: {}", in_words(value), timestamp_fault(text, is_timestamp));
    }
    if let Some((prefix, _)) = pattern.trim_start_matches('^').split_once("[0-9a-z]") {
        return match text.strip_prefix(prefix) {
            None => format!("is {}, and does not begin with {prefix}", in_words(value)),
            Some("") => format!("is {}, with nothing behind {prefix}", in_words(value)),
            Some(_) => format!(
                "is {}, with other signs behind {prefix} than lowercase letters and digits",
                in_words(value)
            ),
        };
    }
    format!("is {}, which does not match {pattern}", in_words(value))
}

/// A timestamp that every pattern for timestamps takes.
const A_TIMESTAMP: &str = "2026-03-01T09:30:00.123456Z";

/// What is wrong about a timestamp: the change that would make it right.
fn timestamp_fault(text: &str, is_right: impl Fn(&str) -> bool) -> String {
    let Some(at) = timestamp::read(text) else {
        return "no date-time of ISO 8601".to_owned();
    };
    if text.len() <= "2026-03-01".len() {
        return "a date without a time".to_owned();
    }
    let time_at = text.find(['T', 't', ' ']).unwrap_or(text.len());
    let is_zone = |letter: char| matches!(letter, 'Z' | 'z' | '+' | '-');
    let zone_at = text[time_at..]
        .find(is_zone)
        .map_or(text.len(), |at| time_at + at);
    let (clock, zone) = text.split_at(zone_at);
    let (seconds, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let digits = fraction.len();
    let has_offset =
        !zone.is_empty() && !zone.eq_ignore_ascii_case("z") && !is_right(&format!("{seconds}.123456{zone}"));
    let in_utc = TimeZone::UTC.to_datetime(at);
    match digits {
        _ if has_offset => format!("the offset {zone}, where UTC is wanted ({in_utc}Z)"),
        0 if is_right(&format!("{seconds}.123456{zone}")) => "no microseconds".to_owned(),
        digits if is_right(&format!("{seconds}.123456{zone}")) => {
            format!("{digits} digits of a second in place of 6")
        }
        _ => "another form than ISO 8601".to_owned(),
    }
}

/// A value as a sentence tells it: `the number 7`.
fn in_words(value: &Value) -> String {
    let text = shortened(&value.to_string(), SHOWN);
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::String(_) => text,
        Value::Number(_) => format!("the number {text}"),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(_) => format!("the list {text}"),
        Value::Object(_) => format!("the object {text}"),
    }
}

/// A value without quotation marks.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Types as a sentence tells them: `a text or null`.
fn types(kind: &TypeKind) -> String {
    let names: Vec<&str> = match kind {
        TypeKind::Single(one) => vec![type_name(*one)],
        TypeKind::Multiple(several) => several.iter().map(type_name).collect(),
    };
    names.join(" or ")
}

fn type_name(one: JsonType) -> &'static str {
    match one {
        JsonType::Array => "a list",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a text",
    }
}

#[cfg(test)]
mod tests {
    use rollcall_contract::Form;

    use super::*;

    /// What is wrong about a record of our contract after a member was replaced.
    fn fault(record: &str, place: &str, value: Value) -> String {
        let contract = crate::our_contract().unwrap();
        let schema = contract.document().json_schema(record, Form::Judging).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let whole = json!({
            "id": "wsusr_1", "state": "active", "provider": "native_idp", "provider_id": null, "name": "A B",
            "handle": "a", "email": "a@b", "ui_mode": null, "ui_color": null, "included": [],
            "timestamp": {
                "created_at": A_TIMESTAMP, "updated_at": A_TIMESTAMP, "expires_at": null, "deleted_at": null,
                "last_authenticated_at": null, "last_activity_at": null
            },
            "count": {
                "workspace_devices": 0, "workspace_roles": 0, "workspace_services": 0, "workspace_logs_actor": 0,
                "workspace_logs_parent": 0, "workspace_logs_record": 0, "workspace_logs_related": 0,
                "workspace_logs_subject": 0
            },
            "links": {
                "self": "", "directory_user": "", "workspace_devices": "", "workspace_roles": "",
                "workspace_services": "", "workspace_tokens": ""
            }
        });
        assert!(
            validator.is_valid(&whole),
            "{:?}",
            validator.iter_errors(&whole).next()
        );
        let mut broken = whole;
        match broken.pointer_mut(place) {
            Some(member) => *member = value,
            None => panic!("{place}"),
        }
        let error = validator.iter_errors(&broken).next().unwrap();
        describe(&error)
    }

    #[test]
    fn a_fault_is_told_without_schemas_and_patterns() {
        for (place, value, told) in [
            (
                "/timestamp/created_at",
                json!("2026-05-18T08:34:23Z"),
                "is \"2026-05-18T08:34:23Z\": no microseconds",
            ),
            (
                "/timestamp/created_at",
                json!("2026-05-18T08:34:23.123Z"),
                "is \"2026-05-18T08:34:23.123Z\": 3 digits of a second in place of 6",
            ),
            (
                "/timestamp/expires_at",
                json!("2026-05-18T08:34:23.123456+02:00"),
                "is \"2026-05-18T08:34:23.123456+02:00\": the offset +02:00, where UTC is wanted \
                 (2026-05-18T06:34:23.123456Z)",
            ),
            (
                "/timestamp/expires_at",
                json!("20260518T083423.123Z"),
                "is \"20260518T083423.123Z\": 3 digits of a second in place of 6",
            ),
            (
                "/timestamp/expires_at",
                json!("2026-05-18"),
                "is \"2026-05-18\": a date without a time",
            ),
            (
                "/timestamp/expires_at",
                json!("soon"),
                "is \"soon\": no date-time of ISO 8601",
            ),
            (
                "/timestamp/expires_at",
                json!(7),
                "is the number 7, and not a text or null",
            ),
            (
                "/state",
                json!("new"),
                "is \"new\", and none of staged, active, expiring, expired, deactivated",
            ),
            (
                "/id",
                json!("drusr_1"),
                "is \"drusr_1\", and does not begin with wsusr_",
            ),
            (
                "/id",
                json!("wsusr_A"),
                "is \"wsusr_A\", with other signs behind wsusr_ than lowercase letters and digits",
            ),
            ("/name", Value::Null, "is null, and not a text"),
            (
                "/count/workspace_roles",
                json!(-1),
                "is the number -1, which is less than 0",
            ),
            (
                "/count/workspace_roles",
                json!("3"),
                "is \"3\", and not a whole number",
            ),
            ("/included", json!({}), "is the object {}, and not a list"),
            ("/links", json!({}), "the member self is missing"),
        ] {
            assert_eq!(
                fault("WorkspaceUser", place, value.clone()),
                told,
                "{place} {value}"
            );
        }
    }
}
