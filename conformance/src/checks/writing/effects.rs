//! What a write is granted, answers and leaves behind (W2, W3, W5, W6, W7, W9, W14, W16).

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::Pointer;
use rollcall_oracle::judge::Ruling;
use rollcall_oracle::open_points::converted_value::ConvertedValue;
use rollcall_oracle::open_points::timestamp;
use serde_json::Value;

use super::answers::{MARGIN, fault};
use super::attempt::{Attempt, Open, WriteIntent, WriteRuling, WriteViolation};
use super::day_length;
use super::sequence::Sequence;
use super::write_target::is_deleted;
use crate::engine::Engine;

/// A timestamp at a full second may be stored in seconds.
const INSTANT: SignedDuration = SignedDuration::from_secs(1);

/// What is wrong about a record that was brought back.
const STILL_DELETED: &str = "a record that is still soft-deleted";

/// W2: every number of days in the range is accepted.
pub(super) fn days_granted(_: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let is_meant = matches!(attempt.intent, WriteIntent::Days(_));
    Ruling::when(is_meant, || is_granted(sequence, attempt))
}

/// W3: null is accepted. What comes of other bodies is open, but not that something does.
pub(super) fn nulls(_: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    match attempt.intent {
        WriteIntent::Null => is_granted(sequence, attempt),
        // What a body of another kind leads to is not specified, not even that it is no error of the server.
        WriteIntent::Open(Open::NoObject | Open::Unknown) => Ruling::NotApplicable,
        WriteIntent::Open(Open::Both | Open::Neither | Open::Past | Open::Again) => {
            match attempt.exchange.status {
                200..=499 => Ruling::Holds,
                status => WriteViolation::of_status("success or a refusal", status).ruling(),
            }
        }
        _ => Ruling::NotApplicable,
    }
}

/// W5: the answer is the record that was written to.
pub(super) fn answers(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let is_meant = attempt.is_granted() && !matches!(attempt.intent, WriteIntent::BringBack(_));
    Ruling::when(is_meant, || is_own_record(engine, sequence, attempt))
}

/// W6: the record ends after so many days.
pub(super) fn days(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    match attempt.intent {
        WriteIntent::Days(_) if attempt.exchange.is_success() => match ends(engine, sequence, attempt) {
            Ruling::Holds => day_length::is_alike(engine, sequence, attempt),
            other => other,
        },
        _ => Ruling::NotApplicable,
    }
}

/// W7: the record ends at the timestamp that was written.
pub(super) fn timestamps(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let is_success = attempt.exchange.is_success();
    match attempt.intent {
        WriteIntent::Timestamp(_) | WriteIntent::MayEndAt(_) if is_success => ends(engine, sequence, attempt),
        WriteIntent::Timestamp(_) => is_granted(sequence, attempt),
        _ => Ruling::NotApplicable,
    }
}

/// W9: a deprecated record is brought back.
pub(super) fn brought_back(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let WriteIntent::BringBack(_) = attempt.intent else {
        return Ruling::NotApplicable;
    };
    match attempt.exchange.status {
        200..=299 => {
            let record = attempt.result(&engine.contract);
            if record.is_some_and(|record| is_deleted(engine, &sequence.operation, &record)) {
                WriteViolation::new("a record that is not soft-deleted", STILL_DELETED).ruling()
            } else if attempt.certain && is_as_before(sequence, attempt) {
                WriteViolation::new(
                    "a record that is not deprecated any more",
                    "the record with the state and the timestamps that it had before",
                )
                .ruling()
            } else {
                is_own_record(engine, sequence, attempt)
            }
        }
        400..=499 if !attempt.certain => Ruling::Missing(format!(
            "a workspace user that was seen soft-deleted: {} refused every other one",
            sequence.operation.path
        )),
        status @ (409 | 422) => {
            WriteViolation::of_status("2xx with the record, which was soft-deleted", status).ruling()
        }
        _ => is_granted(sequence, attempt),
    }
}

/// W9: a record that was brought back is not seen as soft-deleted afterwards.
pub(super) fn stays_back(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let is_meant = attempt.is_granted() && matches!(attempt.intent, WriteIntent::BringBack(_));
    let Some(after) = attempt.after.as_ref().filter(|_| is_meant) else {
        return Ruling::NotApplicable;
    };
    let expected = "a record that is not soft-deleted, also afterwards";
    match is_deleted(engine, &sequence.operation, &after.record) {
        false => Ruling::Holds,
        true => WriteViolation::new(expected, STILL_DELETED)
            .shown_by(&after.exchange)
            .ruling(),
    }
}

/// W16: every place that shows the record shows what was written.
pub(super) fn agreement(_: &Engine, _: &Sequence, attempt: &Attempt) -> WriteRuling {
    attempt.agreement.clone()
}

/// W14: a record that was written to before stays as it was.
pub(super) fn other_record(_: &Engine, _: &Sequence, attempt: &Attempt) -> WriteRuling {
    let other = attempt.other.as_ref();
    other.map_or(Ruling::NotApplicable, |(_, ruling)| ruling.clone())
}

/// What a sequence lacks for places to be compared.
pub(super) fn lacks_views(sequence: &Sequence) -> Option<String> {
    let mut attempts = sequence.attempts.iter();
    let lacks = attempts.all(|attempt| attempt.agreement.is_not_applicable());
    lacks.then(|| format!("two places that show {}", sequence.target.id))
}

/// What a sequence lacks that brings records back.
pub(super) fn lacks_flags(sequence: &Sequence) -> Option<String> {
    let is_tried = |value| {
        let mut attempts = sequence.attempts.iter();
        attempts.any(|attempt| attempt.intent == WriteIntent::BringBack(value))
    };
    let has_both = is_tried(true) && is_tried(false);
    let lacks = !sequence.body.ends() && !has_both;
    let path = &sequence.operation.path;
    lacks.then(|| format!("two records that {path} can bring back, or a record that can be deprecated again"))
}

/// What a sequence lacks that makes records end.
pub(super) fn lacks_granted(sequence: &Sequence) -> Option<String> {
    let mut attempts = sequence.attempts.iter();
    let lacks = sequence.body.ends() && !attempts.any(|attempt| attempt.exchange.is_success());
    lacks.then(|| format!("a write that {} grants", sequence.operation.path))
}

/// Whether a write was granted and is nowhere to be seen: nothing about its record is different, or not what
/// was written.
pub(super) fn is_lost(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> bool {
    let Some(after) = attempt.after.as_ref().filter(|_| attempt.exchange.is_success()) else {
        return false;
    };
    // A timestamp with an offset need not be taken.
    let must_be_taken = !matches!(attempt.intent, WriteIntent::MayEndAt(_));
    let end = end_of(attempt).filter(|_| must_be_taken);
    let is_other = |(place, end): (Pointer, _)| !shows_end(&after.record, &place, end);
    !attempt.has_changed_the_record() || sequence.ending(engine).zip(end).is_some_and(is_other)
}

/// Whether a write that the specification allows was granted.
fn is_granted(sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let path = &sequence.operation.path;
    match attempt.exchange.status {
        200..=299 => Ruling::Holds,
        status @ (401 | 403) => Ruling::Missing(format!("a token that may write: {path} answers {status}")),
        // Which states allow a write is open (O1).
        409 => Ruling::Missing(format!("{path}: a record in a state that allows it")),
        404 if attempt.target.named => {
            Ruling::Missing(format!("a fixture that exists: {}", attempt.target.id))
        }
        status => WriteViolation::of_status("2xx with the record", status).ruling(),
    }
}

/// Whether a record that was deprecated is so in the very same way after it was brought back.
fn is_as_before(sequence: &Sequence, attempt: &Attempt) -> bool {
    let is_unchanged = !attempt.has_changed_the_record() && attempt.after.is_some();
    is_unchanged && !sequence.body.ends()
}

/// The answer is the record that was written to.
fn is_own_record(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    match fault(engine, sequence, attempt) {
        None => Ruling::Holds,
        Some((actual, place)) => WriteViolation::new(format!("the record {}", attempt.target.id), actual)
            .at(place)
            .ruling(),
    }
}

/// When a write makes its record end, give or take a margin.
fn end_of(attempt: &Attempt) -> Option<(Timestamp, SignedDuration)> {
    match attempt.intent {
        WriteIntent::Days(days) => Some((timestamp::days_later(attempt.at, days), MARGIN)),
        WriteIntent::Timestamp(end) | WriteIntent::MayEndAt(end) => Some((end, INSTANT)),
        _ => None,
    }
}

/// Whether a record shows an end at a place, give or take a margin.
fn shows_end(record: &Value, place: &Pointer, (end, margin): (Timestamp, SignedDuration)) -> bool {
    timestamp::of(record, place).is_some_and(|shown| shown.duration_since(end).abs() < margin)
}

/// A write of another type or form was taken for the value that is meant.
pub(super) fn is_as_meant(
    engine: &Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    meant: ConvertedValue,
) -> WriteRuling {
    if meant == ConvertedValue::Flag {
        let record = attempt.result(&engine.contract);
        let is_deleted = record.is_some_and(|record| is_deleted(engine, &sequence.operation, &record));
        return match is_deleted {
            true => {
                WriteViolation::new("a refusal, or a record that is not soft-deleted", STILL_DELETED).ruling()
            }
            false => Ruling::Holds,
        };
    }
    let mut rulings = meant
        .ends(attempt.at)
        .into_iter()
        .map(|end| ends_at(engine, sequence, attempt, end));
    let first = rulings.next().filter(Ruling::is_violated);
    match rulings.find(|ruling| matches!(ruling, Ruling::Holds)) {
        Some(holds) => holds,
        None => first.unwrap_or(Ruling::Holds),
    }
}

/// The record ends when the write says, in the answer and afterwards.
fn ends(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    match end_of(attempt) {
        Some(end) => ends_at(engine, sequence, attempt, end),
        None => Ruling::NotApplicable,
    }
}

/// The record ends at a timestamp, give or take a margin, in the answer and afterwards.
fn ends_at(
    engine: &Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    end: (Timestamp, SignedDuration),
) -> WriteRuling {
    // An answer that is no record is another check's business.
    let (Some(place), Some(answer)) = (sequence.ending(engine), attempt.result(&engine.contract)) else {
        return Ruling::NotApplicable;
    };
    let expected = format!("{place} {}", timestamp::iso(end.0));
    let shown = |record| place.find(record).map_or("nothing".to_owned(), Value::to_string);
    if !shows_end(&answer, &place, end) {
        return WriteViolation::new(expected, shown(&answer)).ruling();
    }
    let is_wrong = |record: &Value| place.find(record).is_some() && !shows_end(record, &place, end);
    let after = attempt.after.as_ref();
    let Some(after) = after.filter(|after| is_wrong(&after.record)) else {
        return Ruling::Holds;
    };
    let actual = format!("{} afterwards", shown(&after.record));
    WriteViolation::new(format!("{expected}, also afterwards"), actual)
        .shown_by(&after.exchange)
        .ruling()
}
