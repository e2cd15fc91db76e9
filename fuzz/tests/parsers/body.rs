//! Request bodies: `runtime/src/http/body.rs`, `strict.rs` and `bounded.rs`, for each model of a body.

use std::collections::BTreeSet;
use std::fmt;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use axum::body::Body as RequestBody;
use http::header::CONTENT_TYPE;
use jsonschema::Validator;
use rollcall::FaultCode;
use rollcall::Instant;
use rollcall::http::{Body, MAX_BODY, ReceivedRequest, Rejection};
use rollcall::model::{DeprecateRequest, RestoreRequest};
use rollcall_contract::{Contract, Form};
use rollcall_fuzz::target;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

target!(property);

/// The models of bodies, by the name of their schema.
const MODELS: [&str; 2] = ["DeprecateRequest", "RestoreRequest"];

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::parse(rollcall::CONTRACT).unwrap());
static SCHEMAS: LazyLock<[Validator; 2]> = LazyLock::new(|| {
    MODELS.map(|name| {
        let schema = CONTRACT.document().json_schema(name, Form::Strict).unwrap();
        let options = jsonschema::options().should_validate_formats(true);
        options.build(&schema).unwrap()
    })
});

fn property(input: &[u8]) {
    check::<DeprecateRequest>(input, &SCHEMAS[0]);
    check::<RestoreRequest>(input, &SCHEMAS[1]);
}

#[test]
fn every_body_of_the_contract_is_a_model_here() {
    let operations = CONTRACT.operations.iter();
    let bodies: BTreeSet<&str> = operations
        .filter_map(|operation| operation.request_body.as_deref())
        .collect();
    assert_eq!(bodies, BTreeSet::from(MODELS));
}

/// A body that is accepted is valid and is written as the same value. A refusal names a place, and the schema refuses the
/// body too.
fn check<B: Body + Serialize>(input: &[u8], schema: &Validator) {
    let value = serde_json::from_slice::<Value>(input);
    match body::<B>(input) {
        Ok(model) => {
            let value = value.unwrap();
            assert!(schema.is_valid(&value), "{value}");
            let written = serde_json::to_value(&model).unwrap();
            assert!(is_same(&value, &written), "{value} is written as {written}");
            let again: B = serde_json::from_value(written.clone()).unwrap();
            assert_eq!(serde_json::to_value(&again).unwrap(), written);
        }
        Err(Rejection::Malformed(why)) => assert!(value.is_err() && !why.is_empty()),
        Err(Rejection::TooLarge(most)) => assert!(input.len() > most && most == MAX_BODY),
        Err(Rejection::Body(faults)) => {
            let value = value.unwrap();
            assert!(!faults.is_empty());
            for fault in &faults {
                let pointer = fault.pointer.as_deref().unwrap();
                let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                let place = match fault.code {
                    FaultCode::MissingMember => parent,
                    _ => pointer,
                };
                assert!(value.pointer(place).is_some(), "{pointer} is not in {value}");
                assert!(fault.detail.len() < 1_000);
            }
            assert!(
                !schema.is_valid(&value) || has_repeated_member(input) || has_odd_date(&value),
                "{value}"
            );
        }
        Err(other) => panic!("{other:?}"),
    }
}

/// Whether a member of the object is given twice, of which serde_json's value shows the last alone.
fn has_repeated_member(input: &[u8]) -> bool {
    struct Names(Vec<String>);

    impl<'de> Deserialize<'de> for Names {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Self(Vec::new()))
        }
    }

    impl<'de> Visitor<'de> for Names {
        type Value = Self;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
            while let Some((name, IgnoredAny)) = map.next_entry()? {
                self.0.push(name);
            }
            Ok(self)
        }
    }

    let names = serde_json::from_slice(input).map_or_else(|_| Vec::new(), |Names(names)| names);
    let distinct: BTreeSet<&String> = names.iter().collect();
    distinct.len() < names.len()
}

/// Equal as JSON Schema sees it (`30.0` is 30), and as timestamps, which are written in UTC.
fn is_same(read: &Value, written: &Value) -> bool {
    match (read, written) {
        (Value::Object(one), Value::Object(other)) => {
            let member = |(name, value)| other.get(name).is_some_and(|other| is_same(value, other));
            one.len() == other.len() && one.iter().all(member)
        }
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::String(one), Value::String(other)) => {
            one == other || one.parse::<Instant>().is_ok_and(|one| other.parse() == Ok(one))
        }
        _ => read == written,
    }
}

/// Whether a text is a date-time for the validator alone: see `tests/generated/schema/judge.rs`.
fn has_odd_date(value: &Value) -> bool {
    let texts = value.as_object().into_iter().flat_map(|members| members.values());
    texts.filter_map(Value::as_str).any(|text| {
        let is_edge = text.starts_with("0000-01-01") || text.starts_with("9999-12-31");
        is_edge
            || text
                .bytes()
                .any(|byte| (b'*'..=b',').contains(&byte) || byte == b'/')
            || text.contains("--")
    })
}

/// Reads a body as the server does.
fn body<B: Body>(bytes: &[u8]) -> Result<B, Rejection> {
    let request = http::Request::patch("/").header(CONTENT_TYPE, "application/json");
    let request = request.body(RequestBody::from(bytes.to_vec())).unwrap();
    let mut received = pin!(ReceivedRequest::receive(request));
    let Poll::Ready(received) = received.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("the whole body is there");
    };
    received.check()?;
    received.body()
}
