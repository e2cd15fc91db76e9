//! Every write of a run, made once for all checks: one [`Sequence`] for each operation.
//!
//! Invariant: nothing is written unless the run may.

use std::sync::Arc;

use rollcall_oracle::http::target::TargetError;

use super::ALLOW_WRITES;
use super::body::Body;
use super::candidates::{Wish, candidates};
use super::sequence::Sequence;
use super::shown_lists::{self, Before};
use crate::cases::writes::writes;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// The writes of one operation may take this share of the time that is left.
const SHARE: f64 = 0.35;

/// Every write of a run.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// One sequence for each operation that a record was found for.
    pub(crate) sequences: Vec<Sequence>,
    /// What the lists showed before.
    pub(super) before: Before,
    /// What was missing.
    gaps: Vec<String>,
}

/// The session, or why it broke off.
type Written = Result<Arc<Session>, TargetError>;

/// What was written, if the run may write. It is written the first time and remembered; a session that broke
/// off is not begun again.
pub(in crate::checks) async fn written(
    engine: &mut Engine,
    result: &mut CheckResult,
) -> Result<Option<Arc<Session>>, TargetError> {
    if !engine.config.allow_writes {
        result.gap(ALLOW_WRITES);
        return Ok(None);
    }
    let session = match engine.recall::<Written>("") {
        Some(session) => session,
        None => {
            let session = Arc::new(write(engine).await.map(Arc::new));
            engine.remember("", &session);
            session
        }
    };
    let session = (*session).clone()?;
    for gap in &session.gaps {
        result.gap(gap);
    }
    for write in session.sequences.iter().flat_map(|sequence| &sequence.unanswered) {
        result.gap(format!("an answer to {write}: the target is too busy"));
    }
    Ok(Some(session))
}

/// Writes by every operation.
async fn write(engine: &mut Engine) -> Result<Session, TargetError> {
    let mut session = Session {
        before: shown_lists::before(engine).await?,
        ..Session::default()
    };
    for operation in writes(&engine.contract) {
        let mut candidates = candidates(engine, &operation, Wish::Writable).await?;
        let Some(target) = candidates.next(engine, &operation).await? else {
            session.gaps.push(format!("an id for {}", operation.path));
            continue;
        };
        let body = Body::of(&engine.contract, &operation);
        let mut sequence = Sequence::new(operation, body, target);
        sequence.candidates = candidates;
        sequence.deadline = engine.deadline(SHARE);
        let sent = sequence.send_all(engine).await;
        session.sequences.push(sequence);
        match sent {
            // What was sent in time is judged.
            Err(TargetError::Time { .. }) => {
                session.gaps.push("more time than --budget".to_owned());
                break;
            }
            Err(error @ TargetError::NoAnswer { is_late: false, .. }) => {
                // Any answer to a write that the specification allows would do.
                let last = session.sequences.last().into_iter();
                let allowed = last.map(|sequence| sequence.minimal_request(&sequence.target.id));
                engine.unanswered.extend(allowed);
                return Err(error);
            }
            sent => sent?,
        }
    }
    Ok(session)
}
