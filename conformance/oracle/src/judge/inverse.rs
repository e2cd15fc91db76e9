//! Relations that are the inverse of another one: a person is the parent of each of their secondary users.

use std::collections::BTreeMap;

use rollcall_contract::Relation;
use serde_json::Value;

use crate::corpus::list_spec::ListSpec;
use crate::corpus::predicate::{MemberValue, ObservableFilter};
use crate::corpus::records::{Record, id_at};
use crate::corpus::related::related;
use crate::corpus::{ListCorpus, Projection};

/// The filters that find the records of a relation by the inverse one, by the name of the relation: secondary users are found
/// by `filter[parent_id]`, which looks at the parent that each of them shows.
#[derive(Clone, Debug, Default)]
pub struct InverseFilters(BTreeMap<String, ObservableFilter>);

impl InverseFilters {
    /// The filters of one list. `list` is its place in the corpus.
    pub fn of(list: usize, spec: &ListSpec) -> Self {
        let filters = spec.list.relations.iter().filter_map(|relation| {
            let by = relation.listed_by.as_ref()?;
            let is_here = by.operation == spec.operation.id && relation.join.is_none();
            let mut filters = spec.filters.iter().filter(|_| is_here);
            let filter = ObservableFilter::of(list, filters.find(|judged| judged.name == by.filter)?)?;
            let is_related = filter.projection != Projection::Default;
            is_related.then(|| (relation.name.clone(), filter))
        });
        Self(filters.collect())
    }

    /// Whether a filter finds the records of a relation.
    pub fn has(&self, relation: &Relation) -> bool {
        self.0.contains_key(&relation.name)
    }

    /// The way to read the list that shows what the filter for a relation looks at.
    pub fn projection(&self, relation: &Relation) -> Option<&Projection> {
        self.0.get(&relation.name).map(|filter| &filter.projection)
    }

    /// How many records that are not soft-deleted refer to a record; none where that is not known.
    pub fn live(&self, relation: &Relation, id: &str, list: &ListCorpus) -> Option<usize> {
        let filter = self.0.get(&relation.name)?;
        let snapshot = filter.snapshot(list)?;
        Some(snapshot.by(filter.places.first()?).group(id).live.len())
    }

    /// What is wrong about the related records of a record; none where nothing is known of them. Of soft-deleted records
    /// nothing is said (R15).
    pub fn wrong(
        &self,
        relation: &Relation,
        record: &Record,
        list: &ListCorpus,
    ) -> Option<Result<(), String>> {
        let filter = self.0.get(&relation.name)?;
        let snapshot = filter.snapshot(list)?;
        let id = id_at(&list.spec.identifier, record).filter(|_| !list.spec.is_deleted(record))?;
        let mut told = None;
        for other in related(record, relation) {
            let other = id_at(&list.spec.identifier, other).filter(|other| snapshot.is_live(other));
            let Some((other, full)) = other.and_then(|other| Some((other, snapshot.record(other)?))) else {
                continue;
            };
            let shown = match filter.member_value(full) {
                MemberValue::Value(shown) if shown == id => {
                    told = Some(Ok(()));
                    continue;
                }
                MemberValue::Value(shown) => Value::from(shown),
                MemberValue::Null => Value::Null,
                MemberValue::Unknown => continue,
            };
            let (member, place) = (&relation.member, &filter.places[0]);
            return Some(Err(format!("{member} holds {other}, whose {place} is {shown}")));
        }
        told
    }
}
