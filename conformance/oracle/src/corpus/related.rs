//! The related records that a record shows, and those that it is joined with by members of both.

use rollcall_contract::Relation;
use serde_json::Value;

use crate::corpus::ListCorpus;
use crate::corpus::members::{count_of, spelled};
use crate::corpus::records::{Record, id_at};

/// The least number of records at which a relation to many may end (L3).
const LEAST_LIMIT: usize = 100;

/// Whether a relation that shows so many records may end there although it has more (L3).
pub fn may_be_bounded(shown: usize) -> bool {
    shown >= LEAST_LIMIT
}

/// What a record shows of a relation; none if that is nothing (R9), or the number of the related records (R11).
pub fn relation_value<'r>(record: &'r Value, relation: &Relation) -> Option<&'r Value> {
    let shown = relation.at.find(record)?;
    let is_nothing = shown.is_null() || shown.is_number() || shown.is_boolean();
    (!is_nothing).then_some(shown)
}

/// The related records that a record shows.
pub fn related<'r>(record: &'r Value, relation: &Relation) -> Vec<&'r Value> {
    match relation_value(record, relation) {
        Some(Value::Array(records)) => records.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

/// The record of a list that a related record shows, with its identifier.
pub fn of_list<'l>(
    list: &'l ListCorpus,
    relation: &Relation,
    other: &Value,
) -> Option<(&'l str, &'l Record)> {
    let id = id_at(&list.spec.identifier, other).filter(|_| list.spec.may_have(relation))?;
    list.widest_snapshot()?.entry(id)
}

/// The number of related records that a record shows in any case.
pub fn own_count(record: &Value, relation: &Relation) -> Option<u64> {
    count_of(relation.count_at.as_ref()?.find(record)?)
}

/// The records of a list that a record is joined with from there, by identifier.
pub fn joined<'l>(list: &'l ListCorpus, relation: &Relation, record: &Value) -> Vec<(&'l str, &'l Record)> {
    let Some(join) = relation.join.as_ref().filter(|_| list.spec.may_have(relation)) else {
        return Vec::new();
    };
    let Some(ours) = join.ours.find(record).filter(|ours| !ours.is_null()) else {
        return Vec::new();
    };
    let Some((snapshot, value)) = list.widest_snapshot().zip(spelled(ours)) else {
        return Vec::new();
    };
    let index = snapshot.by(&join.theirs);
    let others = index.group(&value).ids().filter_map(|id| snapshot.entry(id));
    others
        .filter(|(_, other)| join.theirs.find(other) == Some(ours))
        .collect()
}
