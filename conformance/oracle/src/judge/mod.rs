//! What an answer has to hold, computed from records that were read without the query. Pure: it sends nothing.
//!
//! [`judge`] takes any query of any list. Only what no open point could turn either way is a violation.

mod content;
mod inverse;
mod law;
mod membership;
mod pages;
mod ruling;
mod seen;
mod sequence;
mod shape;
#[cfg(test)]
pub(crate) mod tests;
mod violation;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rollcall_contract::{Contract, Included, Match, Pointer, Relation, ValueKind};

use crate::corpus::listing::{ListResponse, Pages};
use crate::corpus::members::Members;
use crate::corpus::order::SortField;
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::projection::DeletedScope;
use crate::corpus::query::Query;
use crate::corpus::{ListCorpus, Projection};
use crate::open_points::related_number::RelationForm;

pub use content::unlike_before;
pub use inverse::InverseFilters;
pub use law::Law;
pub use membership::{describe, expected, missing, not_empty, unexpected};
pub use pages::{differs_from_whole, has_ties, is_suspicious, scattered};
pub use ruling::Ruling;
pub use seen::{Seen, Sight};
pub use sequence::out_of_order_by;
pub use shape::RelationShapes;
pub use violation::Violation;

/// The media type that an answer must have, as reports name it.
pub const JSON: &str = "the media type application/json, or one built on JSON";

/// What is wrong about an answer.
#[derive(Debug)]
pub struct AspectViolation {
    /// The part of the answer that is wrong.
    pub aspect: Aspect,
    /// What was expected, and what came.
    pub violation: Violation,
}

/// A part of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// It is no list although records are certain to belong to it, or it is a failure.
    Answer,
    /// Its media type.
    MediaType,
    /// A record that does not belong to it.
    Alien,
    /// A soft-deleted record that no parameter asks for, §4.1.
    Deleted,
    /// A record that belongs to it and is not there.
    Missing,
    /// A record twice on one page.
    Twice,
    /// A record on two pages of an order, and another on none.
    Once,
    /// A page that was asked for by its number, and has other records than among all pages.
    Page,
    /// The order of the records.
    Order,
    /// The members of a record.
    Record,
    /// The shape of a relation.
    Shape,
    /// A relation that was asked for, in one of its forms.
    Relation(RelationForm),
    /// A relation that was not asked for.
    Uninvited,
}

/// What is known of a list besides its records.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The members of its records.
    pub members: Members,
    /// The fields that are known to sort it.
    pub sorts: Vec<SortField>,
    /// The relations that its records show.
    pub relations: Vec<Relation>,
    /// For each form, the way to read the list that shows the relations in that form, where it could be read.
    pub references: [Option<Projection>; 3],
    /// The ways to read the list that show the relations of soft-deleted records, where they could be read.
    pub of_deleted: BTreeMap<(DeletedScope, RelationForm), Projection>,
    /// What finds related records by the inverse relation.
    pub inverse: InverseFilters,
    /// What judges the shape of relations; of a list that shows none, nothing.
    pub shapes: Arc<RelationShapes>,
    /// The relations that records showed in earlier answers, where the list could not be read with all relations.
    pub seen: Seen,
    /// The places of members that change with every request, in a record with its related records: they are not compared.
    pub moving: BTreeSet<Pointer>,
    /// Filters and values that were answered with a list when nothing else was asked for: whether a value of a strange form
    /// is refused is not specified, and what is accepted alone is accepted beside other parameters.
    pub accepted: BTreeSet<(String, String)>,
}

impl Aspect {
    /// Whether two violations can have the same cause: records too many and too few often have.
    pub fn is_like(self, other: Self) -> bool {
        let is_membership = |aspect| matches!(aspect, Self::Answer | Self::Alien | Self::Missing);
        self == other || is_membership(self) && is_membership(other)
    }
}

impl Facts {
    /// The filters of a query with values that a server may refuse by their form: no record is known to show the value, the
    /// filter does not search for any text, and the value was not accepted alone.
    pub fn questionable<'q>(&self, query: &'q Query) -> impl Iterator<Item = &'q (ObservableFilter, String)> {
        query.filters.iter().filter(|(filter, value)| {
            let is_search =
                filter.matching == Match::Contains && matches!(filter.kind, ValueKind::Text { .. });
            !is_search && !self.accepted.contains(&(filter.name.clone(), value.clone()))
        })
    }

    /// What the contract says of a list; nothing is known to sort it, and no reference was read.
    pub fn of(contract: &Contract, list: &ListCorpus) -> Self {
        let described = &list.spec.list;
        let shows_relations = described.included == Included::Records && list.spec.specified;
        Self {
            members: Members::of(contract, &described.record),
            sorts: Vec::new(),
            relations: match shows_relations {
                true => described.relations.clone(),
                false => Vec::new(),
            },
            references: [None, None, None],
            of_deleted: BTreeMap::new(),
            inverse: InverseFilters::default(),
            shapes: Arc::default(),
            seen: Seen::default(),
            moving: BTreeSet::new(),
            accepted: BTreeSet::new(),
        }
    }
}

/// An answer whose records are not where those of the list are: in a member of an object, or in none (L1).
fn other_envelope(list: &ListCorpus, reading: &Pages, answer: &ListResponse) -> Option<Violation> {
    let usual = list.widest_snapshot()?.response.reading()?;
    if usual.envelope == reading.envelope {
        return None;
    }
    let told = |envelope: &Option<String>| match envelope {
        Some(member) => format!("an object with the list in its member {member:?}"),
        None => "an array".to_owned(),
    };
    let expected = format!("{}, as the list itself is", told(&usual.envelope));
    let mut violation = Violation::of_answer(expected, answer);
    violation.actual = told(&reading.envelope);
    Some(violation)
}

/// A page that has a media type, and not that of JSON.
fn other_media_type(reading: &Pages, answer: &ListResponse) -> Option<Violation> {
    let mut others = reading.pages.iter().filter(|page| !page.says_json());
    let actual = others.find_map(|page| page.content_type.clone())?;
    Some(Violation {
        actual,
        ..Violation::of_answer(JSON, answer)
    })
}

/// Everything that is wrong about an answer to a query, the most basic first.
pub fn judge(facts: &Facts, list: &ListCorpus, query: &Query, answer: &ListResponse) -> Vec<AspectViolation> {
    let Some(reading) = answer.reading() else {
        // A page past the end may be refused (L2), whatever stands on the pages before it.
        let on_earlier_pages = query
            .page
            .map_or(0, |page| page.saturating_sub(1) * list.paging.at_least);
        let is_needed = expected(list, query).len() > on_earlier_pages;
        let may_be_refused = query.page.is_some() || facts.questionable(query).next().is_some();
        let is_allowed = answer.is_refused() && may_be_refused;
        let wanted = match (is_needed, may_be_refused) {
            (true, _) => "records",
            (false, true) => "no records, or a refusal",
            (false, false) => "a list without records",
        };
        let violation = (is_needed || !is_allowed).then(|| AspectViolation {
            aspect: Aspect::Answer,
            violation: Violation::of_answer(format!("{wanted}: {}", describe(query)), answer),
        });
        return violation.into_iter().collect();
    };
    let mut violations = Vec::new();
    let mut add = |aspect, violation: Option<Violation>| {
        violations.extend(violation.map(|violation| AspectViolation { aspect, violation }));
    };
    add(Aspect::Answer, other_envelope(list, reading, answer));
    add(Aspect::MediaType, other_media_type(reading, answer));
    let unexpected = unexpected(list, query, answer).or_else(|| membership::divided(list, query, answer));
    // Records that do not belong there have no place in the order.
    let order = match unexpected {
        Some(_) => None,
        None => sequence::out_of_order(facts, list, query, reading),
    };
    add(Aspect::Alien, unexpected);
    add(Aspect::Deleted, membership::deleted(list, query, reading));
    let repeated = pages::repeated(facts, query, reading);
    let scattered = scattered(list, query, answer);
    let lost = missing(list, query, answer).or(repeated);
    add(Aspect::Missing, lost.filter(|_| scattered.is_none()));
    add(Aspect::Twice, pages::twice(reading));
    add(Aspect::Once, scattered);
    add(Aspect::Order, order);
    add(Aspect::Record, content::differs(facts, list, reading));
    add(Aspect::Shape, facts.shapes.violation(reading));
    for form in RelationForm::ALL {
        let differs = content::relation_differs(facts, list, query, reading, form);
        let hidden = || match form {
            RelationForm::Records => content::hides_related(list, query, reading)
                .or_else(|| content::refers_elsewhere(facts, list, query, reading)),
            RelationForm::Count | RelationForm::Exists => None,
        };
        add(Aspect::Relation(form), differs.or_else(hidden));
    }
    add(Aspect::Uninvited, content::uninvited(facts, query, reading));
    violations
}
