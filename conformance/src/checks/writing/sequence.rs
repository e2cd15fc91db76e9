//! The writes of one operation, in their order: first what has to be refused, then what has to be carried out, and at the
//! end what leaves the record as sound as it was. How a write is sent is in [`super::sending`].
//!
//! Invariant: a sequence writes to one record; to a further one only if the record before it was refused, or was brought
//! back and cannot be deprecated again, or to see that a write to it leaves the first one alone.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::{Operation, Pointer};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::open_points::timestamp;
use serde_json::{Map, Value, json};

use super::attempt::{Attempt, Extension, Open, Write, WriteIntent};
use super::body::{Body, FieldKind, Member};
use super::candidates::Candidates;
use super::near_misses::NO_OBJECT;
use super::observer::RecordSnapshot;
use super::shown_lists::Lists;
use super::write_target::WriteTarget;
use crate::engine::Engine;
use crate::engine::budget::Deadline;

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
    /// How long a write took at most until the record showed it: a target may be read on a replica.
    pub(super) lag: Duration,
    /// When it has to end; what may be left out is left out then.
    pub(super) deadline: Deadline,
}

impl Sequence {
    /// A sequence of which nothing has been sent yet, and that knows of no other record.
    pub(super) fn new(operation: Operation, body: Body, target: Arc<WriteTarget>) -> Self {
        Self {
            operation,
            body,
            target,
            candidates: Candidates::default(),
            attempts: Vec::new(),
            extensions: Vec::new(),
            unanswered: Vec::new(),
            aside: None,
            observed: 0,
            known: None,
            lag: Duration::ZERO,
            deadline: Deadline::NEVER,
        }
    }

    /// Sends the whole sequence.
    pub(super) async fn send_all(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        self.is_ready(engine).await?;
        self.refused(engine).await?;
        match self.body.ends() {
            true => self.ended(engine).await?,
            false => self.brought_back(engine).await?,
        }
        // What was granted must not open what is closed.
        self.closed(engine).await
    }

    /// What makes the record end: the farthest end first, because what has ended may refuse more.
    async fn ended(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let now = Timestamp::now();
        for write in self.carried_out(now) {
            self.attempt(engine, write).await?;
        }
        if !self.deadline.is_over() {
            self.other_record(engine).await?;
        }
        for write in self.converted(now) {
            if !self.deadline.is_over() {
                self.attempt(engine, write).await?;
            }
        }
        let unknown = engine.choice("unknown member").word(8);
        for write in self.left_open(now, &unknown) {
            self.attempt(engine, write).await?;
        }
        if !self.deadline.is_over() && !self.body.members.iter().any(|member| member.required) {
            for text in NO_OBJECT {
                let intent = WriteIntent::Open(Open::NoObject);
                let write = self.write(intent, format!("the body {text}"), text);
                self.send(engine, write).await?;
            }
        }
        self.leave_alive(engine).await
    }

    /// Writes that have to be carried out: days, later timestamps, and null beside a value.
    fn carried_out(&self, now: Timestamp) -> Vec<Write> {
        let mut writes = Vec::new();
        for (name, least, most) in self.body.days() {
            let days = [most, TO_THE_OTHER_SEASON, least + 1].into_iter();
            let days = days.filter(|days| (least..=most).contains(days));
            writes.extend(days.map(|days| self.write_days(name, days)));
        }
        let takes_timestamp = |member: &&Member| member.takes == FieldKind::Timestamp;
        for Member { name, .. } in self.body.members.iter().filter(takes_timestamp) {
            let most = self.body.days().map(|(_, _, most)| most).max();
            for (intent, text) in later_timestamps(now, most.unwrap_or_default()) {
                writes.push(self.write(intent, format!("{name} {text}"), json!({ name: text })));
            }
        }
        let members = &self.body.members;
        for member in members.iter().filter(|member| member.nullable) {
            if let Some(other) = members.iter().find(|other| other.name != member.name) {
                let body = json!({ &member.name: null, &other.name: other.right(now) });
                let what = format!("{} null beside {}", member.name, other.name);
                writes.push(self.write(WriteIntent::Null, what, body));
            }
        }
        writes
    }

    /// Writes whose outcome is open, and the fewest days, which make the record end now.
    fn left_open(&self, now: Timestamp, unknown: &str) -> Vec<Write> {
        let open = |open, body: Value| self.write(WriteIntent::Open(open), body.to_string(), body);
        let members = self.body.members.iter();
        let both = members.map(|member| (member.name.clone(), member.right(now)));
        let mut with_unknown = self.body.minimal_body();
        with_unknown[unknown] = json!(1);
        let mut writes = vec![
            open(Open::Both, Value::Object(both.collect())),
            open(Open::Unknown, with_unknown),
        ];
        let days = self.body.days();
        writes.extend(days.map(|(name, least, _)| self.write_days(name, least)));
        if let Some(member) = self.body.timestamp() {
            let passed = timestamp::iso(timestamp::days_later(now, -40));
            writes.push(open(Open::Past, json!({ &member.name: passed })));
        }
        let nullable = self.body.members.iter().filter(|member| member.nullable);
        let nulls: Map<String, Value> = nullable
            .map(|member| (member.name.clone(), Value::Null))
            .collect();
        if !nulls.is_empty() {
            writes.push(open(Open::Neither, Value::Object(nulls)));
        }
        writes.push(open(Open::Neither, json!({})));
        writes
    }

    /// Writes of values in another type or form, which may be refused or taken for the value that is meant.
    fn converted(&self, now: Timestamp) -> Vec<Write> {
        let members = self.body.members.iter();
        let near = members.flat_map(|member| member.near_misses(now));
        let converted = near.filter(|one| matches!(one.intent, WriteIntent::Converted(..)));
        converted
            .map(|one| self.write(one.intent, one.what, one.body))
            .collect()
    }

    /// A write of so many days.
    fn write_days(&self, name: &str, days: i64) -> Write {
        let (what, body) = (format!("{name} {days}"), json!({ name: days }));
        self.write(WriteIntent::Days(days), what, body)
    }

    /// The first write once more, to another record: it takes effect there and leaves the first record alone.
    async fn other_record(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let first = Arc::clone(&self.target);
        let days = self.body.days().next();
        let (Some(observer), Some((name, _, most))) = (&first.observer, days) else {
            return Ok(());
        };
        let name = name.to_owned();
        if self.take_next_candidate(engine).await? {
            let mut write = self.write_days(&name, most);
            write.what.push_str(" for another record");
            self.beside(engine, observer, write).await?;
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
        for write in self.converted(Timestamp::now()) {
            if self.deadline.is_over() || !self.has_deprecated_target(engine).await? {
                break;
            }
            self.attempt(engine, write).await?;
            // A record that was brought back is no more to be had: one value that is taken tells enough.
            if self.attempts.last().is_some_and(Attempt::is_granted) {
                break;
            }
        }
        // What comes back last comes back whole.
        for value in [true, false, true] {
            if !self.has_deprecated_target(engine).await? {
                break;
            }
            loop {
                let (what, body) = (format!("{name} {value}"), json!({ &name: value }));
                let write = self.write(WriteIntent::BringBack(value), what, body);
                self.attempt(engine, write).await?;
                self.refused_again(engine).await?;
                if !self.is_open_refusal() || !self.take_next_candidate(engine).await? {
                    break;
                }
            }
        }
        let last = self.attempts.last();
        if last.is_some_and(|last| last.exchange.is_success()) {
            let (intent, what) = (WriteIntent::Open(Open::Again), format!("{name} true again"));
            let write = self.write(intent, what, json!({ &name: true }));
            // Right after the same write, which must not matter to it.
            let request = write.request.clone().after(write.request);
            self.send(engine, Write { request, ..write }).await?;
        }
        Ok(())
    }

    /// Makes sure that there is a record to bring back: one that was not brought back before, else the same one, deprecated
    /// again.
    async fn has_deprecated_target(&mut self, engine: &mut Engine) -> Result<bool, TargetError> {
        let brought_back = |attempt: &Attempt| {
            matches!(
                attempt.intent,
                WriteIntent::BringBack(_) | WriteIntent::Converted(..)
            ) && attempt.exchange.is_success()
                && attempt.target.id == self.target.id
        };
        if !self.attempts.iter().any(brought_back) {
            return Ok(true);
        }
        // Another soft-deleted record first: of that it is certain that it can be brought back.
        if self.candidates.next_is_deleted() && self.take_next_candidate(engine).await? {
            return Ok(true);
        }
        if self.end(engine).await? {
            return Ok(true);
        }
        self.take_next_candidate(engine).await
    }

    /// Whether the last attempt was refused for a reason that the specification leaves open (O7): the record was not seen
    /// soft-deleted.
    fn is_open_refusal(&self) -> bool {
        let last = self.attempts.last();
        last.is_some_and(|last| !last.certain && last.exchange.is_refusal())
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
        let timestamps = engine.contract.frame.timestamps.as_ref()?;
        let place = timestamps.at(&self.body.timestamp()?.name);
        engine.contract.member_schema(record, &place)?;
        Some(place)
    }
}

/// The time of day of a timestamp: no full minute, hour or day.
const TIME_OF_DAY: SignedDuration = SignedDuration::from_secs(49_631);

/// So many days after each day of the year the other season is, but for some weeks: summer time lasts seven to eight months.
const TO_THE_OTHER_SEASON: i64 = 219;

/// The last second that a number of 32 bits holds.
const LAST_OF_32_BITS: Timestamp = Timestamp::constant(i32::MAX as i64, 0);

/// Later timestamps as a body spells them: on a leap day beyond 32 bits and on the next one, at a full second each; with a
/// fraction of a second; and with an offset. Each has another value too, so that every write has an effect. What lies more than
/// `most` days ahead may be refused.
fn later_timestamps(now: Timestamp, most: i64) -> [(WriteIntent, String); 4] {
    let at_time_of_day = |day| timestamp::later(timestamp::midnight(day), TIME_OF_DAY);
    let later = timestamp::days_later(now, 90);
    let [far, leap] =
        [LAST_OF_32_BITS.max(later), later].map(|from| at_time_of_day(timestamp::leap_day_after(from)));
    let [fraction, offset] = [50, 60].map(|days| at_time_of_day(timestamp::days_later(now, days)));
    let leap_day = match leap < timestamp::days_later(now, most) {
        true => WriteIntent::Timestamp(leap),
        false => WriteIntent::MayEndAt(leap),
    };
    let local = timestamp::later(offset, SignedDuration::from_hours(2));
    let spelled = |at, zone| timestamp::iso(at).replace('Z', zone);
    [
        (WriteIntent::MayEndAt(far), timestamp::iso(far)),
        (leap_day, timestamp::iso(leap)),
        (WriteIntent::Timestamp(fraction), spelled(fraction, ".123456Z")),
        (WriteIntent::MayEndAt(offset), spelled(local, "+02:00")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_that_of_its_timestamp() {
        for (intent, text) in later_timestamps(Timestamp::now(), 1095) {
            let (WriteIntent::Timestamp(at) | WriteIntent::MayEndAt(at)) = intent else {
                panic!("{intent:?}");
            };
            let read: Timestamp = text.parse().unwrap();
            assert_eq!(read.as_second(), at.as_second(), "{text}");
        }
    }
}
