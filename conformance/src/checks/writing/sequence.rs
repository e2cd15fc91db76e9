//! The writes of one operation, in their order: first what has to be refused, then what has to be carried out, and at the
//! end what leaves the record as sound as it was. How a write is sent is in [`super::sending`].
//!
//! Invariant: a sequence writes to one record; to a further one only if the record before it was refused, or was brought
//! back and cannot be deprecated again, or to see that a write to it leaves the first one alone.

use std::sync::Arc;

use jiff::Timestamp;
use rollcall_contract::{Operation, Pointer};
use serde_json::{Map, Value, json};

use super::attempt::{Attempt, Extension, Open, WriteIntent};
use super::body::{Body, FieldKind};
use super::bystanders::Lists;
use super::candidates::Candidates;
use super::near_misses::NO_OBJECT;
use super::observer::RecordSnapshot;
use super::spellings::spellings;
use super::write_target::{WriteTarget, path};
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
    /// What the lists showed after the first write that was granted.
    pub(crate) aside: Option<Lists>,
    /// How many of the attempts the record was looked at after.
    pub(super) observed: usize,
    /// The record as it was seen last; none if it was written to since.
    pub(super) known: Option<RecordSnapshot>,
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
            aside: None,
            observed: 0,
            known: None,
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
        self.closed(engine).await?;
        Ok(self)
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
            if member.takes == FieldKind::Timestamp {
                for spelling in spellings(now) {
                    let body = json!({ &member.name: spelling.text });
                    let what = format!("{} {}", member.name, spelling.text);
                    self.attempt(engine, spelling.intent, &what, body).await?;
                }
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
        let passed = self.body.timestamp().map(|member| {
            let passed = timestamp::iso(timestamp::days_later(now, -40));
            json!({ &member.name: passed })
        });
        self.other_record(engine).await?;
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
        if !members.iter().any(|member| member.required) {
            for text in NO_OBJECT {
                let request = Request::patch_text(path(&self.operation, &self.target.id), text);
                let intent = WriteIntent::Open(Open::NoObject);
                self.send(engine, intent, &format!("the body {text}"), request)
                    .await?;
            }
        }
        self.leave_alive(engine).await
    }

    /// The first write once more, to another record: it takes effect there and leaves the first record alone.
    async fn other_record(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let first = Arc::clone(&self.target);
        let mut days = self.body.members.iter().filter_map(|member| match member.takes {
            FieldKind::Days { most, .. } => Some((member.name.clone(), most)),
            FieldKind::Timestamp | FieldKind::Flag => None,
        });
        let (Some(observer), Some((name, days))) = (first.observer.clone(), days.next()) else {
            return Ok(());
        };
        if self.take_next_candidate(engine).await? {
            let request = Request::patch(
                path(&self.operation, &self.target.id),
                json!({ &name: days }),
                Credentials::Token,
            );
            let what = format!("{name} {days} for another record");
            self.beside(engine, &observer, WriteIntent::Days(days), (&what, request))
                .await?;
            self.leave_alive(engine).await?;
        }
        self.target = first;
        self.known = None;
        Ok(())
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
        if self
            .attempts
            .last()
            .is_some_and(|last| last.exchange.is_success())
        {
            let body = json!({ &name: true });
            self.attempt(
                engine,
                WriteIntent::Open(Open::Again),
                &format!("{name} true again"),
                body,
            )
            .await?;
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
        self.look(engine).await?;
        let next = self.candidates.next(engine, &self.operation).await?;
        let is_taken = next.is_some();
        self.target = next.unwrap_or_else(|| Arc::clone(&self.target));
        self.known = None;
        Ok(is_taken)
    }

    /// Where the record shows when it ends.
    pub(crate) fn ending(&self, engine: &Engine) -> Option<Pointer> {
        let record = self.operation.answer.schema.as_deref()?;
        let place = Pointer::of(["timestamp", self.body.timestamp()?.name.as_str()]);
        engine.contract.member_schema(record, &place)?;
        Some(place)
    }
}
