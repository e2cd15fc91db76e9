//! A write that was granted and not carried out, confirmed on another record: what depends on the writes before it does not
//! come again when the write alone is sent again.

use super::attempt::Attempt;
use super::candidates::{Candidates, Wish, candidates};
use super::sequence::Sequence;
use super::write_target::path;
use crate::engine::Engine;
use crate::http::request::Request;
use crate::http::target::TargetError;

impl Sequence {
    /// Sends to a record that was not written to yet what was granted for the record of an attempt, up to this attempt; none
    /// if there is no such record, or the run may write to a named one alone.
    pub(super) async fn replay(
        &self,
        engine: &mut Engine,
        attempt: &Attempt,
    ) -> Result<Option<Attempt>, TargetError> {
        if attempt.target.named {
            return Ok(None);
        }
        let mut candidates = candidates(engine, &self.operation, Wish::Another).await?;
        let target = loop {
            match candidates.next(engine, &self.operation).await? {
                None => return Ok(None),
                Some(next) if engine.written.contains(&next.id) => {}
                Some(next) => break next,
            }
        };
        let mut again = Self::new(
            self.operation.clone(),
            self.body.clone(),
            target,
            Candidates::default(),
        );
        let is_before = |past: &&Attempt| !std::ptr::eq(*past, attempt);
        let history = self.attempts.iter().take_while(is_before);
        let granted = history.filter(|past| past.is_granted() && past.target.id == attempt.target.id);
        for past in granted.chain([attempt]) {
            if !again.is_ready(engine).await? {
                return Ok(None);
            }
            let request = Request {
                path: path(&self.operation, &again.target.id),
                ..past.exchange.request.clone()
            };
            again.send(engine, past.intent, &past.what, request).await?;
        }
        let replayed = again.attempts.pop();
        if self.body.ends() {
            again.leave_alive(engine).await?;
        }
        Ok(replayed)
    }
}
