//! Every write of a run, in one sequence for each operation: first what has to be refused, then what has to be carried
//! out, and at the end what leaves the record as sound as it was.
//!
//! Invariants: nothing is written unless the run may; each sequence writes to one record; nothing is sent twice.

use std::sync::Arc;

use jiff::Timestamp;
use rollcall_contract::{Method, Operation, Pointer};
use serde_json::{Map, Value, json};

use super::answers::{moment_of, unwrapped};
use super::attempt::{Attempt, Extension, Meaning, Open};
use super::body::{Body, Takes};
use super::victims::{Victim, Wish, path, stranger, victim};
use super::writes;
use crate::context::Context;
use crate::moment;
use crate::request::{Credentials, Request};
use crate::target::Trouble;

/// Every write of a run.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// One sequence for each operation that a record was found for.
    pub(crate) sequences: Vec<Sequence>,
    /// What was missing.
    pub(crate) gaps: Vec<String>,
}

/// The writes of one operation to one record.
#[derive(Debug)]
pub(crate) struct Sequence {
    /// The operation.
    pub(crate) operation: Operation,
    /// The body it takes.
    pub(crate) body: Body,
    /// The record.
    pub(crate) victim: Victim,
    /// What was sent and what came back.
    pub(crate) attempts: Vec<Attempt>,
    /// The statuses of writes that only the contract has, by the operation: what made the record end, and what brought it
    /// back.
    pub(crate) extensions: Vec<(Extension, u16)>,
    /// The writes that the target was too busy for.
    pub(crate) unanswered: Vec<String>,
}

/// Writes, unless that was done before.
pub(crate) async fn session(context: &mut Context) -> Result<Arc<Session>, Trouble> {
    if let Some(session) = &context.session {
        return session.clone();
    }
    // Also what broke off is not begun again.
    let session = write(context).await.map(Arc::new);
    context.session = Some(session.clone());
    session
}

async fn write(context: &mut Context) -> Result<Session, Trouble> {
    let mut session = Session::default();
    for operation in writes(context) {
        let Some(victim) = victim(context, &operation, Wish::Writable).await? else {
            session.gaps.push(format!("an id for {}", operation.path));
            continue;
        };
        let sequence = Sequence {
            body: Body::of(&context.contract, &operation),
            operation,
            victim,
            attempts: Vec::new(),
            extensions: Vec::new(),
            unanswered: Vec::new(),
        };
        session.sequences.push(sequence.written(context).await?);
    }
    Ok(session)
}

impl Sequence {
    async fn written(mut self, context: &mut Context) -> Result<Self, Trouble> {
        let mut certain = self.victim.deleted;
        if !self.body.ends() && !certain {
            certain = self.end(context).await?;
        }
        self.refused(context, certain).await?;
        match self.body.ends() {
            true => self.ended(context).await?,
            false => self.brought_back(context, certain).await?,
        }
        Ok(self)
    }

    /// What has to be refused.
    async fn refused(&mut self, context: &mut Context, certain: bool) -> Result<(), Trouble> {
        let mildest = self.body.mildest();
        if let Some(id) = stranger(context, &self.operation) {
            let request = Request::patch(path(&self.operation, &id), mildest.clone(), Credentials::Token);
            self.send(context, Meaning::Stranger, "an unknown id", request, false)
                .await?;
        }
        for member in self.body.members.clone() {
            for (what, value) in member.wrong() {
                let mut body = Map::new();
                body.extend(value.map(|value| (member.name.clone(), value)));
                let meaning = Meaning::Wrong(member.takes);
                self.attempt(context, meaning, &what, Value::Object(body), certain)
                    .await?;
            }
        }
        let mut text = mildest.to_string();
        text.pop();
        let request = Request::patch_text(path(&self.operation, &self.victim.id), text);
        self.send(
            context,
            Meaning::Malformed,
            "a body that breaks off",
            request,
            certain,
        )
        .await
    }

    /// What makes the record end: the farthest end first, because what has ended may refuse more.
    async fn ended(&mut self, context: &mut Context) -> Result<(), Trouble> {
        let now = Timestamp::now();
        let members = self.body.members.clone();
        for member in &members {
            if let Takes::Days { least, most } = member.takes {
                for days in [most, least + 1] {
                    self.days(context, &member.name, days).await?;
                }
            }
        }
        for member in &members {
            if member.takes == Takes::Moment {
                let (whole, ahead) = ahead(now);
                let body = json!({ &member.name: whole });
                let what = format!("{} {whole}", member.name);
                self.attempt(context, Meaning::Moment(ahead), &what, body, true)
                    .await?;
            }
        }
        for member in members.iter().filter(|member| member.nullable) {
            if let Some(other) = members.iter().find(|other| other.name != member.name) {
                let body = json!({ &member.name: null, &other.name: other.right(now) });
                let what = format!("{} null beside {}", member.name, other.name);
                self.attempt(context, Meaning::Null, &what, body, true).await?;
            }
        }
        let both: Map<_, _> = members
            .iter()
            .map(|member| (member.name.clone(), member.right(now)))
            .collect();
        let mut unknown = self.body.mildest();
        unknown[context.choice("unknown member").word(8)] = json!(1);
        let passed = self.body.moment().map(|member| {
            let passed = moment::iso(moment::days_later(now, -40));
            json!({ &member.name: passed })
        });
        self.open(context, Open::Both, Value::Object(both)).await?;
        self.open(context, Open::Unknown, unknown).await?;
        for member in &members {
            if let Takes::Days { least, .. } = member.takes {
                self.days(context, &member.name, least).await?;
            }
        }
        if let Some(passed) = passed {
            self.open(context, Open::Past, passed).await?;
        }
        self.open(context, Open::Neither, json!({})).await?;
        self.leave_alive(context).await
    }

    /// What brings the record back, with every value that its members take.
    async fn brought_back(&mut self, context: &mut Context, mut certain: bool) -> Result<(), Trouble> {
        let Some(member) = self
            .body
            .members
            .iter()
            .find(|member| member.takes == Takes::Flag)
        else {
            return Ok(());
        };
        let name = member.name.clone();
        // What comes back last comes back whole.
        for value in [true, false, true] {
            let came_back =
                |attempt: &Attempt| attempt.exchange.is_success() && attempt.meaning != Meaning::Stranger;
            if self.attempts.iter().any(came_back) {
                certain = self.end(context).await?;
                if !certain {
                    break;
                }
            }
            let what = format!("{name} {value}");
            let body = json!({ &name: value });
            self.attempt(context, Meaning::Back(value), &what, body, certain)
                .await?;
        }
        Ok(())
    }

    async fn days(&mut self, context: &mut Context, name: &str, days: i64) -> Result<(), Trouble> {
        let body = json!({ name: days });
        self.attempt(
            context,
            Meaning::Days(days),
            &format!("{name} {days}"),
            body,
            true,
        )
        .await
    }

    async fn open(&mut self, context: &mut Context, open: Open, body: Value) -> Result<(), Trouble> {
        let what = body.to_string();
        self.attempt(context, Meaning::Open(open), &what, body, true)
            .await
    }

    /// Writes to the record with the token.
    async fn attempt(
        &mut self,
        context: &mut Context,
        meaning: Meaning,
        what: &str,
        body: Value,
        certain: bool,
    ) -> Result<(), Trouble> {
        let request = Request::patch(path(&self.operation, &self.victim.id), body, Credentials::Token);
        self.send(context, meaning, what, request, certain).await
    }

    async fn send(
        &mut self,
        context: &mut Context,
        meaning: Meaning,
        what: &str,
        request: Request,
        certain: bool,
    ) -> Result<(), Trouble> {
        let witness = self.victim.witness.clone();
        let before = match &witness {
            Some(witness) => witness.look(context).await?,
            None => None,
        };
        let at = Timestamp::now();
        let exchange = match context.target.send(&request).await {
            Ok(exchange) => exchange,
            Err(Trouble::Busy { .. }) => {
                self.unanswered.push(format!("{}, {what}", self.operation.path));
                return Ok(());
            }
            Err(trouble) => return Err(trouble),
        };
        if exchange.is_success() && meaning != Meaning::Stranger && !context.written.contains(&self.victim.id)
        {
            context.written.push(self.victim.id.clone());
        }
        let shown = self.ending(context).zip(unwrapped(&exchange));
        let after = match &witness {
            // What was written may take a while to be seen.
            Some(witness) => {
                let stored = |record: &Value| match shown.as_ref().filter(|_| exchange.is_success()) {
                    Some((place, answer)) => moment_of(record, place) == moment_of(answer, place),
                    None => true,
                };
                witness.look_until(context, stored).await?
            }
            None => None,
        };
        self.attempts.push(Attempt {
            meaning,
            what: what.to_owned(),
            exchange,
            at,
            before,
            after,
            certain,
        });
        Ok(())
    }

    /// Where the record shows when it ends.
    pub(crate) fn ending(&self, context: &Context) -> Option<Pointer> {
        let record = self.operation.answer.schema.as_deref()?;
        let place = Pointer::of(["timestamp", self.body.moment()?.name.as_str()]);
        context.contract.member_schema(record, &place)?;
        Some(place)
    }

    /// Makes the record end by a write that only the contract has, so that it can be brought back; whether it did.
    async fn end(&mut self, context: &mut Context) -> Result<bool, Trouble> {
        let Some(operation) = self.extension(context, |body| body.ends()) else {
            return Ok(false);
        };
        let days = Body::of(&context.contract, &operation).members.into_iter();
        let least = days.filter_map(|member| match member.takes {
            Takes::Days { least, .. } => Some((member.name, json!(least))),
            Takes::Moment | Takes::Flag => None,
        });
        let body = Value::Object(least.collect());
        let request = Request::patch(path(&operation, &self.victim.id), body, Credentials::Token);
        self.extend(context, Extension::End, &request).await
    }

    /// Takes the end away by a write that only the contract has; where there is none, puts it far ahead.
    async fn leave_alive(&mut self, context: &mut Context) -> Result<(), Trouble> {
        if let Some(operation) = self.extension(context, |body| body.members.is_empty()) {
            let mut request = Request::patch_text(path(&operation, &self.victim.id), "");
            request.body = None;
            if self.extend(context, Extension::Activate, &request).await? {
                return Ok(());
            }
        }
        let (own, body) = (path(&self.operation, &self.victim.id), self.body.mildest());
        let last = Request::patch(own, body, Credentials::Token);
        match context.target.send(&last).await {
            Ok(_) | Err(Trouble::Busy { .. }) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }

    async fn extend(
        &mut self,
        context: &mut Context,
        extension: Extension,
        request: &Request,
    ) -> Result<bool, Trouble> {
        let exchange = match context.target.send(request).await {
            Ok(exchange) => exchange,
            Err(Trouble::Busy { .. }) => return Ok(false),
            Err(trouble) => return Err(trouble),
        };
        if !self.extensions.iter().any(|(one, _)| *one == extension) {
            self.extensions.push((extension, exchange.status));
        }
        if exchange.is_success() && !context.written.contains(&self.victim.id) {
            context.written.push(self.victim.id.clone());
        }
        Ok(exchange.is_success())
    }

    /// The write to the same kind of record that only the contract has and whose body is as wanted.
    fn extension(&self, context: &Context, wanted: impl Fn(&Body) -> bool) -> Option<Operation> {
        let mut operations = context.contract.operations.iter();
        let found = operations.find(|operation| {
            operation.method == Method::Patch
                && operation.origin.extension
                && operation.answer.schema == self.operation.answer.schema
                && wanted(&Body::of(&context.contract, operation))
        });
        found.cloned()
    }
}

/// A moment ahead at a full second that is no full minute, hour or day, with its spelling.
fn ahead(now: Timestamp) -> (String, Timestamp) {
    let midnight = moment::midnight(moment::days_later(now, 40));
    let ahead = midnight
        .checked_add(jiff::SignedDuration::from_secs(49_631))
        .unwrap_or(midnight);
    (moment::iso(ahead), ahead)
}
