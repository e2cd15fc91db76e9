//! The answer to a write as a record: which one, of what shape, and what it says of its end.

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::{Form, Pointer, Tense};
use serde_json::Value;

use super::attempt::Attempt;
use super::difference::{RecordFault, difference};
use super::sequence::Sequence;
use super::write_target::state_time;
use crate::corpus::members::{Members, shown_at};
use crate::corpus::records::id_at;
use crate::corpus::timestamp;
use crate::engine::Engine;
use crate::http::exchange::{Exchange, shortened};

/// Clocks may differ by so much, and a day may end at its midnight.
pub(super) const MARGIN: SignedDuration = SignedDuration::from_hours(26);

/// The record in an answer, which may stand in an envelope.
pub(crate) fn unwrapped(exchange: &Exchange, identifier: &Pointer) -> Option<Value> {
    let body = exchange.json().filter(Value::is_object)?;
    if id_at(identifier, &body).is_some() {
        return Some(body);
    }
    let members = body.as_object().into_iter().flatten();
    let mut records = members.filter(|(_, value)| id_at(identifier, value).is_some());
    let inner = records.next().map(|(_, record)| record.clone());
    Some(inner.unwrap_or(body))
}

/// Why an answer is not the record that was written to.
pub(super) fn fault(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Option<RecordFault> {
    let Some(record) = unwrapped(&attempt.exchange, &engine.contract.identifier) else {
        return Some(("a body that is no JSON object".to_owned(), None));
    };
    let id = id_at(&engine.contract.identifier, &record).unwrap_or("no id");
    if id != attempt.target.id {
        return Some((format!("the record {id}"), None));
    }
    misshapen(engine, sequence, &record)
        .or_else(|| contradiction(engine, sequence, &record))
        .or_else(|| unlike(engine, sequence, attempt, &record))
}

/// A member that the write does not concern and that the answer shows otherwise than the record did before and does
/// afterwards.
fn unlike(engine: &Engine, sequence: &Sequence, attempt: &Attempt, record: &Value) -> Option<RecordFault> {
    let (before, after) = attempt.before.as_ref().zip(attempt.after.as_ref())?;
    let members = Members::of(&engine.contract, sequence.operation.answer.schema.as_deref()?);
    // What a record does not have may be an empty text where it stands in another one (R14).
    let is_nothing = |value: &Value| value.is_null() || value == "";
    difference(&members, record, &after.record, |place, answered, is| {
        let object = place.segments().first().map(String::as_str);
        let is_concerned = matches!(object, Some("state" | "timestamp"));
        let was_same = place.find(&before.record) == Some(is);
        was_same && !is_concerned && !(is_nothing(answered) && is_nothing(is))
    })
}

fn misshapen(engine: &Engine, sequence: &Sequence, record: &Value) -> Option<RecordFault> {
    let document = engine.contract.document();
    let schema = document.answer_schema(&sequence.operation.answer, Form::Judging)?;
    let validator = jsonschema::validator_for(&schema).ok()?;
    let error = validator.iter_errors(record).next()?;
    let place = error.instance_path();
    let what = shortened(&format!("{place}: {error}"), 200);
    Some((what, place.as_str().parse().ok()))
}

/// A state that says something else of a timestamp than the timestamp does.
fn contradiction(engine: &Engine, sequence: &Sequence, record: &Value) -> Option<RecordFault> {
    let time = state_time(engine, &sequence.operation, record)?;
    let (place, now) = (&time.member, Timestamp::now());
    let agrees = match timestamp::of(record, place) {
        // A record that shows no timestamp at all is misshapen, if anything.
        None => shown_at(place, record).is_none_or(|value| !value.is_null()),
        Some(at) => match time.tense {
            Tense::Past => at.duration_since(now) < MARGIN,
            Tense::Future => now.duration_since(at) < MARGIN,
        },
    };
    let shown = place.find(record).map(Value::to_string).unwrap_or_default();
    let what = || format!("the state {}, and {place} {shown}", time.state);
    (!agrees).then(|| (what(), Some(place.clone())))
}
