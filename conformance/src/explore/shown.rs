//! What the records of a list show of a filter's members.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::{Match, ValueKind};
use serde_json::Value;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::members::{shown_at, spelled};
use rollcall_oracle::corpus::predicate::{MemberValue, ObservableFilter, folded};
use rollcall_oracle::corpus::records::Record;

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

/// So many records at most are looked at to learn what most are like.
const LIKENESS: usize = 500;
/// A record is unlike most if at most one of so many is like it.
const FEW_OF: usize = 4;
/// So many such values of a member are asked for.
const UNLIKE: usize = 3;

/// For each filter values of records that are unlike most, in one of three ways: the value is a part of another member, it has that
/// member as a part, or the other member has several words. Examples are a username that is not in the email, and the full name of a
/// person with two first names. Code that derives one member from the other is wrong for such records alone.
pub(super) fn unlike_most(list: &ListCorpus, filters: &[ObservableFilter]) -> Vec<Vec<String>> {
    let records: Vec<&Record> = list.live().map(|(_, record)| record).take(LIKENESS).collect();
    let text = |filter: &ObservableFilter, record: &Record| match filter.member_value(record) {
        MemberValue::Value(text) => Some((folded(&text), text)),
        MemberValue::Null | MemberValue::Unknown => None,
    };
    let is_whole_text = |filter: &ObservableFilter| {
        let is_text = matches!(filter.kind, ValueKind::Text { .. });
        is_text && filter.matching == Match::Exact && !filter.is_join(list)
    };
    let texts: Vec<Texts> = filters
        .iter()
        .map(|filter| match is_whole_text(filter) {
            true => records.iter().map(|record| text(filter, record)).collect(),
            false => Vec::new(),
        })
        .collect();
    let unlike = texts.iter().enumerate().map(|(at, own)| {
        let others = texts.iter().enumerate().filter(|(other, _)| *other != at);
        let mut few: Vec<_> = others.flat_map(|(_, theirs)| unlike(own, theirs)).collect();
        few.sort_by_key(Vec::len);
        let mut seen = BTreeSet::new();
        let first = few.iter().filter_map(|values| values.first());
        let values = first.filter(|value| seen.insert(**value)).take(UNLIKE);
        values.map(|value| (*value).to_owned()).collect()
    });
    unlike.collect()
}

/// The text that each record has in a member, folded and as it is.
type Texts = Vec<Option<(String, String)>>;

/// The values of the records that are unlike most, those together that are alike.
fn unlike<'t>(own: &'t Texts, others: &Texts) -> impl Iterator<Item = Vec<&'t str>> + use<'t> {
    let mut alike: BTreeMap<[bool; 3], Vec<&str>> = BTreeMap::new();
    for pair in own.iter().zip(others) {
        if let (Some((ours, value)), Some((theirs, _))) = pair {
            let likeness = [
                ours.contains(theirs.as_str()),
                theirs.contains(ours.as_str()),
                theirs.contains(' '),
            ];
            alike.entry(likeness).or_default().push(value);
        }
    }
    let all: usize = alike.values().map(Vec::len).sum();
    alike
        .into_values()
        .filter(move |values| values.len() * FEW_OF <= all)
}
