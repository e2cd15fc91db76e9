//! Queries for the soft-deleted records alone: a filter that does not count for them is lost beside all other records.

use std::cmp::Reverse;

use super::*;
use crate::corpus::Projection;
use crate::plan::domain::PlannedValue;

/// So many filters go together.
const TOGETHER: usize = 3;
/// So many are drawn for that.
const DRAWN: usize = 12;
/// By so many related records soft-deleted ones are asked for.
const COMMON: usize = 3;
/// So many queries are made for a filter, of which the best is taken.
const ATTEMPTS: usize = 24;

impl Planner<'_> {
    /// Asks for soft-deleted records by every filter that can exclude one of them which everything else in the query includes.
    pub(super) fn cover_deleted_records(&mut self) {
        let Some(scope) = self.narrowest_scope() else {
            return;
        };
        let filters = self.domain.filters.iter().enumerate();
        let mut left: Vec<usize> = filters
            .filter_map(|(at, filter)| (!filter.is_scope).then_some(at))
            .collect();
        self.shuffle(&mut left);
        self.cover_related_of_deleted(scope, &left);
        while let Some(filter) = left.pop() {
            let attempts: Vec<Recipe> = (0..ATTEMPTS)
                .filter_map(|_| self.excluding(scope, filter, &left))
                .collect();
            let Some(mut recipe) = attempts.into_iter().max_by_key(|recipe| recipe.filters.len()) else {
                continue;
            };
            left.retain(|other| recipe.filters.iter().all(|(known, _)| known != other));
            let record = self.domain.included(&recipe).iter().next();
            self.decorate(&mut recipe, record.unwrap_or_default());
            let tokens = self.tokens(&recipe);
            self.take(&recipe, &tokens);
        }
    }

    /// Asks for the soft-deleted records alone in the order of every sort field, beside everything else: among all records their
    /// order shows for few.
    pub(super) fn cover_sorted_deleted(&mut self) {
        let Some(scope) = self.narrowest_scope() else {
            return;
        };
        for field in 0..self.domain.sorts.len() {
            let orders = (0..CANDIDATES).map(|_| {
                let mut recipe = Recipe {
                    filters: vec![scope],
                    sort: vec![(field, self.flip())],
                    ..Recipe::default()
                };
                let record = self.domain.included(&recipe).iter().next();
                self.decorate(&mut recipe, record.unwrap_or_default());
                recipe
            });
            let orders = orders.collect();
            self.take_best_of(orders);
        }
    }

    /// Asks by the commonest related records for the soft-deleted records that have one of them, and for the relation: the
    /// filter proves that it is there.
    fn cover_related_of_deleted(&mut self, scope: (usize, usize), filters: &[usize]) {
        let domain = self.domain;
        for filter in filters {
            let one = &domain.filters[*filter];
            let Projection::Including(name) = &one.filter.projection else {
                continue;
            };
            let mut relations = domain.relations.iter();
            let relation = relations.position(|relation| relation.forms[0].as_ref() == Some(name));
            let Some(relation) = relation else {
                continue;
            };
            let mut levels: Vec<usize> = (0..one.levels.len()).collect();
            levels.sort_by_key(|level| Reverse(one.levels[*level].verdicts.included.len()));
            for level in levels.into_iter().take(COMMON) {
                let recipe = Recipe {
                    filters: vec![scope, (*filter, level)],
                    include: vec![(relation, 0)],
                    ..Recipe::default()
                };
                let tokens = self.tokens(&recipe);
                self.take(&recipe, &tokens);
            }
        }
    }

    /// The word that shows the soft-deleted records alone.
    fn narrowest_scope(&self) -> Option<(usize, usize)> {
        let scope = self.domain.filters.iter().position(|filter| filter.is_scope)?;
        let mut levels = self.domain.filters[scope].levels.iter();
        let is_narrow = |level: &PlannedValue| {
            let included = &level.verdicts.included;
            !included.is_empty() && !included.meets(&self.domain.usual)
        };
        levels.position(is_narrow).map(|level| (scope, level))
    }

    /// A query with a filter and some others, each of which matters.
    fn excluding(&mut self, scope: (usize, usize), filter: usize, others: &[usize]) -> Option<Recipe> {
        let mut recipe = Recipe {
            filters: vec![scope],
            ..Recipe::default()
        };
        let drawn = self.choice.some(others, DRAWN).into_iter();
        for one in [filter].into_iter().chain(drawn) {
            if recipe.filters.len() > TOGETHER {
                break;
            }
            let levels = &self.domain.filters[one].levels;
            let included = self.domain.included(&recipe);
            let excludes = |level: &usize| included.meets(&levels[*level].verdicts.excluded);
            let fit: Vec<usize> = (0..levels.len()).filter(excludes).collect();
            let Some(level) = self.choice.some(&fit, 1).pop() else {
                continue;
            };
            recipe.filters.push((one, level));
            let mut values = 1..recipe.filters.len();
            if !values.all(|at| self.domain.filter_matters(&recipe, at)) {
                recipe.filters.pop();
            }
        }
        let has_it = recipe.filters.get(1).is_some_and(|(known, _)| *known == filter);
        has_it.then_some(recipe)
    }
}
