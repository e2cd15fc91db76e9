//! The order of an answer: by the first key, and by each further key among records that are the same in those before.

use std::collections::BTreeMap;

use super::Facts;
use crate::case::Accusation;
use crate::checks::out_of_order as by_field;
use crate::listing::{Reading, identity};
use crate::order::{Key, SortField};
use crate::query::Query;

/// The records of one group, each with its value of the key that is looked at.
type Group<'r> = Vec<&'r serde_json::Value>;

/// Two records in the wrong order. From a key on that is not known to sort, nothing is judged.
pub(super) fn out_of_order(facts: &Facts, query: &Query, reading: &Reading) -> Option<Accusation> {
    let mut groups: Vec<Group<'_>> = vec![reading.records.iter().map(AsRef::as_ref).collect()];
    let mut before: Vec<&str> = Vec::new();
    for key in &query.sort {
        let field = facts.sorts.iter().find(|field| field.name == key.field)?;
        let wrong = groups.iter().find_map(|group| {
            let shown: Vec<(String, Key)> = group
                .iter()
                .filter_map(|record| Some((identity(record), field.key(record)?)))
                .collect();
            by_field(field, &shown, key.descending)
        });
        if let Some(mut accusation) = wrong {
            if !before.is_empty() {
                accusation.expected = format!(
                    "{} where {} is the same",
                    accusation.expected,
                    before.join(" and ")
                );
            }
            return Some(accusation);
        }
        groups = groups.iter().flat_map(|group| split(field, group)).collect();
        before.push(&field.name);
    }
    None
}

/// The records of a group in groups of the same value.
fn split<'r>(field: &SortField, group: &[&'r serde_json::Value]) -> Vec<Group<'r>> {
    let mut groups: BTreeMap<String, Group<'r>> = BTreeMap::new();
    for record in group {
        if let Some(key) = field.key(record) {
            groups.entry(format!("{key:?}")).or_default().push(*record);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}
