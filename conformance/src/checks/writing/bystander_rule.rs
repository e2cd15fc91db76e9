//! Which members of a record of a list may follow from a write, and which may not.
//!
//! Counts, free-form members and the time of the last update may follow from any write. The state and the times of a record
//! are changed by a write to it, and by the time that passes.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::{Contract, Frame, Pointer, StateTime, Tense};
use rollcall_oracle::corpus::members::{Kind, Members};
use rollcall_oracle::open_points::timestamp;
use serde_json::Value;

use super::sequence::Sequence;
use super::shown_lists::ShownById;
use crate::engine::Engine;

/// A state that ends within this time may end while the runner looks.
const SOON: SignedDuration = SignedDuration::from_mins(1);

/// The records that show something else than they may, by their identifiers, each with what.
pub(super) type Changes = BTreeMap<String, String>;

/// What the records of one list may show differently after writes.
#[derive(Debug)]
pub(super) struct BystanderRule {
    members: Members,
    /// Where the parts of a record are.
    frame: Frame,
    /// Whether writes go to records of this list.
    is_written: bool,
    /// When records are in a state.
    times: Vec<StateTime>,
    /// The timestamps that no write to a record of another list changes: those by which a state or soft deletion is told.
    fixed: BTreeSet<Pointer>,
}

impl BystanderRule {
    /// The rule for one list.
    pub(super) fn of(engine: &Engine, list: usize, sequences: &[Sequence]) -> Self {
        let spec = &engine.list(list).spec;
        let record = &spec.list.record;
        let mut sequences = sequences.iter();
        let is_written = sequences.any(|sequence| sequence.operation.answer.schema.as_ref() == Some(record));
        let mut rule = Self::new(&engine.contract, record, is_written);
        rule.fixed.extend(spec.deletion_mark().cloned());
        rule
    }

    /// The rule for records of a schema that show no soft deletion.
    fn new(contract: &Contract, record: &str, is_written: bool) -> Self {
        let times = contract.state_times(record).unwrap_or_default();
        Self {
            members: Members::of(contract, record),
            frame: contract.frame.clone(),
            is_written,
            fixed: times.iter().map(|time| time.member.clone()).collect(),
            times,
        }
    }

    /// The records that show something else than they may.
    pub(super) fn differences(&self, engine: &Engine, before: &ShownById, now: &ShownById) -> Changes {
        let differences = before.iter().filter_map(|(id, old)| {
            let Some(new) = now.get(id) else {
                return Some((id.clone(), "is no longer in the list".to_owned()));
            };
            let may_end = engine.written.contains(id) || self.ends_soon(old);
            let differs =
                |place: &&Pointer| place.find(old) != place.find(new) && !self.may_follow(place, may_end);
            let place = self.members.comparable().find(differs)?;
            let text = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
            let (old, new) = (text(place.find(old)), text(place.find(new)));
            Some((id.clone(), format!("{place} was {old}, and is {new}")))
        });
        differences.collect()
    }

    /// Whether a member may follow from a write; `may_end` if the state and the times of the record may change.
    fn may_follow(&self, place: &Pointer, may_end: bool) -> bool {
        match self.members.kind(place) {
            Kind::Count | Kind::FreeForm | Kind::Link => true,
            Kind::Timestamp if Some(place) == self.frame.created.as_ref() => false,
            Kind::Timestamp if Some(place) == self.frame.updated.as_ref() => true,
            Kind::Timestamp => may_end || !self.is_written && !self.fixed.contains(place),
            Kind::Enumerated => may_end && self.members.is_state(place),
            Kind::Member | Kind::Identifier => false,
        }
    }

    /// Whether the state of a record is one that ends by itself about now.
    fn ends_soon(&self, record: &Value) -> bool {
        let state = self.frame.state_of(record);
        let mut times = self.times.iter();
        let time = times.find(|time| Some(time.state.as_str()) == state && time.tense == Tense::Future);
        let end = time.and_then(|time| timestamp::of(record, &time.member));
        end.is_some_and(|end| end.duration_since(Timestamp::now()) < SOON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(record: &str, is_written: bool) -> BystanderRule {
        BystanderRule::new(&rollcall_oracle::our_contract().unwrap(), record, is_written)
    }

    #[test]
    fn a_name_never_follows_from_a_write_and_a_count_always_may() {
        let rule = rule("DirectoryAttribute", true);
        let follows = |place: &[&str], may_end| rule.may_follow(&Pointer::of(place.to_vec()), may_end);
        for may_end in [true, false] {
            assert!(!follows(&["name"], may_end) && follows(&["count", "policy_rules"], may_end));
            assert!(follows(&["timestamp", "updated_at"], may_end));
        }
        assert!(follows(&["state"], true) && !follows(&["state"], false));
        assert!(follows(&["timestamp", "expires_at"], true) && !follows(&["timestamp", "created_at"], true));
    }

    #[test]
    fn the_state_of_a_record_of_another_kind_does_not_follow_from_a_write() {
        let rule = rule("DirectoryUser", false);
        let follows = |place: &[&str]| rule.may_follow(&Pointer::of(place.to_vec()), false);
        assert!(!follows(&["state"]) && !follows(&["timestamp", "expires_at"]));
        assert!(follows(&["timestamp", "provisioned_at"]) && follows(&["org"]));
    }
}
