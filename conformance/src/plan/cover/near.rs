//! Values that are nearly one: each beside other values of a record that has the value, and beside everything else.

use super::*;
use crate::plan::ValueRelation;

/// Beside every second one so many filters at most find the record that has the value.
const BESIDE: usize = 12;
/// Beside the others so many: what is found wrongly may be another record that has the value.
const FEW_BESIDE: usize = 1;

impl Planner<'_> {
    /// Asks for every value that no record is known to have and that is nearly one: a query that finds nothing is one
    /// request, however much it asks for. The first of each kind was asked for alone.
    pub(super) fn cover_near(&mut self) {
        for (filter, one) in self.domain.filters.iter().enumerate() {
            if !one.is_plain() {
                continue;
            }
            let mut kinds = BTreeSet::new();
            for (level, known) in one.levels.iter().enumerate() {
                let kind = known.value.kind;
                let is_near = kind <= ValueRelation::Disguised && known.verdicts.included.is_empty();
                if !is_near || kinds.insert(kind) {
                    continue;
                }
                let most = if self.flip() { BESIDE } else { FEW_BESIDE };
                let candidates = (0..CANDIDATES).map(|_| self.near(filter, level, most));
                let candidates = candidates.collect();
                self.take_best(candidates);
            }
        }
    }

    /// A query for a value that is nearly one, beside so many filters at most.
    fn near(&mut self, filter: usize, level: usize, most: usize) -> (Recipe, Vec<Token>) {
        let domain = self.domain;
        let mut recipe = Recipe {
            filters: vec![(filter, level)],
            first_page: true,
            ..Recipe::default()
        };
        let near = &domain.filters[filter].levels[level].near;
        let live = near.and(&domain.usual);
        let records: Vec<usize> = if live.is_empty() { near } else { &live }.iter().collect();
        let record = match records.len() {
            0 => self.choice.below(domain.count.max(1)),
            count => records[self.choice.below(count)],
        };
        // Another filter could hide what this one finds wrongly: the record passes all of them.
        if !domain.usual.has(record) {
            self.add_scope(&mut recipe, record);
        } else if self.flip() {
            recipe.filters.extend(self.widest_scope());
        }
        for _ in 0..self.choice.below(most + 1) {
            let other = self.choice.below(domain.filters.len());
            let is_new = recipe.filters.iter().all(|(known, _)| *known != other);
            if is_new && !domain.filters[other].is_scope {
                let level = self.level(other, record, false, false);
                recipe.filters.extend(level.map(|level| (other, level)));
            }
        }
        self.add_all_that_fits(&mut recipe, record);
        let tokens = self.tokens(&recipe);
        (recipe, tokens)
    }
}
