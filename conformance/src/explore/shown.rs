//! What the records of a list show of a filter's members.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::Match;
use serde_json::Value;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::members::{shown_at, spelled};
use rollcall_oracle::corpus::predicate::{MemberValue, ObservableFilter};

/// The values that records show of a filter's members, each with the number of its records; of all records, or of those
/// that are soft-deleted or are not.
pub(super) fn value_counts(
    list: &ListCorpus,
    filter: &ObservableFilter,
    deleted: Option<bool>,
) -> BTreeMap<String, usize> {
    let mut shown = BTreeMap::new();
    let records = filter
        .snapshot(list)
        .into_iter()
        .flat_map(|snapshot| snapshot.records());
    let records =
        records.filter(|(_, record)| deleted.is_none_or(|deleted| deleted == list.spec.is_deleted(record)));
    for (_, record) in records {
        for member in filter.places.iter().filter_map(|place| shown_at(place, record)) {
            let values: Vec<String> = match member {
                Value::Object(members) => members
                    .values()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                member => spelled(member).into_iter().collect(),
            };
            for value in values {
                *shown.entry(value).or_default() += 1;
            }
        }
    }
    shown
}

/// Whether a record that is not soft-deleted shows that it has no value of a filter's members.
pub(super) fn is_null_of_some(list: &ListCorpus, filter: &ObservableFilter) -> bool {
    let snapshot = filter.snapshot(list).into_iter();
    let mut records = snapshot.flat_map(|snapshot| snapshot.records());
    records
        .any(|(_, record)| !list.spec.is_deleted(record) && filter.member_value(record) == MemberValue::Null)
}

/// The names of members of the objects whose values a filter searches.
pub(super) fn names(list: &ListCorpus, filter: &ObservableFilter) -> BTreeSet<String> {
    let searches = filter.matching == Match::Contains;
    let records = list.live().filter(|_| searches).map(|(_, record)| record);
    let places = records.flat_map(|record| filter.places.iter().filter_map(|place| shown_at(place, record)));
    let objects = places.filter_map(Value::as_object);
    objects.flat_map(|object| object.keys().cloned()).collect()
}
