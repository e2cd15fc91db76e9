//! What has to be refused, and changes nothing (W1, W4, W8, W10, W11, W13, W15).

use rollcall_oracle::judge::Ruling;

use super::attempt::{Attempt, IdForm, WriteIntent, WriteRuling, WriteViolation};
use super::body::FieldKind;
use super::confirm::finding;
use super::effects;
use super::sequence::Sequence;
use super::written;
use crate::checks::CheckFuture;
use crate::checks::all;
use crate::checks::scope::is_about_access;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// Refusals that say nothing of the body: who asks, what the record is or allows, how much is asked.
const OTHER_REASONS: [u16; 6] = [401, 403, 404, 405, 409, 429];

/// W10: a write to a record that does not exist is refused. The specification allows an identifier of the form of others, so a write to
/// it must not end in an error of the server either (A4).
pub(super) fn unknown_ids(_: &Engine, _: &Sequence, attempt: &Attempt) -> WriteRuling {
    let WriteIntent::UnknownId(form) = attempt.intent else {
        return Ruling::NotApplicable;
    };
    let wrong = |expected: &str, status| WriteViolation::of_status(expected, status).ruling();
    match attempt.exchange.status {
        status @ 200..=299 => wrong("no success: there is no such record", status),
        status @ 500.. if form == IdForm::Known => wrong("a refusal: there is no such record", status),
        _ => Ruling::Holds,
    }
}

/// W1: wrong days are refused.
pub(super) fn days(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    wrong_values(engine, sequence, attempt, |kind| {
        matches!(kind, FieldKind::Days { .. })
    })
}

/// W4: wrong timestamps are refused.
pub(super) fn timestamps(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    wrong_values(engine, sequence, attempt, |kind| kind == FieldKind::Timestamp)
}

/// W8: wrong flags are refused.
pub(super) fn flags(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    wrong_values(engine, sequence, attempt, |kind| kind == FieldKind::Flag)
}

/// A value that a member of some kind does not take is refused. One that plainly means another may be taken for that (O12).
fn wrong_values(
    engine: &Engine,
    sequence: &Sequence,
    attempt: &Attempt,
    is_meant: fn(FieldKind) -> bool,
) -> WriteRuling {
    match attempt.intent {
        WriteIntent::Wrong(kind) if is_meant(kind) => is_refused(sequence, attempt),
        WriteIntent::Converted(kind, meant) if is_meant(kind) => match attempt.exchange.status {
            200..=299 => effects::is_as_meant(engine, sequence, attempt, meant),
            400..=499 => Ruling::Holds,
            status => {
                WriteViolation::of_status("a refusal (4xx), or success with the value that is meant", status)
                    .ruling()
            }
        },
        _ => Ruling::NotApplicable,
    }
}

/// W13: a body that is no JSON is not carried out.
pub(super) fn malformed(_: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let is_meant = attempt.intent == WriteIntent::Malformed;
    Ruling::when(is_meant, || match attempt.exchange.status {
        // The specification names no status for an error (§7).
        500.. => Ruling::Holds,
        _ => is_refused(sequence, attempt),
    })
}

/// W15: what the token grants is granted to nothing else.
pub(super) fn without_right(_: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let WriteIntent::Unauthorized(credentials) = attempt.intent else {
        return Ruling::NotApplicable;
    };
    let path = &sequence.operation.path;
    match attempt.exchange.status {
        status @ 200..=299 => {
            WriteViolation::of_status(format!("a refusal {}", credentials.describe()), status).ruling()
        }
        401 | 403 if !is_granted(sequence, attempt) => Ruling::Missing(format!("a write that {path} grants")),
        401 | 403 => Ruling::Holds,
        status => Ruling::Missing(format!(
            "{path} refused with 401 or 403: {status} may have another reason"
        )),
    }
}

/// The check of access that has failed: what it has told is not told of each write once more.
pub(super) fn failed_access(engine: &Engine) -> Option<&'static str> {
    let mut of_access = all().filter(|check| is_about_access(check)).map(|check| check.id);
    of_access.find(|id| engine.failing.contains(id))
}

/// Whether the token was granted a write to the record: else a refusal may be for the record's sake.
fn is_granted(sequence: &Sequence, refused: &Attempt) -> bool {
    let mut attempts = sequence.attempts.iter();
    attempts.any(|attempt| attempt.is_granted() && attempt.target.id == refused.target.id)
}

/// Whether a body was refused because it is wrong.
fn is_refused(sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let path = &sequence.operation.path;
    match attempt.exchange.status {
        status if OTHER_REASONS.contains(&status) => Ruling::Missing(format!(
            "{path}: a refusal because of the body; {status} may have another reason"
        )),
        400..=499 if !is_granted(sequence, attempt) => Ruling::Missing(format!("a write that {path} grants")),
        400..=499 => Ruling::Holds,
        status => WriteViolation::of_status("a refusal (4xx)", status).ruling(),
    }
}

/// W11: nothing is changed by what is refused.
pub(super) fn unchanged<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let Some(session) = written(engine, result).await? else {
            return Ok(());
        };
        for sequence in &session.sequences {
            let refused = sequence.attempts.iter();
            for attempt in refused.filter(|attempt| attempt.exchange.is_refusal()) {
                let id = &attempt.target.id;
                let Some(observer) = &attempt.target.observer else {
                    result.gap(format!("an answer that shows {id}"));
                    continue;
                };
                // Without a look at the record before the next write was granted nothing is known.
                let Some(after) = &attempt.after else { continue };
                if !attempt.has_changed_the_record() {
                    result.count_case();
                    continue;
                }
                // The request before it was a refused write the first time, too.
                let again = sequence.after_a_refusal(attempt.exchange.request.clone());
                if observer.changes_again(engine, &again).await? {
                    let violation = WriteViolation {
                        expected: "a refusal that changes nothing".to_owned(),
                        actual: format!("status {}, and a changed record", attempt.exchange.status),
                        place: None,
                        further: Some(after.exchange.clone()),
                    };
                    result.finding(finding(engine, sequence, attempt, violation));
                    break;
                }
                result.moved(format!("{id} changed while a write was refused"));
            }
        }
        Ok(())
    })
}
