//! What has to be refused, and changes nothing (W1, W4, W8, W10, W11, W13).

use super::attempt::Meaning;
use super::body::Takes;
use super::session::Sequence;
use super::witness::differ;
use super::{finding, is_wrong, written};
use crate::checks::Looking;
use crate::context::Context;
use crate::outcome::Tally;

/// Refusals that say nothing of the body: who asks, what the record is or allows, how much is asked.
const OTHER_REASONS: [u16; 6] = [401, 403, 404, 405, 409, 429];

pub(super) fn strangers(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    for attempt in &sequence.attempts {
        if attempt.meaning != Meaning::Stranger {
            continue;
        }
        match attempt.exchange.status {
            status @ (200..=299 | 500..) => tally.finding(finding(
                context,
                sequence,
                attempt,
                ("a refusal: there is no such record", format!("status {status}")),
                None,
            )),
            _ => tally.case(),
        }
    }
}

pub(super) fn days(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    mistaken(context, sequence, tally, |takes| {
        matches!(takes, Takes::Days { .. })
    });
}

pub(super) fn moments(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    mistaken(context, sequence, tally, |takes| takes == Takes::Moment);
}

pub(super) fn flags(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    mistaken(context, sequence, tally, |takes| takes == Takes::Flag);
}

/// Values that members of a kind do not take.
fn mistaken(context: &Context, sequence: &Sequence, tally: &mut Tally, kind: fn(Takes) -> bool) {
    let attempts = sequence.attempts.iter().enumerate();
    for (index, _) in attempts.filter(|(_, attempt)| is_wrong(attempt, kind)) {
        judge(context, sequence, index, tally);
    }
}

pub(super) fn malformed(context: &Context, sequence: &Sequence, tally: &mut Tally) {
    let attempts = sequence.attempts.iter().enumerate();
    for (index, _) in attempts.filter(|(_, attempt)| attempt.meaning == Meaning::Malformed) {
        judge(context, sequence, index, tally);
    }
}

fn judge(context: &Context, sequence: &Sequence, index: usize, tally: &mut Tally) {
    let attempt = &sequence.attempts[index];
    match attempt.exchange.status {
        status if OTHER_REASONS.contains(&status) => tally.gap(format!(
            "{}: a refusal for the body's sake; {status} may have another reason",
            sequence.operation.path
        )),
        400..=499 => tally.case(),
        status => {
            let told = ("a refusal (4xx)", format!("status {status}"));
            tally.finding(finding(context, sequence, attempt, told, None));
        }
    }
}

/// W11: nothing is changed by what is refused.
pub(super) fn unchanged<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let Some(session) = written(context, tally).await? else {
            return Ok(());
        };
        for sequence in &session.sequences {
            let Some(witness) = &sequence.victim.witness else {
                tally.gap(format!("an answer that shows {}", sequence.victim.id));
                continue;
            };
            let refused = sequence.attempts.iter();
            for attempt in refused.filter(|attempt| attempt.exchange.is_refusal()) {
                let Some(after) = attempt
                    .after
                    .as_ref()
                    .filter(|_| differ(attempt.before.as_ref(), attempt.after.as_ref()))
                else {
                    tally.case();
                    continue;
                };
                let status = attempt.exchange.status;
                if witness.changes_again(context, &attempt.exchange.request).await? {
                    let told = (
                        "a refusal that changes nothing",
                        format!("status {status}, and a changed record"),
                    );
                    let finding = finding(context, sequence, attempt, told, Some(&after.exchange));
                    tally.finding(finding);
                    break;
                }
                tally.moved(format!(
                    "{} changed while a write was refused",
                    sequence.victim.id
                ));
            }
        }
        Ok(())
    })
}
