//! The writes that only the contract has, as far as the others need them: one makes a record end so that it can be brought
//! back, one takes the end away.

use rollcall_contract::{Method, Operation};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use serde_json::{Value, json};

use super::attempt::Extension;
use super::body::Body;
use super::sending::send_unless_busy;
use super::sequence::Sequence;
use super::write_target::is_deprecated;
use crate::cases::writes::path;
use crate::engine::Engine;

impl Sequence {
    /// Whether the record is one that the write may be granted for: what is brought back has to be deprecated,
    /// or made so.
    pub(super) async fn is_ready(&mut self, engine: &mut Engine) -> Result<bool, TargetError> {
        Ok(self.body.ends() || self.is_seen_deprecated(engine).await? || self.end(engine).await?)
    }

    /// Whether the record shows now that it is soft-deleted or expired.
    async fn is_seen_deprecated(&self, engine: &Engine) -> Result<bool, TargetError> {
        let seen = self.target.fetch(engine).await?;
        Ok(seen.is_some_and(|seen| is_deprecated(engine, &self.operation, &seen.record)))
    }

    /// Makes the record end by a write that only the contract has, so that it can be brought back; whether that was granted.
    pub(super) async fn end(&mut self, engine: &mut Engine) -> Result<bool, TargetError> {
        let Some(operation) = self.extension(engine, Body::ends) else {
            return Ok(false);
        };
        let body = Body::of(&engine.contract, &operation);
        let days = body.days();
        let least = days.map(|(name, least, _)| (name.to_owned(), json!(least)));
        let least = Value::Object(least.collect()).to_string();
        let request = Request::patch_text(path(&operation, &self.target.id), least);
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
        self.known = None;
        send_unless_busy(engine, &self.minimal_request(&self.target.id)).await?;
        Ok(())
    }

    /// Sends a write that only the contract has; whether it was granted.
    async fn extend(
        &mut self,
        engine: &mut Engine,
        extension: Extension,
        request: &Request,
    ) -> Result<bool, TargetError> {
        self.known = None;
        let Some(exchange) = send_unless_busy(engine, request).await? else {
            return Ok(false);
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
    pub(super) fn note_written(&self, engine: &mut Engine) {
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
