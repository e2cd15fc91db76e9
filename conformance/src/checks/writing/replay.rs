//! How a write is sent again: alone to its record, or with the writes before it to another one. What depends on
//! the writes before it does not come again when the write alone is sent again.

use std::sync::Arc;

use rollcall_oracle::http::target::TargetError;

use super::attempt::{Attempt, Write};
use super::candidates::{Wish, candidates};
use super::sequence::Sequence;
use super::shown_lists::{self, Lists};
use super::write_target::is_deprecated;
use crate::cases::writes::path;
use crate::engine::Engine;

impl Sequence {
    /// A new sequence of writes to the record of an attempt; none if the record cannot be made ready for the
    /// attempt.
    async fn again(&self, engine: &mut Engine, attempt: &Attempt) -> Result<Option<Self>, TargetError> {
        let target = Arc::clone(&attempt.target);
        let mut again = Self::new(self.operation.clone(), self.body.clone(), target);
        again.lag = self.lag;
        let before = attempt.before.as_ref();
        let was_deprecated =
            before.is_some_and(|before| is_deprecated(engine, &self.operation, &before.record));
        let is_ready = !was_deprecated || again.is_ready(engine).await?;
        Ok(is_ready.then_some(again))
    }

    /// Sends the write of an attempt once more; none if the record cannot be made ready for it, or the target is too busy.
    pub(super) async fn repeat(
        &self,
        engine: &mut Engine,
        attempt: &Attempt,
        write: Write,
    ) -> Result<Option<Attempt>, TargetError> {
        let Some(mut again) = self.again(engine, attempt).await? else {
            return Ok(None);
        };
        match &attempt.other {
            Some((observer, _)) => {
                // The other record may still be as the first time has left it.
                let minimal = self.minimal_request(observer.id());
                engine.target.send(&minimal).await?;
                again.beside(engine, observer, write).await?;
            }
            None => again.send(engine, write).await?,
        }
        again.look(engine).await?;
        if self.body.ends() && attempt.exchange.is_success() {
            again.leave_alive(engine).await?;
        }
        Ok(again.attempts.pop())
    }

    /// Sends the last attempt again and again if it was refused and had to be granted. A target that gets too busy leaves the
    /// refusal unconfirmed.
    pub(super) async fn refused_again(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let Some(last) = self.attempts.last_mut().filter(|last| last.is_to_be_granted()) else {
            return Ok(());
        };
        let refused = engine.stays_wrong(&last.exchange.request, |exchange| !exchange.is_success());
        self.known = None;
        match refused.await {
            Ok(Some(_)) => last.is_refused_again = true,
            Ok(None) => self.note_written(engine),
            Err(TargetError::Busy { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// What the lists show right after an attempt is sent once more; none if it is not granted again.
    pub(super) async fn look_aside(
        &self,
        engine: &mut Engine,
        attempt: &Attempt,
    ) -> Result<Option<Lists>, TargetError> {
        let Some(mut again) = self.again(engine, attempt).await? else {
            return Ok(None);
        };
        again.send(engine, attempt.write()).await?;
        let lists = shown_lists::look(engine).await?;
        if self.body.ends() {
            again.leave_alive(engine).await?;
        }
        let is_granted = again.attempts.last().is_some_and(Attempt::is_granted);
        Ok(is_granted.then_some(lists))
    }

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
        let mut again = Self::new(self.operation.clone(), self.body.clone(), target);
        let is_before = |past: &&Attempt| !std::ptr::eq(*past, attempt);
        let history = self.attempts.iter().take_while(is_before);
        let granted = history.filter(|past| past.is_granted() && past.target.id == attempt.target.id);
        for past in granted.chain([attempt]) {
            if !again.is_ready(engine).await? {
                return Ok(None);
            }
            let mut write = past.write();
            write.request.path = path(&self.operation, &again.target.id);
            again.send(engine, write).await?;
        }
        let replayed = again.attempts.pop();
        if self.body.ends() {
            again.leave_alive(engine).await?;
        }
        Ok(replayed)
    }
}
