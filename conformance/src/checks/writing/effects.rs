//! What a write answers and leaves behind (W5, W6, W7, W9).

use jiff::{SignedDuration, Timestamp};

use super::answers::{MARGIN, fault, moment_of, not_back, unwrapped};
use super::attempt::{Attempt, Meaning};
use super::session::Sequence;
use super::{carried_out, finding};
use crate::context::Context;
use crate::moment;
use crate::outcome::Tally;

/// A moment at a full second may be stored in seconds.
const INSTANT: SignedDuration = SignedDuration::from_secs(1);

pub(super) fn answers(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    for attempt in granted(sequence) {
        if matches!(
            attempt.meaning,
            Meaning::Days(_) | Meaning::Moment(_) | Meaning::Null | Meaning::Open(_)
        ) {
            answered(context, sequence, attempt, tally);
        }
    }
    nothing_granted(sequence, tally);
}

pub(super) fn days(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    for attempt in granted(sequence) {
        if let Meaning::Days(days) = attempt.meaning {
            let end = moment::days_later(attempt.at, days);
            ends(context, sequence, attempt, (end, MARGIN), tally);
        }
    }
    nothing_granted(sequence, tally);
}

pub(super) fn moments(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    for attempt in &sequence.attempts {
        if let Meaning::Moment(end) = attempt.meaning {
            match attempt.exchange.is_success() {
                true => ends(context, sequence, attempt, (end, INSTANT), tally),
                false => carried_out::judge(context, sequence, attempt, tally),
            }
        }
    }
}

pub(super) fn brought_back(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    for attempt in &sequence.attempts {
        let Meaning::Back(_) = attempt.meaning else {
            continue;
        };
        match attempt.exchange.status {
            200..=299 => {
                match unwrapped(&attempt.exchange).and_then(|record| not_back(context, sequence, &record)) {
                    None => {
                        answered(context, sequence, attempt, tally);
                        stays_back(context, sequence, attempt, tally);
                    }
                    Some(actual) => {
                        let told = ("a record that is not soft-deleted", actual);
                        tally.finding(finding(context, sequence, attempt, told, None));
                    }
                }
            }
            409 | 422 if !attempt.certain => tally.gap(format!(
                "a record that {} can bring back, or a target that can deprecate one",
                sequence.operation.path
            )),
            status @ (409 | 422) => {
                let told = (
                    "2xx with the record, which was deprecated",
                    format!("status {status}"),
                );
                tally.finding(finding(context, sequence, attempt, told, None));
            }
            _ => carried_out::judge(context, sequence, attempt, tally),
        }
    }
    if !sequence.body.ends() {
        let tried = |value| {
            sequence
                .attempts
                .iter()
                .any(|attempt| attempt.meaning == Meaning::Back(value))
        };
        if !tried(true) || !tried(false) {
            tally.gap(format!(
                "a record that {} can bring back twice",
                sequence.operation.path
            ));
        }
    }
}

/// The answer is the record that was written to.
fn answered(context: &Context, sequence: &Sequence, attempt: &Attempt, tally: &mut Tally) {
    match fault(context, sequence, attempt) {
        None => tally.case(),
        Some(actual) => {
            let expected = format!("the record {}", sequence.victim.id);
            tally.finding(finding(context, sequence, attempt, (expected, actual), None));
        }
    }
}

/// The record ends at a moment, give or take a margin: in the answer, and afterwards.
fn ends(
    context: &Context,
    sequence: &Sequence,
    attempt: &Attempt,
    (end, margin): (Timestamp, SignedDuration),
    tally: &mut Tally,
) {
    let Some(place) = sequence.ending(context) else {
        return;
    };
    let Some(answer) = unwrapped(&attempt.exchange) else {
        return; // Another check's business.
    };
    let right =
        |shown: Option<Timestamp>| shown.is_some_and(|shown| shown.duration_since(end).abs() < margin);
    let shown = |record| {
        place
            .find(record)
            .map_or("nothing".to_owned(), ToString::to_string)
    };
    let expected = format!("{place} {}", moment::iso(end));
    let after = attempt
        .after
        .as_ref()
        .filter(|after| place.find(&after.record).is_some());
    if !right(moment_of(&answer, &place)) {
        let told = (expected, shown(&answer));
        tally.finding(finding(context, sequence, attempt, told, None));
    } else if let Some(after) = after.filter(|after| !right(moment_of(&after.record, &place))) {
        let told = (
            format!("{expected}, also afterwards"),
            format!("{} afterwards", shown(&after.record)),
        );
        tally.finding(finding(context, sequence, attempt, told, Some(&after.exchange)));
    } else {
        tally.case();
    }
}

/// What was brought back is not seen as soft-deleted afterwards.
fn stays_back(context: &Context, sequence: &Sequence, attempt: &Attempt, tally: &mut Tally) {
    let Some(after) = &attempt.after else { return };
    match not_back(context, sequence, &after.record) {
        None => tally.case(),
        Some(actual) => {
            let told = ("a record that is not soft-deleted, also afterwards", actual);
            tally.finding(finding(context, sequence, attempt, told, Some(&after.exchange)));
        }
    }
}

fn granted(sequence: &Sequence) -> impl Iterator<Item = &Attempt> {
    let attempts = sequence.attempts.iter();
    attempts.filter(|attempt| attempt.exchange.is_success())
}

fn nothing_granted(sequence: &Sequence, tally: &mut Tally) {
    tally.gap_if_empty(format!("a write that {} grants", sequence.operation.path));
}
