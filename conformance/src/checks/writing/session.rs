//! Every write of a run, made once for all checks: one [`Sequence`] for each operation.
//!
//! Invariant: nothing is written unless the run may.

use std::sync::Arc;

use super::body::Body;
use super::bystanders::{self, Before};
use super::candidates::{Wish, candidates};
use super::sequence::Sequence;
use super::writes;
use crate::context::Context;
use crate::target::Trouble;

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

/// Writes, unless that was done before.
pub(crate) async fn session(context: &mut Context) -> Result<Arc<Session>, Trouble> {
    if let Some(session) = &context.session {
        return session.clone();
    }
    // A session that broke off is not begun again either.
    let session = write(context).await.map(Arc::new);
    context.session = Some(session.clone());
    session
}

async fn write(context: &mut Context) -> Result<Session, Trouble> {
    let mut session = Session {
        before: bystanders::before(context).await?,
        ..Session::default()
    };
    for operation in writes(&context.contract) {
        let mut candidates = candidates(context, &operation, Wish::Writable).await?;
        let Some(target) = candidates.next(context, &operation).await? else {
            session.gaps.push(format!("an id for {}", operation.path));
            continue;
        };
        let body = Body::of(&context.contract, &operation);
        let sequence = Sequence::new(operation, body, target, candidates);
        session.sequences.push(sequence.written(context).await?);
    }
    Ok(session)
}
