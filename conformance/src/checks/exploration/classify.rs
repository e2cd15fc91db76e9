//! Which check has failed, by the smallest query that shows a violation.

use rollcall_contract::Match;

use super::one_filter;
use crate::corpus::listing::{ListResponse, identity};
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::query::Query;
use crate::corpus::{ListCorpus, Projection};
use crate::oracle::{self, Aspect};
use crate::plan::Domain;

/// How many parameters of each kind a query has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParameterCounts {
    pub(super) filters: usize,
    pub(super) scopes: usize,
    pub(super) sort: usize,
    pub(super) include: usize,
    pub(super) page: usize,
}

impl ParameterCounts {
    /// The shape of a query.
    pub(super) fn of(list: &ListCorpus, query: &Query) -> Self {
        let is_scope = |(filter, _): &&(ObservableFilter, String)| list.spec.is_trashed(&filter.name);
        let scopes = query.filters.iter().filter(is_scope).count();
        Self {
            filters: query.filters.len() - scopes,
            scopes,
            sort: query.sort.len(),
            include: query.include.len(),
            page: usize::from(query.page.is_some()),
        }
    }

    /// Whether a query has at least as many parameters of each kind.
    pub(super) fn is_in(self, other: Self) -> bool {
        self.filters + self.scopes <= other.filters + other.scopes
            && self.scopes <= other.scopes
            && self.sort <= other.sort
            && self.include <= other.include
            && self.page <= other.page
    }

    /// Whether parameters of one kind alone make it, once.
    pub(super) fn is_single(self) -> bool {
        self.filters + self.scopes + self.sort + self.include + self.page <= 1
    }
}

/// The number of the check that fails if the answer to a query is wrong and no smaller query shows the violation.
pub(super) fn check(
    list: &ListCorpus,
    domain: &Domain,
    (query, aspect): (&Query, Aspect),
    answer: &ListResponse,
) -> &'static str {
    let has_pages = answer.reading().is_some_and(|reading| reading.asked > 1);
    let shape = ParameterCounts::of(list, query);
    let conditions = shape.filters + shape.scopes;
    if !query.headers.is_empty() || query.after.is_some() {
        return "H3";
    }
    let is_broken = answer.exchange().status >= 500;
    match aspect {
        Aspect::MediaType => "S11",
        Aspect::Once => "G8",
        Aspect::Answer if is_broken && conditions + shape.sort + shape.include + shape.page > 1 => "H1",
        Aspect::Record if shape.is_single() && shows_other_word(list, query, answer) => "ST2",
        Aspect::Record => "S9",
        Aspect::Deleted if conditions + shape.sort + shape.include + shape.page == 0 => "T1",
        Aspect::Deleted => "T7",
        Aspect::Uninvited if conditions + shape.sort + shape.page == 0 => "I2",
        Aspect::Shape if conditions + shape.sort + shape.page == 0 => "I15",
        Aspect::Relation(_) if conditions + shape.sort + shape.page == 0 => "I8",
        Aspect::Relation(_) if conditions == 1 && shape.sort + shape.page == 0 && shows_filtered(query) => {
            "I13"
        }
        Aspect::Uninvited | Aspect::Shape | Aspect::Relation(_) => "K6",
        // Each page has its order, and all of them together have not.
        Aspect::Order if has_pages && conditions > 0 => "G5",
        Aspect::Order => match (conditions, shape.sort, shape.include + shape.page) {
            (0, 1, 0) if query.sort[0].descending => "O3",
            (0, 1, 0) => "O2",
            (0, 2, 0) if query.sort[0].descending != query.sort[1].descending => "O6",
            (0, 2, 0) => "O4",
            (0, _, 0) => "O5",
            (1, 1, 0) => "O7",
            _ => "K7",
        },
        Aspect::Answer | Aspect::Alien | Aspect::Missing | Aspect::Page => {
            match (conditions, shape.sort.min(1), shape.include.min(1), shape.page) {
                (0, 0, 0, 0) => "N1",
                (0, 1, 0, 0) if shape.sort > 1 => "O4",
                (0, 1, 0, 0) if aspect == Aspect::Missing && has_pages => "G4",
                (0, 1, 0, 0) => "O1",
                (0, 0, 1, 0) => "I7",
                (0, 0, 0, 1) => "G2",
                (1, 0, 0, 0) => one_filter::check(list, domain, (query, aspect), answer),
                (2, 0, 0, 0) if needs_scope(list, query) => {
                    one_filter::check(list, domain, (query, aspect), answer)
                }
                (_, 0, 0, 0) if shape.filters == 2 && window(query).is_some() => "D7",
                (1, 1, 0, 0) if has_pages => "G5",
                (1, 1, 0, 0) => "O7",
                (1, 0, 1, 0) => "I7",
                (1, _, 0, 1) => "G5",
                (2, 0, 0, 0) if shape.scopes == 1 => "T7",
                (2, 0, 0, 0) if oracle::expected(list, query).is_empty() => "K3",
                (2, 0, 0, 0) => "K1",
                (_, 0, 0, 0) => "K2",
                (0..=2, ..) => "K4",
                _ => "K5",
            }
        }
    }
}

/// Whether a filter by a related record is asked for beside the relation.
pub(super) fn shows_filtered(query: &Query) -> bool {
    let mut filters = query.filters.iter();
    filters.any(|(filter, _)| match &filter.projection {
        Projection::Including(relation) => query.include.contains(relation),
        _ => false,
    })
}

/// Whether a record shows another word under the filter by words than it does in the list.
fn shows_other_word(list: &ListCorpus, query: &Query, answer: &ListResponse) -> bool {
    let [(filter, _)] = &query.filters[..] else {
        return false;
    };
    let mut records = answer.reading().into_iter().flat_map(|reading| &reading.records);
    filter.is_word()
        && records.any(|record| {
            let known = list
                .widest_snapshot()
                .and_then(|known| known.record(&identity(record)));
            known.is_some_and(|known| filter.shown(known) != filter.shown(record))
        })
}

/// Whether a query has one filter, which finds soft-deleted records alone, and the word that shows them.
fn needs_scope(list: &ListCorpus, query: &Query) -> bool {
    let mut filters = query.filters.iter().map(|(filter, _)| filter);
    query.speaks_of_deletion(list) && filters.any(|filter| filter.is_by_deletion(list))
}

/// The filter that is the lower of two bounds of one member, if a query has no other bounds.
pub(super) fn window(query: &Query) -> Option<&ObservableFilter> {
    let filters = query.filters.iter().map(|(filter, _)| filter);
    let bounds = filters.filter(|filter| filter.is_bound());
    match bounds.collect::<Vec<_>>()[..] {
        [one, other] if one.places == other.places && one.matching != other.matching => {
            Some(if one.matching == Match::After { one } else { other })
        }
        _ => None,
    }
}
