//! How a write is sent: with the record before and after it, once, and again to confirm what looks wrong about its answer.

use jiff::Timestamp;
use rollcall_contract::{Method, Operation};
use serde_json::{Value, json};

use super::answers::{moment_of, unwrapped};
use super::attempt::{Attempt, Extension, Open, WriteIntent};
use super::body::{Body, FieldKind};
use super::candidates::Candidates;
use super::observer::RecordSnapshot;
use super::sequence::Sequence;
use super::write_target::{is_deprecated, path};
use crate::engine::Engine;
use crate::http::request::{Credentials, Request};
use crate::http::target::TargetError;

impl Sequence {
    /// Writes to the record so many days.
    pub(super) async fn days(
        &mut self,
        engine: &mut Engine,
        name: &str,
        days: i64,
    ) -> Result<(), TargetError> {
        let what = format!("{name} {days}");
        self.attempt(engine, WriteIntent::Days(days), &what, json!({ name: days }))
            .await
    }

    /// Writes to the record what the specification leaves open.
    pub(super) async fn open(
        &mut self,
        engine: &mut Engine,
        open: Open,
        body: Value,
    ) -> Result<(), TargetError> {
        let what = body.to_string();
        self.attempt(engine, WriteIntent::Open(open), &what, body).await
    }

    /// Writes to the record with the token.
    pub(super) async fn attempt(
        &mut self,
        engine: &mut Engine,
        intent: WriteIntent,
        what: &str,
        body: Value,
    ) -> Result<(), TargetError> {
        let mut request = Request::patch(path(&self.operation, &self.target.id), body, Credentials::Token);
        if self.attempts.len() % 2 == 1 {
            request = self.after_a_refusal(request);
        }
        self.send(engine, intent, what, request).await
    }

    /// A write right after one that is refused, which must not matter to it.
    pub(super) fn after_a_refusal(&self, request: Request) -> Request {
        let refused = Request::patch(path(&self.operation, "nobody"), json!({}), Credentials::Nothing);
        request.after(refused)
    }

    /// Sends a write and adds it to the attempts, unless the target is too busy to answer.
    pub(super) async fn send(
        &mut self,
        engine: &mut Engine,
        intent: WriteIntent,
        what: &str,
        request: Request,
    ) -> Result<(), TargetError> {
        let observer = self.target.observer.clone();
        let before = match (&observer, self.seen_last()) {
            // What was refused has left the record as it was seen then; if not, this sight shows it as well.
            (Some(_), Some(seen)) if intent.is_to_be_refused() => Some(seen.clone()),
            (Some(observer), _) => observer.projection(engine).await?,
            (None, _) => None,
        };
        let seen = before.as_ref().map(|before| &before.record);
        let certain =
            self.body.ends() || seen.is_some_and(|record| is_deprecated(engine, &self.operation, record));
        let at = Timestamp::now();
        let exchange = match engine.target.send(&request).await {
            Ok(exchange) => exchange,
            Err(TargetError::Busy { .. }) => {
                self.unanswered.push(format!("{}, {what}", self.operation.path));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if exchange.is_success() && intent != WriteIntent::UnknownId {
            self.note_written(engine);
        }
        let shown = self
            .ending(engine)
            .zip(unwrapped(&exchange, &engine.contract.identifier));
        let after = match &observer {
            // What was written may take a while to be seen.
            Some(observer) => {
                let stored = |record: &Value| match shown.as_ref().filter(|_| exchange.is_success()) {
                    Some((place, answer)) => moment_of(record, place) == moment_of(answer, place),
                    None => true,
                };
                observer.observe_until(engine, stored).await?
            }
            None => None,
        };
        self.attempts.push(Attempt {
            target: self.target.clone(),
            intent,
            what: what.to_owned(),
            exchange,
            at,
            before,
            after,
            certain,
        });
        Ok(())
    }

    /// What was seen of the record after the last attempt, which was refused.
    fn seen_last(&self) -> Option<&RecordSnapshot> {
        let last = self.attempts.last().filter(|last| last.exchange.is_refusal())?;
        let is_same = last.target.id == self.target.id;
        last.after.as_ref().filter(|_| is_same)
    }

    /// Sends an attempt once more; none if the record cannot be made ready for it, or the target is too busy.
    pub(super) async fn repeat(
        &self,
        engine: &mut Engine,
        attempt: &Attempt,
    ) -> Result<Option<Attempt>, TargetError> {
        let mut again = Self::new(
            self.operation.clone(),
            self.body.clone(),
            attempt.target.clone(),
            Candidates::default(),
        );
        // A record that was deprecated then has to be so again.
        let is_ready = self.body.ends() || !attempt.certain || again.is_seen_deprecated(engine).await?;
        if !is_ready && !again.end(engine).await? {
            return Ok(None);
        }
        let request = attempt.exchange.request.clone();
        again.send(engine, attempt.intent, &attempt.what, request).await?;
        if self.body.ends() && attempt.exchange.is_success() {
            again.leave_alive(engine).await?;
        }
        Ok(again.attempts.pop())
    }

    /// Whether the record shows now that it is soft-deleted or expired.
    pub(super) async fn is_seen_deprecated(&self, engine: &Engine) -> Result<bool, TargetError> {
        let Some(observer) = &self.target.observer else {
            return Ok(false);
        };
        let snapshot = observer.projection(engine).await?;
        Ok(snapshot.is_some_and(|snapshot| is_deprecated(engine, &self.operation, &snapshot.record)))
    }

    /// Makes the record end by a write that only the contract has, so that it can be brought back; whether that was granted.
    pub(super) async fn end(&mut self, engine: &mut Engine) -> Result<bool, TargetError> {
        let Some(operation) = self.extension(engine, |body| body.ends()) else {
            return Ok(false);
        };
        let days = Body::of(&engine.contract, &operation).members.into_iter();
        let least = days.filter_map(|member| match member.takes {
            FieldKind::Days { least, .. } => Some((member.name, json!(least))),
            FieldKind::Moment | FieldKind::Flag => None,
        });
        let body = Value::Object(least.collect());
        let request = Request::patch(path(&operation, &self.target.id), body, Credentials::Token);
        self.extend(engine, Extension::End, &request).await
    }

    /// Takes the end away by a write that only the contract has; where there is none, puts it far ahead.
    pub(super) async fn leave_alive(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        if let Some(operation) = self.extension(engine, |body| body.members.is_empty()) {
            let mut request = Request::patch_text(path(&operation, &self.target.id), "");
            request.body = None;
            if self.extend(engine, Extension::Activate, &request).await? {
                return Ok(());
            }
        }
        let (own, body) = (path(&self.operation, &self.target.id), self.body.minimal_body());
        let last = Request::patch(own, body, Credentials::Token);
        match engine.target.send(&last).await {
            Ok(_) | Err(TargetError::Busy { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn extend(
        &mut self,
        engine: &mut Engine,
        extension: Extension,
        request: &Request,
    ) -> Result<bool, TargetError> {
        let exchange = match engine.target.send(request).await {
            Ok(exchange) => exchange,
            Err(TargetError::Busy { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        if !self.extensions.iter().any(|(one, _)| *one == extension) {
            self.extensions.push((extension, exchange.status));
        }
        if exchange.is_success() {
            self.note_written(engine);
        }
        Ok(exchange.is_success())
    }

    /// The report names the record from now on.
    fn note_written(&self, engine: &mut Engine) {
        if !engine.written.contains(&self.target.id) {
            engine.written.push(self.target.id.clone());
        }
    }

    /// The write to the same kind of record that only the contract has and whose body is as wanted.
    fn extension(&self, engine: &Engine, wanted: impl Fn(&Body) -> bool) -> Option<Operation> {
        let mut operations = engine.contract.operations.iter();
        let found = operations.find(|operation| {
            operation.method == Method::Patch
                && operation.origin.extension
                && operation.answer.schema == self.operation.answer.schema
                && wanted(&Body::of(&engine.contract, operation))
        });
        found.cloned()
    }
}
