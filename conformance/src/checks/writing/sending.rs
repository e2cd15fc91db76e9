//! How a write is sent: with the record before and after it, once, and again to confirm what looks wrong about its answer.
//!
//! Writes that have to be refused are observed together, some at a time: each is the request before the next one, and one look
//! at the record shows that none of them has changed it.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::answers::{timestamp_of, unwrapped};
use super::attempt::{Attempt, Open, Other, WriteIntent};
use super::bystanders::{self, Lists};
use super::candidates::Candidates;
use super::observer::{RecordObserver, RecordSnapshot};
use super::sequence::Sequence;
use super::views;
use super::write_target::{is_deprecated, path};
use crate::engine::Engine;
use crate::http::exchange::Exchange;
use crate::http::request::{Credentials, Request};
use crate::http::target::TargetError;

/// So many writes that have to be refused are sent before the record is looked at.
const UNOBSERVED: usize = 16;

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
        self.send(engine, intent, what, request).await?;
        if self.aside.is_none() && self.attempts.last().is_some_and(Attempt::is_granted) {
            self.aside = Some(bystanders::look(engine).await?);
        }
        Ok(())
    }

    /// A write right after one that is refused, which must not matter to it.
    pub(super) fn after_a_refusal(&self, request: Request) -> Request {
        let refused = Request::patch(path(&self.operation, "nobody"), json!({}), Credentials::Nothing);
        request.after(refused)
    }

    /// Sends a write that has to be refused: right after another one.
    pub(super) async fn refuse(
        &mut self,
        engine: &mut Engine,
        intent: WriteIntent,
        what: &str,
        request: Request,
    ) -> Result<(), TargetError> {
        if self.attempts.len() - self.observed >= UNOBSERVED {
            self.look(engine).await?;
        }
        let request = match self.attempts.len() == self.observed {
            true => self.after_a_refusal(request),
            false => request,
        };
        self.send(engine, intent, what, request).await
    }

    /// Sends a write and adds it to the attempts, unless the target is too busy to answer.
    pub(super) async fn send(
        &mut self,
        engine: &mut Engine,
        intent: WriteIntent,
        what: &str,
        request: Request,
    ) -> Result<(), TargetError> {
        if !intent.is_to_be_refused() {
            self.look(engine).await?;
        }
        let before = match &self.known {
            Some(known) => Some(known.clone()),
            None => self.seen(engine).await?,
        };
        self.known.clone_from(&before);
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
        let is_refused = intent.is_to_be_refused() && !exchange.is_success();
        if exchange.is_success() && intent != WriteIntent::UnknownId {
            self.note_written(engine);
        }
        self.attempts.push(Attempt {
            target: Arc::clone(&self.target),
            intent,
            what: what.to_owned(),
            exchange,
            at,
            before,
            after: None,
            certain,
            agreement: None,
            other: None,
        });
        match is_refused {
            true => Ok(()),
            false => self.look(engine).await,
        }
    }

    /// Looks at the record after writes that were not observed yet; all of them are given what is seen.
    pub(super) async fn look(&mut self, engine: &Engine) -> Result<(), TargetError> {
        let Some(last) = self.attempts[self.observed..].last() else {
            return Ok(());
        };
        let after = match last.is_granted() {
            true => self.settled(engine, &last.exchange).await?,
            false => self.seen(engine).await?,
        };
        let agreement = match (&after, last.is_granted()) {
            (Some(after), true) => {
                let views = self.next_views();
                views::agreement(engine, &self.operation, &self.target, (after, &views)).await?
            }
            _ => None,
        };
        for attempt in &mut self.attempts[self.observed..] {
            attempt.after.clone_from(&after);
        }
        if let Some(last) = self.attempts.last_mut() {
            last.agreement = agreement;
        }
        self.observed = self.attempts.len();
        self.known = after;
        Ok(())
    }

    /// The record as it is.
    pub(super) async fn seen(&self, engine: &Engine) -> Result<Option<RecordSnapshot>, TargetError> {
        match &self.target.observer {
            Some(observer) => observer.projection(engine).await,
            None => Ok(None),
        }
    }

    /// The record after a granted write. A target may show the new values late.
    async fn settled(
        &self,
        engine: &Engine,
        exchange: &Exchange,
    ) -> Result<Option<RecordSnapshot>, TargetError> {
        let Some(observer) = &self.target.observer else {
            return Ok(None);
        };
        let shown = self
            .ending(engine)
            .zip(unwrapped(exchange, &engine.contract.identifier));
        let stored = |record: &Value| {
            let mut shown = shown.iter();
            shown.all(|(place, answer)| timestamp_of(record, place) == timestamp_of(answer, place))
        };
        observer.observe_until(engine, stored).await
    }

    /// The places to look at after a write that was granted: all of them the first time, then at every second write one after
    /// the other.
    fn next_views(&self) -> Vec<&RecordObserver> {
        let own = |attempt: &&Attempt| attempt.is_granted() && attempt.target.id == self.target.id;
        let views = &self.target.views;
        match self.attempts.iter().filter(own).count() {
            0 | 1 => views.iter().collect(),
            granted if granted % 2 == 0 => Vec::new(),
            granted => {
                let next = views.iter().cycle().skip(granted / 2 % views.len().max(1));
                next.take(1).collect()
            }
        }
    }

    /// Sends an attempt once more; none if the record cannot be made ready for it, or the target is too busy.
    pub(super) async fn repeat(
        &self,
        engine: &mut Engine,
        attempt: &Attempt,
    ) -> Result<Option<Attempt>, TargetError> {
        let mut again = self.fresh(attempt);
        if attempt.certain && !again.is_ready(engine).await? {
            return Ok(None);
        }
        let request = attempt.exchange.request.clone();
        match &attempt.other {
            Some(other) => {
                // The other record may still be as the first time has left it.
                let own = path(&self.operation, other.observer.id());
                let body = self.body.minimal_body();
                engine
                    .target
                    .send(&Request::patch(own, body, Credentials::Token))
                    .await?;
                again
                    .beside(engine, &other.observer, attempt.intent, (&attempt.what, request))
                    .await?;
            }
            None if attempt.intent.is_to_be_refused() => {
                again
                    .refuse(engine, attempt.intent, &attempt.what, request)
                    .await?;
            }
            None => again.send(engine, attempt.intent, &attempt.what, request).await?,
        }
        again.look(engine).await?;
        if self.body.ends() && attempt.exchange.is_success() {
            again.leave_alive(engine).await?;
        }
        Ok(again.attempts.pop())
    }

    /// What the lists show right after an attempt is sent once more; none if it is not granted again.
    pub(super) async fn look_aside(
        &self,
        engine: &mut Engine,
        attempt: &Attempt,
    ) -> Result<Option<Lists>, TargetError> {
        let mut again = self.fresh(attempt);
        if attempt.certain && !again.is_ready(engine).await? {
            return Ok(None);
        }
        let request = attempt.exchange.request.clone();
        again.send(engine, attempt.intent, &attempt.what, request).await?;
        let lists = bystanders::look(engine).await?;
        if self.body.ends() {
            again.leave_alive(engine).await?;
        }
        Ok(again
            .attempts
            .last()
            .is_some_and(Attempt::is_granted)
            .then_some(lists))
    }

    /// A sequence of writes to the record of an attempt, of which nothing was sent yet.
    fn fresh(&self, attempt: &Attempt) -> Self {
        Self::new(
            self.operation.clone(),
            self.body.clone(),
            Arc::clone(&attempt.target),
            Candidates::default(),
        )
    }

    /// Sends a write with a look at another record before and after it.
    pub(super) async fn beside(
        &mut self,
        engine: &mut Engine,
        observer: &RecordObserver,
        intent: WriteIntent,
        (what, request): (&str, Request),
    ) -> Result<(), TargetError> {
        let before = observer.projection(engine).await?;
        self.send(engine, intent, what, request).await?;
        let after = observer.projection(engine).await?;
        if let (Some(last), Some(before), Some(after)) = (self.attempts.last_mut(), before, after) {
            last.other = Some(Other {
                observer: observer.clone(),
                before,
                after,
            });
        }
        Ok(())
    }

    /// Whether the record is one that the write may be granted for: what is brought back has to be deprecated, or made so.
    pub(super) async fn is_ready(&mut self, engine: &mut Engine) -> Result<bool, TargetError> {
        Ok(self.body.ends() || self.is_seen_deprecated(engine).await? || self.end(engine).await?)
    }
}
