//! What has to be carried out (W2, W3).

use super::attempt::{Attempt, Meaning, Open};
use super::finding;
use super::session::Sequence;
use crate::context::Context;
use crate::outcome::Tally;

pub(super) fn days(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    let attempts = sequence.attempts.iter();
    for attempt in attempts.filter(|attempt| matches!(attempt.meaning, Meaning::Days(_))) {
        judge(context, sequence, attempt, tally);
    }
}

pub(super) fn nulls(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    for attempt in &sequence.attempts {
        match attempt.meaning {
            Meaning::Null => judge(context, sequence, attempt, tally),
            // What comes of it is open, but not that something does.
            Meaning::Open(Open::Both | Open::Neither | Open::Past) => match attempt.exchange.status {
                200..=499 => tally.case(),
                status => {
                    let told = ("success or a refusal", format!("status {status}"));
                    tally.finding(finding(context, sequence, attempt, told, None));
                }
            },
            _ => {}
        }
    }
}

/// Whether a write that the specification allows was granted.
pub(super) fn judge(context: &Context, sequence: &Sequence, attempt: &Attempt, tally: &mut Tally) {
    match attempt.exchange.status {
        200..=299 => tally.case(),
        status @ (401 | 403) => tally.gap(format!(
            "a token that may write: {} answers {status}",
            sequence.operation.path
        )),
        // Which states allow a write is open (O1).
        409 => tally.gap(format!(
            "{}: a record in a state that allows it",
            sequence.operation.path
        )),
        404 if sequence.victim.named => tally.gap(format!("a fixture that exists: {}", sequence.victim.id)),
        status => {
            let told = ("2xx with the record", format!("status {status}"));
            tally.finding(finding(context, sequence, attempt, told, None));
        }
    }
}
