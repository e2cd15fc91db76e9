//! What a write answers and leaves behind (W5, W6, W7, W9, W14, W16).

use jiff::{SignedDuration, Timestamp};

use super::answers::{MARGIN, fault, not_back, timestamp_of, unwrapped};
use super::attempt::{Attempt, Ruling, WriteIntent};
use super::carried_out;
use super::observer::differ;
use super::sequence::Sequence;
use super::views::Agreement;
use crate::corpus::timestamp;
use crate::engine::Engine;

/// A timestamp at a full second may be stored in seconds.
const INSTANT: SignedDuration = SignedDuration::from_secs(1);

pub(super) fn answers(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    let concerns = matches!(
        attempt.intent,
        WriteIntent::Days(_)
            | WriteIntent::Timestamp(_)
            | WriteIntent::WithOffset(_)
            | WriteIntent::Null
            | WriteIntent::Open(_)
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

pub(super) fn timestamps(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    match attempt.intent {
        WriteIntent::Timestamp(end) | WriteIntent::WithOffset(end) if attempt.exchange.is_success() => {
            ends(engine, sequence, attempt, (end, INSTANT))
                .into_iter()
                .collect()
        }
        WriteIntent::Timestamp(_) => vec![carried_out::is_granted(sequence, attempt)],
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
                None if attempt.certain && is_as_before(sequence, attempt) => {
                    vec![Ruling::violated(
                        "a record that is not deprecated any more",
                        "the record with the state and the timestamps that it had before",
                    )]
                }
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

/// W16: every place that shows the record shows what was written.
pub(super) fn agreement(_: &Engine, _: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    match &attempt.agreement {
        None => Vec::new(),
        Some(Agreement::Same) => vec![Ruling::Holds],
        Some(Agreement::Other(other)) => vec![Ruling::violated_afterwards(
            format!("the record {} as it is after the write", attempt.target.id),
            other.what.clone(),
            &other.exchange,
        )],
    }
}

/// What a sequence lacks for places to be compared.
pub(super) fn lacks_views(sequence: &Sequence) -> Option<String> {
    let lacks = sequence
        .attempts
        .iter()
        .all(|attempt| attempt.agreement.is_none());
    lacks.then(|| format!("two places that show {}", sequence.target.id))
}

/// W14: a record that was written to before stays as it was.
pub(super) fn other_record(_: &Engine, _: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    let Some(other) = &attempt.other else {
        return Vec::new();
    };
    vec![match differ(Some(&other.before), Some(&other.after)) {
        false => Ruling::Holds,
        true => Ruling::violated_afterwards(
            "another record as it was before the write",
            "a changed record",
            &other.after.exchange,
        ),
    }]
}

/// Whether a write was granted and is nowhere to be seen: nothing about its record is different, or not what was written.
pub(super) fn is_lost(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> bool {
    let Some(after) = attempt.after.as_ref().filter(|_| attempt.exchange.is_success()) else {
        return false;
    };
    let end = match attempt.intent {
        WriteIntent::Days(days) => Some((timestamp::days_later(attempt.at, days), MARGIN)),
        WriteIntent::Timestamp(end) => Some((end, INSTANT)),
        _ => None,
    };
    let is_other = |(end, margin)| {
        let shown = timestamp_of(&after.record, &sequence.ending(engine)?);
        Some(shown.is_none_or(|shown| shown.duration_since(end).abs() >= margin))
    };
    !attempt.has_changed_the_record() || end.and_then(is_other) == Some(true)
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

/// Whether a record that was deprecated is so in the very same way after it was brought back.
fn is_as_before(sequence: &Sequence, attempt: &Attempt) -> bool {
    let is_unchanged = !attempt.has_changed_the_record() && attempt.after.is_some();
    is_unchanged && !sequence.body.ends()
}

/// The answer is the record that was written to.
fn is_own_record(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Ruling {
    match fault(engine, sequence, attempt) {
        None => Ruling::Holds,
        Some(actual) => Ruling::violated(format!("the record {}", attempt.target.id), actual),
    }
}

/// The record ends at a timestamp, give or take a margin: in the answer, and afterwards.
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
    if !right(timestamp_of(&answer, &place)) {
        return Some(Ruling::violated(expected, shown(&answer)));
    }
    Some(
        match after.filter(|after| !right(timestamp_of(&after.record, &place))) {
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
