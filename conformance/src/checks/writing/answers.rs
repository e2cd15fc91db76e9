//! The answer to a write as a record: which one, of what shape, and what it says of its end.

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::{Form, Tense};
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::members::{Members, shown_at};
use rollcall_oracle::corpus::records::{id_at, unwrapped};
use rollcall_oracle::corpus::shape_fault;
use rollcall_oracle::http::exchange::{Exchange, shortened};
use rollcall_oracle::open_points::timestamp;
use serde_json::Value;

use super::attempt::{ACCEPTED, Attempt};
use super::difference::{RecordFault, difference};
use super::sequence::Sequence;
use super::write_target::{ends, state_time};
use crate::engine::Engine;

/// Clocks may differ by so much, and a day may end at its midnight.
pub(super) const MARGIN: SignedDuration = SignedDuration::from_hours(26);

/// The answers to the lists of the target without a parameter.
fn list_responses(engine: &Engine) -> impl Iterator<Item = &ListResponse> {
    let lists = engine.corpus.lists.iter();
    let snapshots = lists.filter_map(|list| list.snapshot(&Projection::Default));
    snapshots.map(|snapshot| &snapshot.response)
}

/// Whether a record is a part of an answer.
fn is_enveloped(exchange: &Exchange, record: &Value) -> bool {
    exchange.json().is_some_and(|body| body != *record)
}

/// Whether records may stand in an envelope, as the lists of the target do (L1); true where no list was read.
fn may_be_enveloped(engine: &Engine) -> bool {
    let responses = list_responses(engine);
    let mut readings = responses.filter_map(ListResponse::reading).peekable();
    readings.peek().is_none() || readings.any(|reading| reading.envelope.is_some())
}

/// Whether lists of the target have the media type of JSON.
fn lists_say_json(engine: &Engine) -> bool {
    list_responses(engine).any(|response| response.exchange().says_json())
}

/// Why an answer is not the record that was written to.
pub(super) fn fault(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Option<RecordFault> {
    let Some(record) = unwrapped(&attempt.exchange, &engine.contract.identifier) else {
        return Some(("a body that is no JSON object".to_owned(), None));
    };
    if is_enveloped(&attempt.exchange, &record) && !may_be_enveloped(engine) {
        return Some((
            "the record within an object, and the lists within none".to_owned(),
            None,
        ));
    }
    // Of a target whose lists do not say it either, that is told of the lists.
    if !attempt.exchange.says_json() && lists_say_json(engine) {
        let kind = attempt.exchange.content_type.as_deref();
        return Some((kind.unwrap_or("no media type").to_owned(), None));
    }
    let id = id_at(&engine.contract.identifier, &record).unwrap_or("no id");
    if id != attempt.target.id {
        return Some((format!("the record {id}"), None));
    }
    misshapen(engine, sequence, &record)
        .or_else(|| contradiction(engine, sequence, &record))
        .or_else(|| unlike(engine, sequence, attempt, &record))
}

/// A member that the answer shows otherwise than the record does: one that the write does not concern, or, where the write sets no
/// end (W6, W7), an end that the record had neither before nor afterwards.
fn unlike(engine: &Engine, sequence: &Sequence, attempt: &Attempt, record: &Value) -> Option<RecordFault> {
    if attempt.exchange.status == ACCEPTED {
        return None;
    }
    let (before, after) = attempt.before.as_ref().zip(attempt.after.as_ref())?;
    let members = Members::of(&engine.contract, sequence.operation.answer.schema.as_deref()?);
    let ends = ends(engine, &sequence.operation);
    // What a record does not have may be an empty text where it stands in another one (R14).
    let is_nothing = |value: &Value| value.is_null() || value == "";
    difference(&members, record, &after.record, |place, answered, is| {
        let was = place.find(&before.record);
        if ends.contains(place) {
            // A record that is as it was may not show yet what is written.
            let is_judged = !sequence.body.ends() && before.record != after.record;
            return is_judged && was.is_some_and(|was| differs(answered, was)) && differs(answered, is);
        }
        let is_concerned = engine.contract.frame.is_of_life(place);
        was == Some(is) && !is_concerned && !(is_nothing(answered) && is_nothing(is))
    })
}

/// Whether two timestamps, each of which may be null, are further apart than dates are that a target keeps without a time.
fn differs(one: &Value, other: &Value) -> bool {
    let [one_at, other_at] = [one, other].map(|value| value.as_str().and_then(timestamp::read));
    match one_at.zip(other_at) {
        Some((one, other)) => one.duration_since(other).abs() >= MARGIN,
        None => one != other,
    }
}

fn misshapen(engine: &Engine, sequence: &Sequence, record: &Value) -> Option<RecordFault> {
    let document = engine.contract.document();
    let schema = document.answer_schema(&sequence.operation.answer, Form::Judging)?;
    let validator = jsonschema::validator_for(&schema).ok()?;
    let error = validator.iter_errors(record).next()?;
    let place = error.instance_path();
    let what = shortened(&format!("{place} {}", shape_fault::describe(&error)), 200);
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_end_differs_by_more_than_a_day_or_by_being_there() {
        let at = json!("2026-11-26T10:33:12Z");
        assert!(
            !differs(&at, &at) && !differs(&at, &json!("2026-11-26")) && !differs(&Value::Null, &Value::Null)
        );
        assert!(differs(&at, &Value::Null) && differs(&Value::Null, &at));
        assert!(differs(&at, &json!("2020-02-02T02:02:02Z")));
    }
}
