//! Queries for one purpose each: values that find nothing, flags, filters that all matter, filters that contradict each other.

use super::candidate::BROAD;
use super::*;

/// So many queries have two, three or four filters that all matter.
const CONJUNCTIONS: usize = 30;
/// So many queries have two filters that contradict each other.
const CONTRADICTIONS: usize = 8;

impl Planner<'_> {
    /// Asks for every value that no record is known to have beside an order, relations and soft-deleted records: a query that
    /// finds nothing is one request, however much it asks for.
    pub(super) fn cover_lost(&mut self) {
        for (filter, one) in self.domain.filters.iter().enumerate() {
            for level in 0..one.levels.len() {
                if one.is_scope || one.is_flag() || !one.levels[level].included.is_empty() {
                    continue;
                }
                let mut recipe = Recipe {
                    first_page: true,
                    ..Recipe::default()
                };
                let record = self.choice.below(self.domain.count.max(1));
                recipe.filters.push((filter, level));
                // Another filter could hide what this one finds wrongly; the word that shows the most hides nothing.
                if self.flip() {
                    recipe.filters.extend(self.widest_scope());
                }
                match self.domain.takes_everything {
                    true => self.add_everything(&mut recipe),
                    false => self.decorate(&mut recipe, record),
                }
                let tokens = self.tokens(&recipe);
                self.take(&recipe, &tokens);
            }
        }
    }

    /// Asks for every value of every flag beside all relations, and beside an order, with all records that the value finds:
    /// a flag that forgets some records shows in few of them.
    pub(super) fn cover_flags(&mut self) {
        for (filter, one) in self.domain.filters.iter().enumerate() {
            let levels = (0..one.levels.len())
                .filter(|level| one.is_flag() && !one.levels[*level].included.is_empty());
            for level in levels {
                let mut queries = [(); 2].map(|()| Recipe {
                    filters: vec![(filter, level)],
                    ..Recipe::default()
                });
                if self.domain.takes_everything {
                    self.add_relations(&mut queries[0]);
                }
                self.add_keys(&mut queries[1]);
                for recipe in queries {
                    let tokens = self.tokens(&recipe);
                    self.take(&recipe, &tokens);
                }
            }
        }
    }

    /// The word about soft deletion that shows the most records.
    fn widest_scope(&self) -> Option<(usize, usize)> {
        let scope = self.domain.filters.iter().position(|filter| filter.is_scope)?;
        let levels = &self.domain.filters[scope].levels;
        let widest = (0..levels.len()).max_by_key(|level| levels[*level].included.len())?;
        Some((scope, widest))
    }

    /// Asks for a later page in the order of every sort field, beside everything else: what is lost there is lost for few.
    pub(super) fn cover_sorted_pages(&mut self) {
        if !self.domain.has_pages {
            return;
        }
        for field in 0..self.domain.sorts.len() {
            let Some(record) = self.record(&[]) else {
                return;
            };
            let mut recipe = Recipe {
                sort: vec![(field, self.flip())],
                ..Recipe::default()
            };
            for _ in 0..BROAD {
                self.add_broad(&mut recipe, record);
                if self.domain.included(&recipe).len() <= self.domain.page_size * 2 {
                    recipe.filters.pop();
                }
            }
            let pages = self
                .domain
                .included(&recipe)
                .len()
                .div_ceil(self.domain.page_size.max(1));
            recipe.page = Some(2 + self.choice.below(pages.saturating_sub(1).max(1)));
            match self.domain.takes_everything {
                true => self.add_everything(&mut recipe),
                false => self.decorate(&mut recipe, record),
            }
            let tokens = self.tokens(&recipe);
            self.take(&recipe, &tokens);
        }
    }

    /// Asks by two, three and four filters that all matter, half of the time by nothing else: what is lost there need not
    /// show elsewhere.
    pub(super) fn cover_conjunctions(&mut self) {
        for round in 0..CONJUNCTIONS {
            let count = 2 + round % 3;
            for _ in 0..TRIES * 5 {
                let Some(mut recipe) = self.conjunction(count) else {
                    continue;
                };
                if round % 2 == 1 {
                    let included = self.domain.included(&recipe).iter().next();
                    self.decorate(&mut recipe, included.unwrap_or_default());
                }
                let all_matter = (0..recipe.filters.len()).all(|at| self.domain.filter_matters(&recipe, at));
                if all_matter && recipe.filters.len() == count {
                    let tokens = self.tokens(&recipe);
                    self.take(&recipe, &tokens);
                    break;
                }
            }
        }
    }

    /// Filters that find a record together.
    fn conjunction(&mut self, count: usize) -> Option<Recipe> {
        if self.domain.filters.len() < count {
            return None;
        }
        let record = self.record(&[])?;
        let mut recipe = Recipe::default();
        for _ in 0..count * 2 {
            let filter = self.choice.below(self.domain.filters.len());
            let is_new = recipe.filters.iter().all(|(known, _)| *known != filter);
            if is_new && recipe.filters.len() < count && !self.domain.filters[filter].is_scope {
                let level = self.level(filter, record, true, false);
                recipe.filters.extend(level.map(|level| (filter, level)));
            }
        }
        self.page(&mut recipe);
        Some(recipe)
    }

    /// Asks by two filters of which each finds records and no record passes both, half of the time by nothing else.
    pub(super) fn cover_contradictions(&mut self) {
        for round in 0..CONTRADICTIONS {
            for _ in 0..TRIES * 5 {
                let Some(mut recipe) = self.conjunction(2) else {
                    continue;
                };
                let Some((filter, level)) = recipe.filters.get_mut(1) else {
                    continue;
                };
                *level = self.choice.below(self.domain.filters[*filter].levels.len());
                let finds_nothing = self.domain.included(&recipe).is_empty();
                if !finds_nothing || !(0..2).all(|at| self.domain.filter_matters(&recipe, at)) {
                    continue;
                }
                recipe.page = None;
                if round % 2 == 1 {
                    let record = self.choice.below(self.domain.count);
                    self.decorate(&mut recipe, record);
                }
                let tokens = self.tokens(&recipe);
                self.take(&recipe, &tokens);
                break;
            }
        }
    }
}
