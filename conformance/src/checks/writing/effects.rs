//! What a write answers and leaves behind (W5, W6, W7, W9).

use jiff::{SignedDuration, Timestamp};

use super::answers::{MARGIN, fault, moment_of, not_back, unwrapped};
use super::attempt::{Attempt, Ruling, WriteIntent};
use super::carried_out;
use super::sequence::Sequence;
use crate::corpus::timestamp;
use crate::engine::Engine;

/// A moment at a full second may be stored in seconds.
const INSTANT: SignedDuration = SignedDuration::from_secs(1);

pub(super) fn answers(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    let concerns = matches!(
        attempt.intent,
        WriteIntent::Days(_) | WriteIntent::Moment(_) | WriteIntent::Null | WriteIntent::Open(_)
    );
    match concerns && attempt.exchange.is_success() {
        true => vec![is_own_record(engine, sequence, attempt)],
        false => Vec::new(),
    }
}

pub(super) fn days(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    match attempt.intent {
        WriteIntent::Days(days) if attempt.exchange.is_success() => {
            let end = timestamp::days_later(attempt.at, days);
            ends(engine, sequence, attempt, (end, MARGIN))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn moments(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    match attempt.intent {
        WriteIntent::Moment(end) if attempt.exchange.is_success() => {
            ends(engine, sequence, attempt, (end, INSTANT))
                .into_iter()
                .collect()
        }
        WriteIntent::Moment(_) => vec![carried_out::is_granted(sequence, attempt)],
        _ => Vec::new(),
    }
}

pub(super) fn brought_back(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    let WriteIntent::BringBack(_) = attempt.intent else {
        return Vec::new();
    };
    match attempt.exchange.status {
        200..=299 => {
            let record = unwrapped(&attempt.exchange, &engine.contract.identifier);
            match record.and_then(|record| not_back(engine, sequence, &record)) {
                Some(actual) => vec![Ruling::violated("a record that is not soft-deleted", actual)],
                None => {
                    let own = is_own_record(engine, sequence, attempt);
                    [own]
                        .into_iter()
                        .chain(stays_back(engine, sequence, attempt))
                        .collect()
                }
            }
        }
        404 | 409 | 422 if !attempt.certain => {
            let path = &sequence.operation.path;
            vec![Ruling::Missing(format!(
                "a workspace user that was seen soft-deleted or expired: {path} refused every other one",
            ))]
        }
        status @ (409 | 422) => vec![Ruling::violated(
            "2xx with the record, which was soft-deleted or expired",
            format!("status {status}"),
        )],
        _ => vec![carried_out::is_granted(sequence, attempt)],
    }
}

/// What a sequence lacks that brings records back.
pub(super) fn lacks_bringing_back(sequence: &Sequence) -> Option<String> {
    let is_tried = |value| {
        let mut attempts = sequence.attempts.iter();
        attempts.any(|attempt| attempt.intent == WriteIntent::BringBack(value))
    };
    let has_both = is_tried(true) && is_tried(false);
    let lacks = !sequence.body.ends() && !has_both;
    let path = &sequence.operation.path;
    lacks.then(|| format!("two records that {path} can bring back, or one that can be deprecated again"))
}

/// What a sequence lacks that makes records end.
pub(super) fn lacks_granted(sequence: &Sequence) -> Option<String> {
    let mut attempts = sequence.attempts.iter();
    let lacks = sequence.body.ends() && !attempts.any(|attempt| attempt.exchange.is_success());
    lacks.then(|| format!("a write that {} grants", sequence.operation.path))
}

/// The answer is the record that was written to.
fn is_own_record(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Ruling {
    match fault(engine, sequence, attempt) {
        None => Ruling::Holds,
        Some(actual) => Ruling::violated(format!("the record {}", attempt.target.id), actual),
    }
}

/// The record ends at a moment, give or take a margin: in the answer, and afterwards.
fn ends(
    engine: &Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    (end, margin): (Timestamp, SignedDuration),
) -> Option<Ruling> {
    let place = sequence.ending(engine)?;
    // An answer that is no record is another check's business.
    let answer = unwrapped(&attempt.exchange, &engine.contract.identifier)?;
    let right =
        |shown: Option<Timestamp>| shown.is_some_and(|shown| shown.duration_since(end).abs() < margin);
    let shown = |record| {
        place
            .find(record)
            .map_or("nothing".to_owned(), ToString::to_string)
    };
    let expected = format!("{place} {}", timestamp::iso(end));
    let after = attempt
        .after
        .as_ref()
        .filter(|after| place.find(&after.record).is_some());
    if !right(moment_of(&answer, &place)) {
        return Some(Ruling::violated(expected, shown(&answer)));
    }
    Some(
        match after.filter(|after| !right(moment_of(&after.record, &place))) {
            None => Ruling::Holds,
            Some(after) => Ruling::violated_afterwards(
                format!("{expected}, also afterwards"),
                format!("{} afterwards", shown(&after.record)),
                &after.exchange,
            ),
        },
    )
}

/// What was brought back is not seen as soft-deleted afterwards.
fn stays_back(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Option<Ruling> {
    let after = attempt.after.as_ref()?;
    Some(match not_back(engine, sequence, &after.record) {
        None => Ruling::Holds,
        Some(actual) => Ruling::violated_afterwards(
            "a record that is not soft-deleted, also afterwards",
            actual,
            &after.exchange,
        ),
    })
}
