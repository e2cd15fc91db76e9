//! A query with its answer, and the filter of it that is looked at. Regions of checks are compared with it.

use rollcall_contract::{Match, ValueKind};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::judge::Facts;
use rollcall_oracle::plan::sample::is_plain;
use rollcall_oracle::plan::{Domain, ValueRelation};

use super::counts::ParameterCounts;
use crate::engine::region::FilterKind;

/// A query with its answer.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) list: &'a ListCorpus,
    domain: &'a Domain,
    pub(super) facts: &'a Facts,
    pub(super) query: &'a Query,
    pub(super) answer: &'a ListResponse,
    /// The answer to the same query without filters, where that was asked.
    pub(super) unfiltered: Option<&'a ListResponse>,
    /// The filter that is looked at, with its value.
    pub(super) filter: Option<(&'a ObservableFilter, &'a str)>,
    /// How the value stands to what records show, where it was made for the question.
    made_as: Option<ValueRelation>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(
        list: &'a ListCorpus,
        (domain, facts): (&'a Domain, &'a Facts),
        query: &'a Query,
        answer: &'a ListResponse,
    ) -> Self {
        Self {
            list,
            domain,
            facts,
            query,
            answer,
            unfiltered: None,
            filter: None,
            made_as: None,
        }
    }

    /// The query, whose value was made to stand so to what records show.
    pub(super) fn made_as(self, made_as: Option<ValueRelation>) -> Self {
        Self { made_as, ..self }
    }

    /// The query, with the answer to the same query without filters.
    pub(super) fn beside(self, unfiltered: Option<&'a ListResponse>) -> Self {
        Self { unfiltered, ..self }
    }

    /// The query, with a look at one of its filters.
    pub(super) fn by(self, (filter, value): &'a (ObservableFilter, String)) -> Self {
        Self {
            filter: Some((filter, value)),
            ..self
        }
    }

    /// The query, with a look at its filter if it has that alone. A word about soft deletion, without which the filter finds
    /// nothing, does not count.
    pub(super) fn by_only_filter(self) -> Self {
        let is_other = |(filter, _): &&(ObservableFilter, String)| filter.matching != Match::Trashed;
        let filter = self
            .query
            .filters
            .iter()
            .find(is_other)
            .or(self.query.filters.first());
        let counts = self.counts();
        let is_alone = match counts.filters + counts.scopes {
            1 => true,
            2 => needs_scope(self.list, self.query),
            _ => false,
        };
        match filter.filter(|_| is_alone && counts.beside_filters() == 0) {
            Some(filter) => self.by(filter),
            None => self,
        }
    }

    /// How many parameters of each kind it has.
    pub(super) fn counts(&self) -> ParameterCounts {
        ParameterCounts::of(self.list, self.query)
    }

    /// Whether something that must not matter is sent with it or right before it.
    pub(super) fn is_disturbed(&self) -> bool {
        self.query.is_disturbed()
    }

    /// How the value of the filter stands to what records show.
    pub(super) fn value_relation(&self) -> Option<ValueRelation> {
        let (filter, value) = self.filter?;
        if self.made_as.is_some() {
            return self.made_as;
        }
        if let Some(level) = self.domain.level(&filter.name, value) {
            return Some(level.value.kind);
        }
        let snapshot = filter.snapshot(self.list);
        let planned = self.domain.level_with_letters_of(&filter.name, value);
        Some(match value {
            // What was put in the place of a planned value.
            _ if snapshot.is_some_and(|snapshot| filter.is_whole_in(snapshot, value)) => ValueRelation::Whole,
            value if is_plain(value) && self.is_part_of_value() => ValueRelation::MemberValue,
            // A planned value from which signs were taken, to make the query smaller.
            _ if let Some(planned) = planned => planned.value.kind,
            value if is_plain(value) => ValueRelation::MemberValue,
            _ => ValueRelation::Disguised,
        })
    }
}

/// What a filter looks at, and how. Of a timestamp that no record shows only answers can be compared: it is of no kind.
pub(super) fn kind(list: &ListCorpus, filter: &ObservableFilter) -> Option<FilterKind> {
    Some(match filter.matching {
        Match::Exact if filter.is_identifier() => FilterKind::Identifier,
        Match::Exact if filter.is_join(list) => FilterKind::Join,
        Match::Exact if filter.is_word() => FilterKind::Word,
        Match::Exact if matches!(filter.kind, ValueKind::Text { .. }) => FilterKind::Text,
        Match::Exact => FilterKind::Other,
        Match::Contains => FilterKind::Part,
        Match::Flag if filter.all.is_empty() => FilterKind::Flag,
        Match::Flag => FilterKind::Conditions,
        Match::Before | Match::After if filter.places.is_empty() => return None,
        Match::Before => FilterKind::Before,
        Match::After => FilterKind::After,
        Match::Trashed if filter.takes_any_word() => FilterKind::DeletionByAnyWord,
        Match::Trashed => FilterKind::Deletion,
    })
}

/// Whether a query has one filter, which finds soft-deleted records alone, and the word that shows them.
fn needs_scope(list: &ListCorpus, query: &Query) -> bool {
    let mut filters = query.filters.iter().map(|(filter, _)| filter);
    query.speaks_of_deletion(list) && filters.any(|filter| filter.is_by_deletion(list))
}
