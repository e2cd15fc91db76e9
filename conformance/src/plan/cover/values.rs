//! Queries for the values that records have, several new ones of one record at once.

use super::Planner;
use super::token::Token;
use crate::plan::domain::Recipe;

/// So many candidates are made for a value.
const VALUE_TRIES: usize = 24;
/// A query has so many filters before values are no longer added because they are new.
const NEW_VALUES: usize = 8;
/// So many filters are drawn for new values.
const NEW_VALUE_DRAWS: usize = 60;
/// A value that was not asked for counts as much as so many triples.
const NEW_VALUE: usize = 400;

impl Planner<'_> {
    /// Asks for every value that some record has, beside everything else.
    pub(super) fn cover_values(&mut self) {
        let filters = self.domain.filters.iter().enumerate();
        let values =
            filters.flat_map(|(filter, one)| (0..one.levels.len()).map(move |level| (filter, level)));
        let mut values: Vec<_> = values.collect();
        self.shuffle(&mut values);
        for (filter, level) in values {
            let is_found = !self.domain.filters[filter].levels[level]
                .verdicts
                .included
                .is_empty();
            if !is_found || self.valued.contains(&(filter, level)) {
                continue;
            }
            let candidates: Vec<_> = (0..VALUE_TRIES).map(|_| self.valued(filter, level)).collect();
            let new = |recipe: &Recipe| {
                recipe
                    .filters
                    .iter()
                    .filter(|value| !self.valued.contains(value))
                    .count()
            };
            let best = candidates
                .into_iter()
                .max_by_key(|(recipe, tokens)| self.met.gain(tokens) + new(recipe) * NEW_VALUE);
            if let Some((recipe, tokens)) = best {
                self.take(&recipe, &tokens);
            }
        }
    }

    /// A query for a value, beside other values of a record that has it and beside everything else.
    fn valued(&mut self, filter: usize, level: usize) -> (Recipe, Vec<Token>) {
        let mut recipe = Recipe {
            filters: vec![(filter, level)],
            ..Recipe::default()
        };
        let record = self.any_of(filter, level).unwrap_or_default();
        if !self.domain.usual.has(record) {
            self.add_scope(&mut recipe, record);
        }
        for _ in 0..NEW_VALUE_DRAWS {
            if recipe.filters.len() < NEW_VALUES {
                self.add_new_value(&mut recipe, record);
            }
        }
        self.dress(&mut recipe, record);
        self.page(&mut recipe);
        let tokens = self.tokens(&recipe);
        (recipe, tokens)
    }

    /// Adds a value of a record that was not asked for.
    fn add_new_value(&mut self, recipe: &mut Recipe, record: usize) {
        let filter = self.choice.below(self.domain.filters.len());
        let one = &self.domain.filters[filter];
        let is_new = recipe.filters.iter().all(|(known, _)| *known != filter);
        if !is_new || !one.is_plain() {
            return;
        }
        let is_fit = |level: &usize| {
            one.levels[*level].verdicts.included.has(record) && !self.valued.contains(&(filter, *level))
        };
        let fit: Vec<usize> = (0..one.levels.len()).filter(is_fit).collect();
        let level = fit.get(self.choice.below(fit.len().max(1)));
        recipe.filters.extend(level.map(|level| (filter, *level)));
    }
}
