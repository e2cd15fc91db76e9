//! What looks wrong about a write is looked at again: the write is sent again, or its history to another record.
//!
//! Invariant: only what stays wrong every time is a violation.

use super::attempt::{Attempt, Ruling, WriteViolation};
use super::sequence::Sequence;
use super::{Judge, effects};
use crate::corpus::clause::Clause;
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CaseResult;
use crate::http::retry_after::PAUSES;
use crate::http::target::TargetError;

/// Sends a write that looks wrong again.
pub(super) async fn confirm(
    engine: &mut Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    judge: Judge,
) -> Result<CaseResult, TargetError> {
    let moved = |how: &str| Ok(CaseResult::Flaky(format!("{}: {how}", about(sequence, attempt))));
    let mut last = None;
    for pause in PAUSES {
        tokio::time::sleep(pause).await;
        let Some(again) = sequence.repeat(engine, attempt).await? else {
            break;
        };
        let Some(violation) = violation(judge(engine, sequence, &again)) else {
            return match replayed(engine, sequence, attempt, judge).await? {
                Some(finding) => Ok(CaseResult::Fail(Box::new(finding))),
                None => moved("the answer looked wrong, but not every time"),
            };
        };
        last = Some(finding(engine, sequence, &again, violation));
    }
    if last.is_none() && attempt.exchange.is_success() && attempt.has_changed_the_record() {
        // The write was granted, carried out and cannot be undone: the record itself confirms it.
        let violation = violation(judge(engine, sequence, attempt));
        last = violation.map(|violation| finding(engine, sequence, attempt, violation));
    }
    match last {
        Some(finding) => Ok(CaseResult::Fail(Box::new(finding))),
        None => moved("the answer looks wrong, and the write cannot be sent again to confirm it"),
    }
}

/// The violation once more on another record after the same writes, if the write was lost: a write that was granted and is
/// not stored because of the writes before it.
async fn replayed(
    engine: &mut Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    judge: Judge,
) -> Result<Option<Finding>, TargetError> {
    if !effects::is_lost(engine, sequence, attempt) {
        return Ok(None);
    }
    let Some(again) = sequence.replay(engine, attempt).await? else {
        return Ok(None);
    };
    if !effects::is_lost(engine, sequence, &again) {
        return Ok(None);
    }
    let violation = violation(judge(engine, sequence, &again));
    Ok(violation.map(|violation| finding(engine, sequence, &again, violation)))
}

/// The first violation among rulings.
fn violation(rulings: Vec<Ruling>) -> Option<WriteViolation> {
    rulings.into_iter().find_map(|ruling| match ruling {
        Ruling::Violated(violation) => Some(*violation),
        Ruling::Holds | Ruling::Missing(_) => None,
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
    let evidence = [Some(&attempt.exchange), violation.further.as_ref()]
        .into_iter()
        .flatten();
    Finding {
        about: about(sequence, attempt),
        clause: Clause::of_source(&sequence.operation.origin.source),
        expected: violation.expected,
        actual: violation.actual,
        evidence: evidence.map(|exchange| exchange.evidence(base)).collect(),
    }
}
