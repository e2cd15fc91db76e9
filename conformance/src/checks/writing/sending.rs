//! How a write is sent: with the record before and after it. How it is sent again is in [`super::replay`].
//!
//! Writes that have to be refused are observed together, some at a time: each is the request before the next one, and one look
//! at the record shows that none of them has changed it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future;
use jiff::Timestamp;
use rollcall_contract::Template;
use rollcall_oracle::corpus::records::unwrapped;
use rollcall_oracle::http::credentials::Credentials;
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::Ruling;
use rollcall_oracle::open_points::timestamp;
use serde_json::Value;

use super::attempt::{ACCEPTED, Attempt, Write, WriteIntent, WriteViolation};
use super::observer::{RecordObserver, RecordSnapshot, differ};
use super::sequence::Sequence;
use super::shown_lists;
use super::views;
use super::write_target::is_deleted;
use crate::cases::writes::path;
use crate::engine::Engine;

/// So many writes that have to be refused are sent before the record is looked at.
const UNOBSERVED: usize = 16;

/// The answer to a request; none if the target is too busy to answer.
pub(super) async fn send_unless_busy(
    engine: &Engine,
    request: &Request,
) -> Result<Option<Exchange>, TargetError> {
    match engine.target.send(request).await {
        Ok(exchange) => Ok(Some(exchange)),
        Err(TargetError::Busy { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Sequence {
    /// A write of a body to the record, with the token.
    pub(super) fn write(&self, intent: WriteIntent, what: impl Into<String>, body: impl ToString) -> Write {
        Write {
            intent,
            what: what.into(),
            request: self.request(&self.target.id, body),
        }
    }

    /// The request that writes a body to a record, with the token.
    fn request(&self, id: &str, body: impl ToString) -> Request {
        Request::patch_text(path(&self.operation, id), body.to_string())
    }

    /// The request that does the least to a record, with the token.
    pub(super) fn minimal_request(&self, id: &str) -> Request {
        self.request(id, self.body.minimal_body())
    }

    /// Sends a write that may be granted.
    pub(super) async fn attempt(&mut self, engine: &mut Engine, mut write: Write) -> Result<(), TargetError> {
        if self.attempts.len() % 2 == 1 {
            write.request = self.after_a_refusal(write.request);
        }
        self.send(engine, write).await?;
        if self.aside.is_none() && self.attempts.last().is_some_and(Attempt::is_granted) {
            self.aside = Some(shown_lists::look(engine).await?);
        }
        Ok(())
    }

    /// A write right after one that is refused, which must not matter to it.
    pub(super) fn after_a_refusal(&self, request: Request) -> Request {
        request.after(self.request("nobody", "{}").showing(Credentials::Nothing))
    }

    /// Sends a write that has to be refused: right after another one.
    pub(super) async fn refuse(&mut self, engine: &mut Engine, mut write: Write) -> Result<(), TargetError> {
        if self.attempts.len() - self.observed >= UNOBSERVED {
            self.look(engine).await?;
        }
        if self.attempts.len() == self.observed {
            write.request = self.after_a_refusal(write.request);
        }
        self.send(engine, write).await
    }

    /// Sends writes that have to be refused to a target that takes long to answer: as many at once as may be. If one is granted, none
    /// of those beside it is held against the record.
    pub(super) async fn refuse_side_by_side(
        &mut self,
        engine: &mut Engine,
        writes: Vec<Write>,
    ) -> Result<(), TargetError> {
        for some in writes.chunks(engine.config.concurrency.max(1)) {
            if self.deadline.is_over() {
                break;
            }
            if self.known.is_none() {
                self.known = self.target.fetch(engine).await?;
            }
            let at = Timestamp::now();
            let this = &*engine;
            let sent = some.iter().map(|write| send_unless_busy(this, &write.request));
            let answers = future::try_join_all(sent).await?;
            let first = self.attempts.len();
            for (write, answer) in some.iter().zip(answers) {
                match answer {
                    Some(exchange) => self.note(engine, write.clone(), (exchange, at)),
                    None => self
                        .unanswered
                        .push(format!("{}, {}", self.operation.path, write.what)),
                }
            }
            if self.attempts[first..]
                .iter()
                .any(|attempt| attempt.exchange.is_success())
            {
                // What is seen now may be what any of them has done.
                self.observed = self.attempts.len();
                self.known = None;
            } else if self.attempts.len() - self.observed >= UNOBSERVED {
                self.look(engine).await?;
            }
        }
        self.look(engine).await
    }

    /// Sends a write and adds it to the attempts, unless the target is too busy to answer.
    pub(super) async fn send(&mut self, engine: &mut Engine, write: Write) -> Result<(), TargetError> {
        if !write.intent.is_to_be_refused() {
            self.look(engine).await?;
        }
        if self.known.is_none() {
            self.known = self.target.fetch(engine).await?;
        }
        let at = Timestamp::now();
        let Some(exchange) = send_unless_busy(engine, &write.request).await? else {
            self.unanswered
                .push(format!("{}, {}", self.operation.path, write.what));
            return Ok(());
        };
        let is_refused = write.intent.may_be_refused() && !exchange.is_success();
        self.note(engine, write, (exchange, at));
        match is_refused {
            true => Ok(()),
            false => self.look(engine).await,
        }
    }

    /// Adds a write with its answer to the attempts.
    fn note(&mut self, engine: &mut Engine, write: Write, (exchange, at): (Exchange, Timestamp)) {
        let before = self.known.clone();
        let seen = before.as_ref().map(|before| &before.record);
        let certain =
            self.body.ends() || seen.is_some_and(|record| is_deleted(engine, &self.operation, record));
        if exchange.is_success() && !matches!(write.intent, WriteIntent::UnknownId(_)) {
            self.note_written(engine);
        }
        self.attempts.push(Attempt {
            target: Arc::clone(&self.target),
            intent: write.intent,
            what: write.what,
            exchange,
            at,
            before,
            after: None,
            certain,
            agreement: Ruling::NotApplicable,
            is_refused_again: false,
            other: None,
        });
    }

    /// Sends a write, and reads another record twice before it and once after it. If the two readings before the write differ, reading
    /// changes the record, and it is not judged. The readings wait for as long as earlier writes took until they were shown.
    pub(super) async fn beside(
        &mut self,
        engine: &mut Engine,
        observer: &RecordObserver,
        write: Write,
    ) -> Result<(), TargetError> {
        tokio::time::sleep(self.lag).await;
        let earlier = observer.projection(engine).await?;
        let before = observer.projection(engine).await?;
        let is_quiet = !differ(earlier.as_ref(), before.as_ref());
        self.send(engine, write).await?;
        let after = observer.projection(engine).await?;
        if let (Some(last), Some(before), Some(after)) = (self.attempts.last_mut(), before, after) {
            let ruling = match before.record == after.record {
                true => Ruling::Holds,
                false if !is_quiet => Ruling::Missing("a record that being read does not change".to_owned()),
                false => WriteViolation::new("another record as it was before the write", "a changed record")
                    .shown_by(&after.exchange)
                    .ruling(),
            };
            last.other = Some((observer.clone(), ruling));
        }
        Ok(())
    }

    /// Looks at the record after writes that were not observed yet; all of them are given what is seen.
    pub(super) async fn look(&mut self, engine: &Engine) -> Result<(), TargetError> {
        let Some(last) = self.attempts[self.observed..].last() else {
            return Ok(());
        };
        let mut lag = Duration::ZERO;
        let after = match last.is_granted() {
            true => {
                let begun = Instant::now();
                let after = self.settled(engine, &last.exchange).await?;
                lag = begun.elapsed();
                after
            }
            false => self.target.fetch(engine).await?,
        };
        let agreement = match (&after, last.is_granted()) {
            (Some(after), true) => {
                let views = self.next_views();
                views::agreement(engine, &self.operation, &self.target, (after, &views)).await?
            }
            _ => Ruling::NotApplicable,
        };
        // What the last one has done tells nothing of those before it.
        let is_changed = last.exchange.is_success();
        let unobserved = match is_changed {
            true => self.attempts.len() - 1,
            false => self.observed,
        };
        for attempt in &mut self.attempts[unobserved..] {
            attempt.after.clone_from(&after);
        }
        if let Some(last) = self.attempts.last_mut() {
            last.agreement = agreement;
        }
        self.lag = self.lag.max(lag);
        self.observed = self.attempts.len();
        self.known = after;
        Ok(())
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
        let answer = unwrapped(exchange, &engine.contract.identifier);
        let ending = self.ending(engine);
        let is_later = exchange.status == ACCEPTED;
        let frame = &engine.contract.frame;
        let shows_life_of = |answer: &Value, record: &Value| {
            let mut places = frame.of_life();
            places.all(|place| place.find(answer) == place.find(record))
        };
        // In a relation, a record is shown in short: with its state and without its timestamps.
        let times = frame.timestamps.as_ref().map(Template::holder);
        let is_short = |record: &Value| times.is_some_and(|times| times.find(record).is_none());
        // Where the answer does not show it, any change shows that the write is stored.
        let is_changed = |record: &Value| self.known.as_ref().is_none_or(|known| known.record != *record);
        let stored = |record: &Value| match (&ending, &answer) {
            (Some(_), Some(answer)) if !is_later && is_short(record) => {
                frame.state_of(record) == frame.state_of(answer)
            }
            (Some(place), Some(answer)) if !is_later && place.find(answer).is_some() => {
                timestamp::of(record, place) == timestamp::of(answer, place)
            }
            (None, Some(answer)) if !is_later => is_changed(record) || shows_life_of(answer, record),
            (None, None) if !is_later => true,
            _ => is_changed(record),
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
            granted => Vec::from_iter(views.get(granted / 2 % views.len().max(1))),
        }
    }
}
