//! How many parameters of each kind a query has.

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;

use crate::engine::region::Area;

/// How many parameters of each kind a query has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ParameterCounts {
    pub(super) filters: usize,
    pub(super) scopes: usize,
    pub(super) sort: usize,
    pub(super) include: usize,
    pub(super) page: usize,
}

impl ParameterCounts {
    /// Those of a query.
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
        self.all() <= 1
    }

    /// How many there are in all.
    pub(super) fn all(self) -> usize {
        self.filters + self.scopes + self.sort + self.include + self.page
    }

    /// How many of sort, include and page there are.
    pub(super) fn beside_filters(self) -> usize {
        let parts = [self.sort, self.include, self.page];
        parts.iter().filter(|part| **part > 0).count()
    }

    /// Whether an area has so many.
    pub(super) fn are_in(self, area: &Area) -> bool {
        area.filters.has(self.filters + self.scopes)
            && area.sort.has(self.sort)
            && area.include.has(self.include)
            && area.page.has(self.page)
            && area.beside_filters.has(self.beside_filters())
    }
}
