//! What looks wrong about a write is looked at again: the write is sent again, or its history to another record.
//!
//! Invariant: only what stays wrong every time is a violation.

use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::records::{id_at, unwrapped};
use rollcall_oracle::http::again::PAUSES;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::Ruling;

use super::attempt::{Attempt, WriteViolation};
use super::sequence::Sequence;
use super::{Judges, effects};
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CaseResult;
use crate::engine::suspect::Suspect;

/// Sends a write that looks wrong again.
pub(super) async fn confirm(
    engine: &mut Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    judges: Judges,
) -> Result<CaseResult, TargetError> {
    let case_result = |finding: Option<Finding>, otherwise: &str| match finding {
        Some(finding) => CaseResult::Fail(Box::new(finding)),
        None => CaseResult::Flaky(format!("{}: {otherwise}", about(sequence, attempt))),
    };
    if attempt.is_refused_again {
        // It was sent again at once, and refused each time. The record may have changed since.
        let refused = first_violation(engine, sequence, attempt, judges);
        return Ok(case_result(
            refused,
            "the answer looked wrong, but not every time",
        ));
    }
    let mut last = None;
    // What was sent right before it need not be a part of what is told.
    let mut write = attempt.write();
    let mut before = write.request.before.take();
    if attempt.intent.may_be_refused() {
        // It was sent after other refused writes.
        before = sequence.after_a_refusal(write.request.clone()).before;
    }
    for pause in PAUSES {
        tokio::time::sleep(pause).await;
        let Some(mut again) = sequence.repeat(engine, attempt, write.clone()).await? else {
            break;
        };
        last = first_violation(engine, sequence, &again, judges);
        if last.is_none() && before.is_some() && write.request.before.is_none() {
            write.request.before.clone_from(&before);
            match sequence.repeat(engine, attempt, write.clone()).await? {
                None => break,
                Some(repeated) => again = repeated,
            }
            last = first_violation(engine, sequence, &again, judges);
        }
        if last.is_none() {
            let replayed = replayed(engine, sequence, attempt, judges).await?;
            let otherwise = "the answer looked wrong, but not every time";
            return Ok(case_result(replayed, otherwise));
        }
    }
    let is_carried_out = attempt.exchange.is_success() && attempt.has_changed_the_record();
    if last.is_none() && is_carried_out {
        // The write was granted, carried out and cannot be undone: the record itself confirms it.
        last = first_violation(engine, sequence, attempt, judges);
    }
    let otherwise = "the answer looks wrong, and the write cannot be sent again to confirm it";
    Ok(case_result(last, otherwise))
}

/// The violation once more on other records after the same writes: once if the write was granted and is not stored, twice if its answer
/// has the record with the end it had before. A record that is already as the write leaves it does not show that.
async fn replayed(
    engine: &mut Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    judges: Judges,
) -> Result<Option<Finding>, TargetError> {
    let is_lost = effects::is_lost(engine, sequence, attempt);
    let is_alike = |engine: &Engine, one: &Attempt| match is_lost {
        true => effects::is_lost(engine, sequence, one),
        false => one.is_granted() && answers_as_before(engine, sequence, one),
    };
    if !is_alike(engine, attempt) {
        return Ok(None);
    }
    let mut last = None;
    for _ in 0..if is_lost { 1 } else { 2 } {
        let again = sequence.replay(engine, attempt).await?;
        let again = again.filter(|again| is_alike(engine, again));
        last = again.and_then(|again| first_violation(engine, sequence, &again, judges));
        if last.is_none() {
            break;
        }
    }
    Ok(last)
}

/// Whether the answer to a write that sets an end has the record with the end that it had before.
fn answers_as_before(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> bool {
    let identifier = &engine.contract.identifier;
    let answer = unwrapped(&attempt.exchange, identifier);
    let answer = answer.filter(|answer| id_at(identifier, answer) == Some(&attempt.target.id));
    let both = answer.zip(attempt.before.as_ref()).zip(sequence.ending(engine));
    both.is_some_and(|((answer, before), end)| end.find(&before.record) == end.find(&answer))
}

/// The first violation that a write shows.
fn first_violation(
    engine: &Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    judges: Judges,
) -> Option<Finding> {
    let mut judges = judges.iter();
    judges.find_map(|judge| match judge(engine, sequence, attempt) {
        Ruling::Violated(violation) => Some(finding(engine, sequence, attempt, *violation)),
        Ruling::NotApplicable | Ruling::Missing(_) | Ruling::Holds => None,
    })
}

/// How a report calls an attempt.
fn about(sequence: &Sequence, attempt: &Attempt) -> String {
    format!("{}, {}", sequence.operation.path, attempt.what)
}

/// The violation that a write shows.
pub(super) fn finding(
    engine: &Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    violation: WriteViolation,
) -> Finding {
    let base = &engine.target.config().base_url;
    let exchanges = [Some(&attempt.exchange), violation.further.as_ref()];
    let evidence = exchanges.into_iter().flatten();
    let operation = Suspect::Operation(sequence.operation.path.clone());
    let member = violation
        .place
        .as_ref()
        .map(|place| Suspect::member(&engine.contract.frame, place));
    let finding = Finding::new(
        about(sequence, attempt),
        Clause::of_source(&sequence.operation.origin.source),
        (violation.expected, violation.actual),
        evidence.map(|exchange| exchange.evidence(base)).collect(),
    );
    finding.suspecting(member.into_iter().chain([operation]))
}
