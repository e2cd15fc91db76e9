//! What a filter with a value says of all records of a list at once. Many queries share a filter and its value, so each is
//! looked at once, and a query with several filters is the meeting of sets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::corpus::predicate::{Membership, ObservableFilter};
use crate::corpus::record_set::RecordSet;
use crate::corpus::snapshot::Snapshot;
use crate::corpus::{ListCorpus, Projection};

/// The records that pass a filter, and the records that do not. A record in neither set may or may not pass. Records stand in
/// the order of [`ListCorpus::widest_snapshot`].
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// The records that pass.
    pub included: RecordSet,
    /// The records that do not pass.
    pub excluded: RecordSet,
}

impl Verdicts {
    /// The sets that the memberships of all records give, in the order of the records.
    pub fn of(said: impl Iterator<Item = Membership>) -> Self {
        let said: Vec<Membership> = said.collect();
        let set = |wanted| RecordSet::of(said.len(), |index| said[index] == wanted);
        Self {
            included: set(Membership::Included),
            excluded: set(Membership::Excluded),
        }
    }

    /// What two conditions say together.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            included: self.included.and(&other.included),
            excluded: self.excluded.or(&other.excluded),
        }
    }
}

/// When sets of so many bytes are remembered, all are forgotten.
const REMEMBERED: usize = 64 << 20;

/// A filter and its value.
type Asked = (String, String);
/// Verdicts, and the way to read the list in which the filter's members are seen.
type SeenIn = (Projection, Arc<Verdicts>);

/// The verdicts that were asked for since the records were read.
#[derive(Debug, Default)]
pub(super) struct KnownVerdicts(Mutex<HashMap<Asked, SeenIn>>);

impl KnownVerdicts {
    /// What a filter with a value says of the records of a list.
    pub(super) fn of(&self, list: &ListCorpus, filter: &ObservableFilter, value: &str) -> Arc<Verdicts> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (filter.name.clone(), value.to_owned());
        if let Some((_, verdicts)) = known.get(&key) {
            return Arc::clone(verdicts);
        }
        let own = filter.snapshot(list);
        let records = list.widest_snapshot().into_iter().flat_map(Snapshot::records);
        let said = records.map(|(_, record)| filter.membership(record, own, value));
        let verdicts = Arc::new(Verdicts::of(said));
        if known.len() * verdicts.included.bytes() > REMEMBERED {
            known.clear();
        }
        known.insert(key, (filter.projection.clone(), Arc::clone(&verdicts)));
        verdicts
    }

    /// Forgets all that rests on the records of one way to read the list: one of them has changed. All verdicts rest on those
    /// without relations.
    pub(super) fn forget(&mut self, changed: &Projection) {
        let known = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let concerns_all = matches!(changed, Projection::Default | Projection::Trashed);
        known.retain(|_, (projection, _)| !concerns_all && projection != changed);
    }
}
