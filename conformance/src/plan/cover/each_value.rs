//! Every value of every filter: some of them alone, since a filter that is lost shows best alone; the rest beside values of other
//! filters that the same record has.

use rollcall_contract::Match;

use super::*;
use crate::plan::sample::is_plain;
use crate::plan::{FilterDomain, ValueRelation};

/// An answer by a word or a flag is read to its end if it has so many pages at most.
const WHOLE: usize = 8;
/// A query has so many values at most.
const TOGETHER: usize = 4;

impl Planner<'_> {
    /// Plans a query for each value.
    pub(super) fn each_value(&mut self) {
        let (mut rest, mut lost) = (Vec::new(), Vec::new());
        for (filter, one) in self.domain.filters.iter().enumerate() {
            let values = (0..one.levels.len()).map(|level| (filter, level));
            let is_found = |value: &(usize, usize)| !one.levels[value.1].verdicts.included.is_empty();
            let (mut found, not_found): (Vec<_>, Vec<_>) = values.partition(is_found);
            lost.extend(not_found);
            if found.len() > one.alone {
                self.shuffle(&mut found);
                // What a filter does with a plain value tells more than what it does with an odd one.
                found.sort_by_key(|(_, level)| !is_plain(&one.levels[*level].value.value));
                // So does the value of most records, and the whole of one: they come first.
                let level = |value: &(usize, usize)| &one.levels[value.1];
                let is_whole = |value: &_| level(value).value.kind == ValueRelation::Whole;
                let whole = found.iter().position(is_whole).unwrap_or_default();
                found[..=whole].rotate_right(1);
                let most = (0..found.len()).max_by_key(|at| self.domain.usual_of(level(&found[*at])));
                found[..=most.unwrap_or_default()].rotate_right(1);
            }
            for (filter, level) in found.drain(..one.alone.min(found.len())) {
                self.alone(filter, level, false);
            }
            // One more of each kind, and one that is odd: all of them are asked for beside everything else later.
            let sort = |(_, level): &(usize, usize)| {
                let value = &one.levels[*level].value;
                (value.kind, is_plain(&value.value))
            };
            let mut sorts = BTreeSet::new();
            found.retain(|value| sorts.insert(sort(value)));
            rest.extend(found);
        }
        // One of each kind: all of them are asked for beside everything else later.
        let kind = |(filter, level): &(usize, usize)| self.domain.filters[*filter].levels[*level].value.kind;
        lost.sort_by_key(|value| (kind(value), value.0));
        lost.dedup_by_key(|value| (kind(value), value.0));
        for (filter, level) in lost {
            self.alone(filter, level, true);
        }
        self.between_bounds();
        self.shuffle(&mut rest);
        for (filter, level) in rest.clone() {
            if !self.valued.contains(&(filter, level)) {
                self.beside(filter, level, &rest);
            }
        }
    }

    /// Asks for what lies between two bounds of each timestamp: both bounds matter.
    fn between_bounds(&mut self) {
        let domain = self.domain;
        let filters = domain.filters.iter().enumerate();
        let pairs = filters.filter(|(_, one)| one.filter.matching == Match::After);
        let pairs = pairs.filter_map(|(after, one)| {
            let is_other = |other: &FilterDomain| {
                other.filter.matching == Match::Before && other.filter.places == one.filter.places
            };
            Some((after, domain.filters.iter().position(is_other)?))
        });
        for (after, before) in pairs {
            let levels = |filter: usize| 0..domain.filters[filter].levels.len();
            let windows =
                levels(after).flat_map(|from| levels(before).map(move |to| [(after, from), (before, to)]));
            let mut windows: Vec<Recipe> = windows
                .map(|filters| {
                    let mut recipe = Recipe {
                        filters: filters.into(),
                        ..Recipe::default()
                    };
                    if domain.included(&recipe).is_empty() {
                        recipe.filters.extend(self.widest_scope());
                    }
                    recipe
                })
                .collect();
            windows.retain(|recipe| {
                let both_matter = (0..2).all(|at| domain.filter_matters(recipe, at));
                both_matter && !domain.included(recipe).is_empty()
            });
            // The fewest records: the answer is short.
            let window = windows
                .into_iter()
                .min_by_key(|recipe| domain.included(recipe).len());
            if let Some(recipe) = window {
                self.take_value(&recipe);
            }
        }
    }

    /// A query for one value. What no record has need not be read to its end.
    fn alone(&mut self, filter: usize, level: usize, first_page: bool) {
        let mut recipe = Recipe {
            filters: vec![(filter, level)],
            first_page,
            ..Recipe::default()
        };
        if !first_page {
            // Soft-deleted records alone have it: without the word that shows them nothing would be found.
            let known = &self.domain.filters[filter];
            if !known.is_scope && !known.levels[level].verdicts.included.meets(&self.domain.usual) {
                recipe.filters.extend(self.widest_scope());
            }
            // The few values of a word or a flag find many records each: what one of them loses shows in the whole answer only.
            let is_one_of_few = known.is_scope || known.is_flag() || known.filter.is_word();
            if !is_one_of_few || self.pages(&recipe) > WHOLE {
                self.page(&mut recipe);
            }
        }
        self.take_value(&recipe);
    }

    /// A query for a value and for values of the same record that are still to be asked for.
    fn beside(&mut self, filter: usize, level: usize, rest: &[(usize, usize)]) {
        let Some(record) = self.any_of(filter, level) else {
            return;
        };
        let mut recipe = Recipe {
            filters: vec![(filter, level)],
            ..Recipe::default()
        };
        for (other, value) in rest {
            let is_open = !self.valued.contains(&(*other, *value));
            let has = self.domain.filters[*other].levels[*value]
                .verdicts
                .included
                .has(record);
            let is_new = recipe.filters.iter().all(|(known, _)| known != other);
            if is_open && has && is_new && recipe.filters.len() < TOGETHER {
                recipe.filters.push((*other, *value));
            }
        }
        if !self.domain.usual.has(record) {
            self.show_deleted(&mut recipe, record);
        }
        self.page(&mut recipe);
        self.take_value(&recipe);
    }

    /// Takes a query for values: the pairs in it have to meet beside everything else as well.
    fn take_value(&mut self, recipe: &Recipe) {
        let tokens = self.tokens(recipe);
        self.add_query(recipe, &tokens);
    }

    /// Adds a word that shows a soft-deleted record, but not always: without it the record must stay hidden.
    fn show_deleted(&mut self, recipe: &mut Recipe, record: usize) {
        let scope = self.domain.filters.iter().position(|filter| filter.is_scope);
        if let (Some(scope), 1..) = (scope, self.choice.below(3)) {
            let level = self.level(scope, record, false, false);
            recipe.filters.extend(level.map(|level| (scope, level)));
        }
    }
}
