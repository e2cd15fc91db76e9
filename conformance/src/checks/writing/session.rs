//! Every write of a run, made once for all checks: one [`Sequence`] for each operation.
//!
//! Invariant: nothing is written unless the run may.

use std::sync::Arc;

use super::body::Body;
use super::bystanders::{self, Before};
use super::candidates::{Wish, candidates};
use super::sequence::Sequence;
use super::writes;
use crate::engine::Engine;
use crate::http::target::TargetError;

/// Every write of a run.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// One sequence for each operation that a record was found for.
    pub(crate) sequences: Vec<Sequence>,
    /// What the lists showed before.
    pub(crate) before: Before,
    /// What was missing.
    pub(crate) gaps: Vec<String>,
}

/// The session, or why it broke off.
type Written = Result<Arc<Session>, TargetError>;

/// Writes, unless that was done before.
pub(crate) async fn session(engine: &mut Engine) -> Result<Arc<Session>, TargetError> {
    if let Some(session) = engine.recall::<Written>("") {
        return session.as_ref().clone();
    }
    // A session that broke off is not begun again either.
    let session = write(engine).await.map(Arc::new);
    engine.remember("", &Arc::new(session.clone()));
    session
}

async fn write(engine: &mut Engine) -> Result<Session, TargetError> {
    let mut session = Session {
        before: bystanders::before(engine).await?,
        ..Session::default()
    };
    for operation in writes(&engine.contract) {
        let mut candidates = candidates(engine, &operation, Wish::Writable).await?;
        let Some(target) = candidates.next(engine, &operation).await? else {
            session.gaps.push(format!("an id for {}", operation.path));
            continue;
        };
        let body = Body::of(&engine.contract, &operation);
        let sequence = Sequence::new(operation, body, target, candidates);
        session.sequences.push(sequence.written(engine).await?);
    }
    Ok(session)
}
