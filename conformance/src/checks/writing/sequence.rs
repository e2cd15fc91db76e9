//! The writes of one operation, in their order: first what has to be refused, then what has to be carried out, and at the
//! end what leaves the record as sound as it was. How a write is sent is in [`super::sending`].
//!
//! Invariant: a sequence writes to one record; to a further one only if the record before it was refused, or was brought
//! back and cannot be deprecated again.

use std::sync::Arc;

use jiff::Timestamp;
use rollcall_contract::{Operation, Pointer};
use serde_json::{Map, Value, json};

use super::attempt::{Attempt, Extension, Open, WriteIntent};
use super::body::{Body, FieldKind};
use super::candidates::Candidates;
use super::write_target::{WriteTarget, path, unknown_ids};
use crate::corpus::timestamp;
use crate::engine::Engine;
use crate::http::request::{Credentials, Request};
use crate::http::target::TargetError;

/// The writes of one operation.
#[derive(Debug)]
pub(crate) struct Sequence {
    /// The operation.
    pub(crate) operation: Operation,
    /// The body it takes.
    pub(crate) body: Body,
    /// The record that is written to.
    pub(crate) target: Arc<WriteTarget>,
    /// The records that may take its place.
    pub(super) candidates: Candidates,
    /// What was sent and what came back.
    pub(crate) attempts: Vec<Attempt>,
    /// The statuses of writes that only the contract has, by the operation: what made the record end, and what brought it
    /// back.
    pub(crate) extensions: Vec<(Extension, u16)>,
    /// The writes that the target was too busy for.
    pub(crate) unanswered: Vec<String>,
}

impl Sequence {
    /// A sequence of which nothing has been sent yet.
    pub(super) fn new(
        operation: Operation,
        body: Body,
        target: Arc<WriteTarget>,
        candidates: Candidates,
    ) -> Self {
        Self {
            operation,
            body,
            target,
            candidates,
            attempts: Vec::new(),
            extensions: Vec::new(),
            unanswered: Vec::new(),
        }
    }

    /// Sends the whole sequence.
    pub(super) async fn written(mut self, engine: &mut Engine) -> Result<Self, TargetError> {
        if !self.body.ends() && !self.is_seen_deprecated(engine).await? {
            self.end(engine).await?;
        }
        self.refused(engine).await?;
        match self.body.ends() {
            true => self.ended(engine).await?,
            false => self.brought_back(engine).await?,
        }
        // What was granted must not open what is closed.
        self.unknown(engine).await?;
        Ok(self)
    }

    /// What has to be refused.
    async fn refused(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        self.unknown(engine).await?;
        for member in self.body.members.clone() {
            for (what, body) in member.wrong() {
                let request = Request::patch_text(path(&self.operation, &self.target.id), body);
                let request = self.after_a_refusal(request);
                self.send(engine, WriteIntent::Wrong(member.takes), &what, request)
                    .await?;
            }
        }
        let mut text = self.body.minimal_body().to_string();
        text.pop();
        let mut broken = vec![("a body that breaks off", text)];
        if self.body.members.iter().any(|member| member.required) {
            broken.push(("an empty body", String::new()));
        }
        for (what, text) in broken {
            let request = Request::patch_text(path(&self.operation, &self.target.id), text);
            let request = self.after_a_refusal(request);
            self.send(engine, WriteIntent::Malformed, what, request).await?;
        }
        Ok(())
    }

    /// Writes to records that there are not.
    async fn unknown(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let body = self.body.minimal_body();
        for (what, id) in unknown_ids(engine, &self.operation, &self.target.id) {
            let request = Request::patch(path(&self.operation, &id), body.clone(), Credentials::Token);
            let request = self.after_a_refusal(request);
            self.send(engine, WriteIntent::UnknownId, what, request).await?;
        }
        Ok(())
    }

    /// What makes the record end: the farthest end first, because what has ended may refuse more.
    async fn ended(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let now = Timestamp::now();
        let members = self.body.members.clone();
        for member in &members {
            if let FieldKind::Days { least, most } = member.takes {
                for days in [most, least + 1] {
                    self.days(engine, &member.name, days).await?;
                }
            }
        }
        for member in &members {
            if member.takes == FieldKind::Moment {
                let (whole, ahead) = ahead(now);
                let body = json!({ &member.name: whole });
                let what = format!("{} {whole}", member.name);
                self.attempt(engine, WriteIntent::Moment(ahead), &what, body)
                    .await?;
            }
        }
        for member in members.iter().filter(|member| member.nullable) {
            if let Some(other) = members.iter().find(|other| other.name != member.name) {
                let body = json!({ &member.name: null, &other.name: other.right(now) });
                let what = format!("{} null beside {}", member.name, other.name);
                self.attempt(engine, WriteIntent::Null, &what, body).await?;
            }
        }
        let both: Map<_, _> = members
            .iter()
            .map(|member| (member.name.clone(), member.right(now)))
            .collect();
        let mut unknown = self.body.minimal_body();
        unknown[engine.choice("unknown member").word(8)] = json!(1);
        let passed = self.body.moment().map(|member| {
            let passed = timestamp::iso(timestamp::days_later(now, -40));
            json!({ &member.name: passed })
        });
        self.open(engine, Open::Both, Value::Object(both)).await?;
        self.open(engine, Open::Unknown, unknown).await?;
        for member in &members {
            if let FieldKind::Days { least, .. } = member.takes {
                self.days(engine, &member.name, least).await?;
            }
        }
        if let Some(passed) = passed {
            self.open(engine, Open::Past, passed).await?;
        }
        self.open(engine, Open::Neither, json!({})).await?;
        self.leave_alive(engine).await
    }

    /// What brings a record back, with every value that its member takes.
    async fn brought_back(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let mut members = self.body.members.iter();
        let Some(member) = members.find(|member| member.takes == FieldKind::Flag) else {
            return Ok(());
        };
        let name = member.name.clone();
        // What comes back last comes back whole.
        for value in [true, false, true] {
            if !self.has_deprecated_target(engine).await? {
                break;
            }
            let what = format!("{name} {value}");
            loop {
                let body = json!({ &name: value });
                self.attempt(engine, WriteIntent::BringBack(value), &what, body)
                    .await?;
                if !self.is_open_refusal() || !self.take_next_candidate(engine).await? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Makes sure that there is a record to bring back: one that was not brought back before, else the same one, deprecated
    /// again.
    async fn has_deprecated_target(&mut self, engine: &mut Engine) -> Result<bool, TargetError> {
        let brought_back = |attempt: &Attempt| {
            matches!(attempt.intent, WriteIntent::BringBack(_))
                && attempt.exchange.is_success()
                && attempt.target.id == self.target.id
        };
        if !self.attempts.iter().any(brought_back) || self.end(engine).await? {
            return Ok(true);
        }
        self.take_next_candidate(engine).await
    }

    /// Whether the last attempt was refused for a reason that the specification leaves open (O7): the record was not seen
    /// soft-deleted or expired.
    fn is_open_refusal(&self) -> bool {
        let last = self.attempts.last();
        last.is_some_and(|last| !last.certain && matches!(last.exchange.status, 404 | 409 | 422))
    }

    async fn take_next_candidate(&mut self, engine: &mut Engine) -> Result<bool, TargetError> {
        let next = self.candidates.next(engine, &self.operation).await?;
        let is_taken = next.is_some();
        self.target = next.unwrap_or_else(|| Arc::clone(&self.target));
        Ok(is_taken)
    }

    /// Where the record shows when it ends.
    pub(crate) fn ending(&self, engine: &Engine) -> Option<Pointer> {
        let record = self.operation.answer.schema.as_deref()?;
        let place = Pointer::of(["timestamp", self.body.moment()?.name.as_str()]);
        engine.contract.member_schema(record, &place)?;
        Some(place)
    }
}

/// A moment ahead at a full second that is no full minute, hour or day, with its spelling.
fn ahead(now: Timestamp) -> (String, Timestamp) {
    let midnight = timestamp::midnight(timestamp::days_later(now, 40));
    let ahead = midnight
        .checked_add(jiff::SignedDuration::from_secs(49_631))
        .unwrap_or(midnight);
    (timestamp::iso(ahead), ahead)
}
