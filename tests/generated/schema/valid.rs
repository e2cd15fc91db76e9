//! Schema → values that are valid by it.

use proptest::prelude::*;
use proptest::strategy::{Union, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;
use rollcall_contract::Form;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value, json};

use super::judge::target;
use crate::CONTRACT;

/// Valid values of a schema that stands alone.
pub(crate) fn values(root: &Value) -> BoxedStrategy<Value> {
    of(root, root)
}

/// One valid record of the component schema `name`, always the same.
pub(crate) fn sample<T: DeserializeOwned>(name: &str) -> T {
    let schema = CONTRACT.document().json_schema(name, Form::Strict).unwrap();
    let made = values(&schema)
        .new_tree(&mut TestRunner::deterministic())
        .unwrap();
    serde_json::from_value(made.current()).unwrap()
}

fn of(root: &Value, schema: &Value) -> BoxedStrategy<Value> {
    let schema = target(root, schema);
    let several = |key: &str| {
        schema[key]
            .as_array()
            .map(|all| all.iter().map(|one| of(root, one)).collect::<Vec<_>>())
    };
    if let Some(choices) = several("anyOf") {
        return Union::new(choices).boxed();
    }
    if let Some(mut parts) = several("allOf") {
        return if parts.len() == 1 {
            parts.remove(0)
        } else {
            parts.prop_map(merged).boxed()
        };
    }
    if let Some(words) = schema["enum"].as_array() {
        return prop::sample::select(words.clone()).boxed();
    }
    match &schema["type"] {
        Value::String(kind) => of_type(root, schema, kind),
        Value::Array(kinds) => Union::new(
            kinds
                .iter()
                .map(|kind| of_type(root, schema, kind.as_str().unwrap())),
        )
        .boxed(),
        _ => anything(),
    }
}

fn of_type(root: &Value, schema: &Value, kind: &str) -> BoxedStrategy<Value> {
    match kind {
        "null" => Just(Value::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Value::from).boxed(),
        "integer" => integer(schema),
        "string" => text(schema).prop_map(Value::from).boxed(),
        "array" => prop::collection::vec(of(root, &schema["items"]), 0..3)
            .prop_map(Value::from)
            .boxed(),
        "object" => object(root, schema),
        other => panic!("no strategy for type {other}"),
    }
}

fn merged(parts: Vec<Value>) -> Value {
    let members = parts
        .into_iter()
        .filter_map(|part| part.as_object().cloned())
        .flatten();
    Value::Object(members.collect())
}

/// A whole number, at times written as `30.0`.
fn integer(schema: &Value) -> BoxedStrategy<Value> {
    let bound = |key: &str| schema[key].as_i64().unwrap();
    let (least, most) = (bound("minimum"), bound("maximum"));
    let number = prop_oneof![Just(least), Just(most), least..=most];
    let written = (number, prop::bool::weighted(0.2));
    #[expect(
        clippy::cast_precision_loss,
        reason = "the contract's integers stay below 2^53"
    )]
    let written = written.prop_map(|(number, as_float)| match Number::from_f64(number as f64) {
        Some(float) if as_float => Value::Number(float),
        _ => Value::from(number),
    });
    written.boxed()
}

fn text(schema: &Value) -> BoxedStrategy<String> {
    let bound = |key: &str| schema[key].as_u64().map(|bound| usize::try_from(bound).unwrap());
    match (schema["pattern"].as_str(), schema["format"].as_str()) {
        (Some(_), Some("date-time")) => timestamp(
            Just("T"),
            prop_oneof!["\\.[0-9]{6}"],
            Just("Z".to_owned()).boxed(),
        ),
        (None, Some("date-time")) => {
            let offset = prop_oneof![
                prop_oneof!["Z", "z"],
                ("[+-]", 0..24u8, 0..60u8)
                    .prop_map(|(sign, hours, minutes)| format!("{sign}{hours:02}:{minutes:02}")),
            ];
            timestamp(
                prop_oneof![Just("T"), Just("t")],
                prop_oneof!["", "\\.[0-9]{1,9}"],
                offset.boxed(),
            )
        }
        (Some(pattern), _) => {
            let pattern = pattern.trim_start_matches('^').trim_end_matches('$');
            string_regex(pattern).unwrap().boxed()
        }
        (None, _) => {
            let (least, most) = (bound("minLength").unwrap_or(0), bound("maxLength"));
            let plain = prop::collection::vec(any::<char>(), least..=most.unwrap_or(12).min(12));
            let plain = plain.prop_map(|all| all.into_iter().collect::<String>());
            let longest = "é".repeat(most.unwrap_or(12));
            prop_oneof![9 => plain, 1 => Just(longest)].boxed()
        }
    }
}

fn timestamp(
    separator: impl Strategy<Value = &'static str> + 'static,
    fraction: impl Strategy<Value = String> + 'static,
    offset: BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    let date = (
        prop_oneof![Just(0u16), Just(9999), 1..9999u16],
        1..=12u8,
        1..=28u8,
    );
    let time = (0..24u8, 0..60u8, 0..60u8);
    let parts = (date, separator, time, fraction, offset);
    let text = parts.prop_map(
        |((year, month, day), separator, (hour, minute, second), fraction, offset)| {
            format!(
                "{year:04}-{month:02}-{day:02}{separator}{hour:02}:{minute:02}:{second:02}{fraction}{offset}"
            )
        },
    );
    text.boxed()
}

fn object(root: &Value, schema: &Value) -> BoxedStrategy<Value> {
    let required = |name: &str| {
        schema["required"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one == name))
    };
    let properties = schema["properties"].as_object().into_iter().flatten();
    let members: Vec<BoxedStrategy<Option<(String, Value)>>> = properties
        .map(|(name, property)| {
            let always = required(name);
            let name = name.clone();
            let member = of(root, property).prop_map(move |value| (name.clone(), value));
            if always {
                member.prop_map(Some).boxed()
            } else {
                prop::option::of(member).boxed()
            }
        })
        .collect();
    let more = match schema.get("additionalProperties") {
        Some(Value::Bool(false)) => Just(Map::new()).boxed(),
        Some(each) => further(of(root, each)),
        None if members.is_empty() => further(anything()),
        None => Just(Map::new()).boxed(),
    };
    let object = (more, members).prop_map(|(mut object, members)| {
        object.extend(members.into_iter().flatten());
        Value::Object(object)
    });
    object.boxed()
}

fn further(each: BoxedStrategy<Value>) -> BoxedStrategy<Map<String, Value>> {
    prop::collection::vec(("\\PC{0,4}", each), 0..4)
        .prop_map(|members| members.into_iter().collect())
        .boxed()
}

/// Any JSON, two levels deep.
fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            further(inner.boxed()).prop_map(Value::Object)
        ]
    })
    .boxed()
}
