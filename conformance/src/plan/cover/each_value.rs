//! Every value of every filter: some of them alone, since a filter that is lost shows best alone; the rest beside values of other
//! filters that the same record has.

use super::*;
use crate::plan::ValueRelation;
use crate::plan::sample::is_plain;

/// A query has so many values at most.
const TOGETHER: usize = 3;

impl Planner<'_> {
    /// Plans a query for each value.
    pub(super) fn each_value(&mut self) {
        let (mut rest, mut lost) = (Vec::new(), Vec::new());
        for (filter, one) in self.domain.filters.iter().enumerate() {
            let values = (0..one.levels.len()).map(|level| (filter, level));
            let is_found = |value: &(usize, usize)| !one.levels[value.1].included.is_empty();
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
            rest.extend(found);
        }
        // One of each kind: all of them are asked for beside everything else later.
        let kind = |(filter, level): &(usize, usize)| self.domain.filters[*filter].levels[*level].value.kind;
        lost.sort_by_key(|value| (kind(value), value.0));
        lost.dedup_by_key(|value| (kind(value), value.0));
        for (filter, level) in lost {
            self.alone(filter, level, true);
        }
        self.shuffle(&mut rest);
        for (filter, level) in rest.clone() {
            if !self.valued.contains(&(filter, level)) {
                self.beside(filter, level, &rest);
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
            self.page(&mut recipe);
        }
        self.take(&recipe, &[]);
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
            let has = self.domain.filters[*other].levels[*value].included.has(record);
            let is_new = recipe.filters.iter().all(|(known, _)| known != other);
            if is_open && has && is_new && recipe.filters.len() < TOGETHER {
                recipe.filters.push((*other, *value));
            }
        }
        if !self.domain.usual.has(record) {
            self.show_deleted(&mut recipe, record);
        }
        self.page(&mut recipe);
        self.take(&recipe, &[]);
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
