//! Queries for one purpose each: values that find nothing, flags, filters that all matter, filters that contradict each other.

use rollcall_contract::Match;

use super::candidate::BROAD;

use super::*;
use crate::corpus::record_set::RecordSet;

/// So many queries have three or four filters that all matter; of a list with few filters one for each.
const CONJUNCTIONS: usize = 16;
/// So many queries have two filters that contradict each other.
const CONTRADICTIONS: usize = 8;
/// Of the queries for a later page some have so many broad filters at most, so that there are many pages.
const DEEP: usize = 3;
/// So many pairs of relations are asked for by themselves.
const RELATIONS: usize = 6;
/// An answer may have so many records to be short, even if pages are smaller.
const SHORT: usize = 8;
/// So many filters go together where each of them may find what must stay hidden.
const TOGETHER: usize = 4;

impl Planner<'_> {
    /// Asks for every value of every flag, and for the words that show few records, beside all relations, and beside an order, with all records that the value finds:
    /// a flag that forgets some records shows in few of them.
    pub(super) fn cover_flags(&mut self) {
        for (filter, one) in self.domain.filters.iter().enumerate() {
            let is_short = |included: &RecordSet| included.len() <= self.domain.count / 2;
            let levels = (0..one.levels.len()).filter(|level| {
                let included = &one.levels[*level].verdicts.included;
                let is_it = one.is_flag() || one.is_scope && is_short(included);
                is_it && !included.is_empty()
            });
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

    /// Asks by every filter for a soft-deleted record that has the value, and says nothing of soft deletion: the record must not
    /// be found. A few filters go together: one of them that finds it is enough.
    pub(super) fn cover_hidden_records(&mut self) {
        let hidden = RecordSet::of(self.domain.count, |_| true).minus(&self.domain.usual);
        let mut asked = BTreeSet::new();
        let mut filters: Vec<usize> = (0..self.domain.filters.len()).collect();
        filters.retain(|filter| !self.domain.filters[*filter].is_scope);
        self.shuffle(&mut filters);
        for filter in filters.clone() {
            let found = hidden.and(&self.domain.filters[filter].findable);
            let records: Vec<usize> = found.iter().collect();
            let Some(record) = self
                .choice
                .some(&records, 1)
                .pop()
                .filter(|_| !asked.contains(&filter))
            else {
                continue;
            };
            let mut recipe = Recipe::default();
            let others = filters
                .iter()
                .filter(|other| **other != filter && !asked.contains(*other));
            let together: Vec<usize> = [filter].into_iter().chain(others.copied()).collect();
            for one in together {
                if recipe.filters.len() < TOGETHER
                    && let Some(level) = self.level(one, record, false, false)
                {
                    recipe.filters.push((one, level));
                }
            }
            asked.extend(recipe.filters.iter().map(|(filter, _)| *filter));
            let tokens = self.tokens(&recipe);
            self.take(&recipe, &tokens);
        }
    }

    /// The word about soft deletion that shows the most records.
    pub(super) fn widest_scope(&self) -> Option<(usize, usize)> {
        let scope = self.domain.filters.iter().position(|filter| filter.is_scope)?;
        let levels = &self.domain.filters[scope].levels;
        let widest = (0..levels.len()).max_by_key(|level| levels[*level].verdicts.included.len())?;
        Some((scope, widest))
    }

    /// Asks for a later page in the order of every sort field in both directions, beside everything else: what is lost there
    /// is lost for few. Records without a value stand at one end, so one direction shows values early and the other late.
    pub(super) fn cover_sorted_pages(&mut self) {
        if !self.domain.has_pages {
            return;
        }
        for field in 0..self.domain.sorts.len() {
            // In one direction without a filter: some faults show beside none.
            let bare = self.flip();
            for descending in [false, true] {
                let most = match descending == bare {
                    true => 0,
                    false if self.flip() => BROAD,
                    false => DEEP,
                };
                let pages = (0..CANDIDATES).filter_map(|_| self.sorted_page((field, descending), most));
                let pages = pages.collect();
                self.take_best_of(pages);
            }
        }
    }

    /// A later page in an order, of what some broad filters find.
    fn sorted_page(&mut self, key: (usize, bool), filters: usize) -> Option<Recipe> {
        let record = self.record(&[])?;
        let mut recipe = Recipe {
            sort: vec![key],
            ..Recipe::default()
        };
        // Where soft-deleted records stand shows in one direction.
        if key.1 {
            recipe.filters.extend(self.widest_scope());
        }
        for _ in 0..filters {
            self.add_broad(&mut recipe, record);
            if self.domain.included(&recipe).len() <= self.domain.page_size * 2 {
                recipe.filters.pop();
            }
        }
        if filters > 0 {
            self.add_harmless(&mut recipe);
            if self.flip() {
                self.add_scope(&mut recipe, record);
            }
        }
        let later = self.pages(&recipe).saturating_sub(1).max(1);
        recipe.page = Some(2 + self.choice.below(later));
        self.add_all_that_fits(&mut recipe, record);
        Some(recipe)
    }

    /// How many pages an answer has.
    pub(super) fn pages(&self, recipe: &Recipe) -> usize {
        let included = self.domain.included(recipe).len();
        included.div_ceil(self.domain.page_size.max(1))
    }

    /// Adds all sort keys and relations that fit.
    pub(super) fn add_all_that_fits(&mut self, recipe: &mut Recipe, record: usize) {
        match self.domain.takes_everything {
            true => self.add_everything(recipe),
            false => self.decorate(recipe, record),
        }
    }

    /// Asks for each relation alone, and for two of them in both orders, by a filter that finds a page of records with the
    /// relation and without: what one relation does to the list or to another one is lost beside all the others.
    pub(super) fn cover_relations(&mut self) {
        let offered = |relation: &usize| self.domain.relations[*relation].forms[0].is_some();
        let offered: Vec<usize> = (0..self.domain.relations.len()).filter(offered).collect();
        for relation in &offered {
            self.related(&[*relation]);
        }
        let neighbours: Vec<[usize; 2]> = offered.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        for [one, other] in self.choice.some(&neighbours, RELATIONS) {
            self.related(&[one, other]);
            self.related(&[other, one]);
        }
    }

    /// A query for some relations that short answers show the most of.
    fn related(&mut self, relations: &[usize]) {
        let domain = self.domain;
        let most = domain.page_size.max(SHORT);
        let score = |included: &RecordSet| {
            let has = relations.iter().fold(included.clone(), |set, relation| {
                set.and(&domain.relations[*relation].has)
            });
            let with = has.len();
            with.min(10) * 4 + (included.len() - with).min(5)
        };
        let values = domain.filters.iter().enumerate().flat_map(|(filter, one)| {
            let levels = (0..one.levels.len()).map(move |level| (filter, level));
            levels.filter(|_| one.filter.matching == Match::Exact)
        });
        let short = values.filter_map(|value| {
            let recipe = Recipe {
                filters: vec![value],
                ..Recipe::default()
            };
            let included = domain.included(&recipe);
            let is_short = (2..=most).contains(&included.len());
            is_short.then(|| (score(&included), recipe))
        });
        let best = short.max_by_key(|(score, _)| *score).map(|(_, recipe)| recipe);
        let mut recipe = best.unwrap_or(Recipe {
            first_page: true,
            ..Recipe::default()
        });
        recipe.include = relations.iter().map(|relation| (*relation, 0)).collect();
        let tokens = self.tokens(&recipe);
        self.take(&recipe, &tokens);
    }

    /// Asks by three and four filters that all matter, half of the time by nothing else: what is lost there need not
    /// show elsewhere.
    pub(super) fn cover_conjunctions(&mut self) {
        for round in 0..CONJUNCTIONS.min(self.domain.filters.len()) {
            let count = 3 + round / 2 % 2;
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
        for round in 0..CONTRADICTIONS.min(self.domain.filters.len()) {
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
