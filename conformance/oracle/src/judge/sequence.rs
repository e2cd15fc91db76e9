//! The order of an answer: by the first key, and by each further key among records that are the same in those before.

use std::collections::{BTreeMap, BTreeSet};

use super::Facts;
use crate::corpus::ListCorpus;
use crate::corpus::listing::{Pages, identity};
use crate::corpus::order::{self, Key, SortField};
use crate::corpus::query::Query;
use crate::corpus::records::Record;
use crate::judge::Violation;

/// The records of one group, each with its value of the key that is looked at.
type Group<'r> = Vec<&'r Record>;

/// Two records that stand in the wrong order, of records with their values of one field.
pub fn out_of_order_by(field: &SortField, shown: &[(String, Key)], descending: bool) -> Option<Violation> {
    let keys: Vec<Key> = shown.iter().map(|(_, key)| key.clone()).collect();
    let (one, other) = order::contradiction(&keys, descending)?;
    let direction = if descending { "descending" } else { "ascending" };
    let record_ids: BTreeSet<_> = [one, other].map(|index| shown[index].0.clone()).into();
    let says = [one, other].map(|index| format!("{} ({})", shown[index].0, keys[index]));
    Violation::of_records(record_ids, format!("by {} {direction}", field.name), |_| {
        format!("{} before {}", says[0], says[1])
    })
}

/// Two records in the wrong order. Nothing is judged from a key on that is not known to sort, or whose values are not those
/// that the records show elsewhere: by which of them the list is sorted is not known. Nothing is judged behind a key whose ties are not shown.
pub(super) fn out_of_order(
    facts: &Facts,
    list: &ListCorpus,
    query: &Query,
    reading: &Pages,
) -> Option<Violation> {
    let mut groups: Vec<Group<'_>> = vec![reading.records.iter().map(AsRef::as_ref).collect()];
    let mut before: Vec<&str> = Vec::new();
    for key in &query.sort {
        let field = facts.sorts.iter().find(|field| field.name == key.field)?;
        let is_other = |record: &Record| {
            let known = list
                .widest_snapshot()
                .and_then(|known| known.record(&identity(record)));
            known.is_some_and(|known| field.key(known) != field.key(record))
        };
        if reading.records.iter().any(|record| is_other(record)) {
            return None;
        }
        let wrong = groups.iter().find_map(|group| {
            let shown: Vec<(String, Key)> = group
                .iter()
                .filter_map(|record| Some((identity(record), field.key(record)?)))
                .collect();
            out_of_order_by(field, &shown, key.descending)
        });
        if let Some(mut violation) = wrong {
            if !before.is_empty() {
                violation.expected = format!(
                    "{} where {} is the same",
                    violation.expected,
                    before.join(" and ")
                );
            }
            return Some(violation);
        }
        if !field.shows_ties(reading.records.iter().map(AsRef::as_ref)) {
            return None;
        }
        groups = groups.iter().flat_map(|group| split(field, group)).collect();
        before.push(&field.name);
    }
    None
}

/// The records of a group in groups of the same value.
fn split<'r>(field: &SortField, group: &[&'r Record]) -> Vec<Group<'r>> {
    let mut groups: BTreeMap<Key, Group<'r>> = BTreeMap::new();
    for record in group {
        if let Some(key) = field.key(record) {
            groups.entry(key).or_default().push(*record);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}
