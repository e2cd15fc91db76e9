//! The writes that only the contract has, as far as the others need them: one makes a record end so that it can be brought
//! back, one takes the end away.

use rollcall_contract::{Method, Operation};
use serde_json::{Value, json};

use super::attempt::Extension;
use super::body::{Body, FieldKind};
use super::sequence::Sequence;
use super::write_target::{is_deprecated, path};
use crate::engine::Engine;
use crate::http::request::{Credentials, Request};
use crate::http::target::TargetError;

impl Sequence {
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
            FieldKind::Timestamp | FieldKind::Flag => None,
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
        self.known = None;
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
        self.known = None;
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
