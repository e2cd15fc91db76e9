//! Which checks a query exercises, and which check a violation fails: the regions of all checks are compared with it.

use std::cmp::Reverse;

use rollcall_oracle::judge::Aspect;

use super::asked::{Asked, kind};
use super::counts::ParameterCounts;
use crate::engine::check::{Catalogue, Check};
use crate::engine::region::{Area, FilterKind, Owes, Stage};

impl Asked<'_> {
    /// Whether the query, or the filter that is looked at, exercises a check in an area.
    fn exercises(&self, area: &Area) -> bool {
        self.filter.is_none() == area.kinds.is_empty()
            && (self.is_disturbed() || !area.is_disturbed)
            && self.counts().are_in(area)
            && self.is_by_filter_of(area)
            && self.shows_all(area)
    }

    /// Whether a violation in one part of the answer lies in an area.
    fn fails(&self, area: &Area, aspect: Aspect) -> bool {
        let counts = match self.filter {
            // A filter is counted with the word that it needs.
            Some(_) => ParameterCounts {
                filters: 1,
                ..ParameterCounts::default()
            },
            None => self.counts(),
        };
        self.is_disturbed() == area.is_disturbed
            && (area.aspects.is_empty() || area.aspects.contains(&aspect))
            && counts.are_in(area)
            && self.is_by_filter_of(area)
            && self.shows_all(area)
    }

    fn is_by_filter_of(&self, area: &Area) -> bool {
        if area.kinds.is_empty() {
            return true;
        }
        let kind = self.filter.and_then(|(filter, _)| kind(self.list, filter));
        kind.is_some_and(|kind| area.kinds.contains(&kind))
            && (area.values.is_empty()
                || self
                    .value_relation()
                    .is_some_and(|one| area.values.contains(&one)))
    }

    fn shows_all(&self, area: &Area) -> bool {
        area.signs.iter().all(|sign| self.shows(*sign))
    }
}

impl Catalogue {
    /// The check in whose area a violation lies.
    pub(super) fn failed_by(self, asked: Asked<'_>, aspect: Aspect) -> &'static Check {
        let asked = asked.by_only_filter();
        self.most_meant(|area| asked.fails(area, aspect))
    }

    /// The check that fails if pages of a filtered list are wrong.
    pub(super) fn of_filtered_pages(self) -> &'static Check {
        let counts = ParameterCounts {
            filters: 1,
            page: 1,
            ..ParameterCounts::default()
        };
        let is_of_pages = |area: &Area| area.aspects.contains(&Aspect::Page) && area.kinds.is_empty();
        self.most_meant(|area| is_of_pages(area) && !area.is_disturbed && counts.are_in(area))
    }

    /// The check that fails if something matters that must not.
    pub(super) fn of_disturbance(self) -> &'static Check {
        self.most_meant(|area| area.is_disturbed)
    }

    /// The check whose area has the most signs of all that are meant, the first of several. If no area is meant, it is the first
    /// check of all.
    fn most_meant(self, is_meant: impl Fn(&Area) -> bool) -> &'static Check {
        let checks = self.all();
        let areas = checks.flat_map(|check| check.region.failed_by.iter().map(move |area| (check, area)));
        let meant = areas.filter(|(_, area)| is_meant(area));
        let most = meant.min_by_key(|(_, area)| Reverse(area.signs.len()));
        most.map_or_else(|| self.first(), |(check, _)| check)
    }

    /// The checks of a stage that a query exercises, or one filter of it.
    pub(super) fn exercised_by(self, asked: Asked<'_>, stage: Stage) -> impl Iterator<Item = &'static Check> {
        let is_exercised = move |check: &&Check| {
            let mut areas = check.region.exercised_by.iter();
            check.stage == Some(stage) && areas.any(|area| asked.exercises(area))
        };
        self.all().filter(is_exercised)
    }

    /// The checks that have to look at every filter of a kind.
    pub(super) fn owing(self, kind: FilterKind) -> impl Iterator<Item = &'static Check> {
        self.all().filter(move |check| {
            let mut areas = check.region.exercised_by.iter();
            check.region.owes != Owes::Nothing && areas.any(|area| area.kinds.contains(&kind))
        })
    }
}
