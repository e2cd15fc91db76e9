//! Candidates: for each kind of need a query that may meet it, about a record that is drawn.

use std::cmp::Reverse;

use super::kinds::Kind;
use super::*;
use crate::corpus::record_set::RecordSet;
use crate::plan::goals::size::{BROAD, DRAWS, NEW_VALUES, TOGETHER};

impl Planner<'_> {
    /// Queries that meet a need, so many at most.
    pub(super) fn candidates(&mut self, need: &Need, tries: usize) -> Vec<Recipe> {
        match *need {
            Need::Query(ref recipe) => vec![recipe.clone()],
            Need::Pair(one, other) => {
                let pair = [one, other];
                let mut recipes: Vec<Recipe> = (0..tries).filter_map(|_| self.pair(pair, true)).collect();
                if recipes.is_empty() {
                    recipes = (0..tries).filter_map(|_| self.pair(pair, false)).collect();
                }
                recipes
            }
            // The first is as good as any, and most are none.
            Need::Conjunction(..) | Need::Contradiction(_) => {
                let first = (0..tries).find_map(|_| self.candidate(need));
                first.into_iter().collect()
            }
            _ => (0..tries).filter_map(|_| self.candidate(need)).collect(),
        }
    }

    fn candidate(&mut self, need: &Need) -> Option<Recipe> {
        match *need {
            Need::Query(_) | Need::Pair(..) => None,
            Need::Beside(value) => self.beside(value),
            Need::Hidden(filter) => self.hidden(filter),
            Need::Deleted(filter) => self.deleted(filter),
            Need::SortedDeleted(field) => self.sorted_deleted(field),
            Need::SortedPage(field, down, filters) => self.sorted_page((field, down), filters),
            Need::Behind(value, way, between) => Some(self.page_behind(value, way, between)),
            Need::Conjunction(count, is_dressed) => self.joined(count, is_dressed),
            Need::Contradiction(is_dressed) => self.contradiction(is_dressed),
            Need::Couple(one, other) => self.couple([one, other]),
            Need::Value(value) => Some(self.valued(value)),
            Need::Near(value, most) => Some(self.near(value, most)),
            Need::Any => self.any(),
        }
    }

    /// A query for a value and for values of the same record that are still to be asked for.
    fn beside(&mut self, value: (usize, usize)) -> Option<Recipe> {
        let domain = self.domain;
        let record = self.one_of(domain.found(value))?;
        let mut recipe = Recipe::by([value]);
        let mut filters = domain.filters(|_| true);
        self.shuffle(&mut filters);
        for filter in filters {
            if recipe.filters.len() < TOGETHER {
                self.add_new_value(&mut recipe, record, filter);
            }
        }
        // Without the word that shows it the record must stay hidden.
        if !domain.usual.has(record) && self.choice.below(3) > 0 {
            self.add_scope(&mut recipe, record);
        }
        self.page(&mut recipe);
        Some(recipe)
    }

    /// A query for a soft-deleted record that says nothing of soft deletion. A few filters go together: one of them that
    /// finds it is enough.
    fn hidden(&mut self, filter: usize) -> Option<Recipe> {
        let domain = self.domain;
        let record = self.one_of(&domain.deleted().and(&domain.filters[filter].findable))?;
        let mut recipe = Recipe::default();
        let others = domain.filters(|one| one.findable.meets(&domain.usual) && !one.is_scope);
        let is_open = |other: &usize| *other != filter && !self.done.contains(&Need::Hidden(*other));
        let mut others: Vec<usize> = others.into_iter().filter(is_open).collect();
        self.shuffle(&mut others);
        for one in [filter].into_iter().chain(others) {
            if recipe.filters.len() < TOGETHER {
                let level = self.level(one, record, false, false);
                recipe.filters.extend(level.map(|level| (one, level)));
            }
        }
        Some(recipe)
    }

    /// A query for soft-deleted records by some filters, each of which excludes one that everything else includes.
    fn deleted(&mut self, filter: usize) -> Option<Recipe> {
        let domain = self.domain;
        let mut recipe = Recipe::by([domain.narrowest_scope()?]);
        let is_open = |other: &usize| *other != filter && !self.done.contains(&Need::Deleted(*other));
        let others = domain.filters(|one| !one.is_scope).into_iter().filter(is_open);
        let others: Vec<usize> = others.collect();
        let drawn = self.choice.some(&others, BROAD).into_iter();
        for one in [filter].into_iter().chain(drawn) {
            if recipe.filters.len() == TOGETHER {
                break;
            }
            let included = domain.included(&recipe);
            let excludes = |value: &(usize, usize)| included.meets(&domain.value(*value).verdicts.excluded);
            let fit: Vec<_> = domain.values(one).filter(excludes).collect();
            let Some(value) = self.choice.some(&fit, 1).pop() else {
                continue;
            };
            recipe.filters.push(value);
            if !(1..recipe.filters.len()).all(|at| domain.filter_matters(&recipe, at)) {
                recipe.filters.pop();
            }
        }
        recipe.has(filter).then(|| {
            let record = domain.included(&recipe).iter().next();
            self.decorate(&mut recipe, record.unwrap_or_default());
            recipe
        })
    }

    /// A query for the soft-deleted records alone in the order of a field, beside everything else.
    fn sorted_deleted(&mut self, field: usize) -> Option<Recipe> {
        let mut recipe = Recipe::by([self.domain.narrowest_scope()?]);
        recipe.sort.push((field, self.flip()));
        let record = self.domain.included(&recipe).iter().next();
        self.decorate(&mut recipe, record.unwrap_or_default());
        Some(recipe)
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
            recipe.filters.extend(self.domain.widest_scope());
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
        let later = self.domain.pages(&recipe).saturating_sub(1).max(1);
        recipe.page = Some(2 + self.choice.below(later));
        self.add_all_that_fits(&mut recipe, record);
        Some(recipe)
    }

    /// The page behind the last one that a value has: alone, in an order, or beside everything. `between` two other filters that
    /// many records pass: the value may be forgotten, or everything but the first filter or the last one.
    fn page_behind(&mut self, value: (usize, usize), way: usize, between: bool) -> Recipe {
        let domain = self.domain;
        let mut recipe = Recipe::by([value]);
        // Up to the last page that the list has without the filter.
        let mut last = domain.count.div_ceil(domain.page_size.max(1));
        if between {
            let others = self.broadest(value.0);
            last = domain.pages(&Recipe::by(others.clone()));
            for (place, other) in others.into_iter().enumerate() {
                recipe.filters.insert(2 * place, other);
            }
        }
        let own = domain.pages(&recipe).max(1);
        let further = match way {
            0 => 1,
            _ => last.saturating_sub(own).max(1),
        };
        recipe.page = Some(own + 1 + self.choice.below(further));
        match way {
            0 => {}
            1 => self.add_keys(&mut recipe),
            _ => {
                let record = self.choice.below(domain.count.max(1));
                self.add_all_that_fits(&mut recipe, record);
            }
        }
        recipe
    }

    /// Two other filters at most, each with a value that many records pass: the best of some filters that are drawn.
    fn broadest(&mut self, other_than: usize) -> Vec<(usize, usize)> {
        let domain = self.domain;
        let mut others = domain.filters(|one| !one.is_scope);
        others.retain(|filter| *filter != other_than);
        let drawn = self.choice.some(&others, BROAD / 2).into_iter();
        let passed = |value: &(usize, usize)| domain.usual_of(domain.value(*value));
        let broad = drawn.filter_map(|filter| domain.values(filter).max_by_key(passed));
        let mut broad: Vec<_> = broad.collect();
        broad.sort_by_key(|value| Reverse(passed(value)));
        broad.truncate(2);
        broad
    }

    /// So many filters that find a record together and all matter.
    fn joined(&mut self, count: usize, is_dressed: bool) -> Option<Recipe> {
        let mut recipe = self.conjunction(count)?;
        if is_dressed {
            let included = self.domain.included(&recipe).iter().next();
            self.decorate(&mut recipe, included.unwrap_or_default());
        }
        let is_fit = self.domain.all_matter(&recipe) && recipe.filters.len() == count;
        is_fit.then_some(recipe)
    }

    /// Filters that find a record together.
    fn conjunction(&mut self, count: usize) -> Option<Recipe> {
        let record = self.record(&[])?;
        let filters = self
            .domain
            .filters(|one| !one.is_scope && one.findable.has(record));
        let mut recipe = Recipe::default();
        for filter in self.choice.some(&filters, count) {
            let level = self.level(filter, record, true, false);
            recipe.filters.extend(level.map(|level| (filter, level)));
        }
        self.shuffle(&mut recipe.filters);
        self.page(&mut recipe);
        Some(recipe)
    }

    /// Two filters of which each finds records and no record passes both.
    fn contradiction(&mut self, is_dressed: bool) -> Option<Recipe> {
        let mut recipe = self.conjunction(2)?;
        let (filter, level) = recipe.filters.get_mut(1)?;
        *level = self.choice.below(self.domain.filters[*filter].levels.len());
        recipe.page = None;
        recipe.first_page = false;
        let finds_nothing = self.domain.included(&recipe).is_empty();
        if !finds_nothing || !self.domain.all_matter(&recipe) {
            return None;
        }
        if is_dressed {
            let record = self.choice.below(self.domain.count);
            self.decorate(&mut recipe, record);
        }
        Some(recipe)
    }

    /// Parameters of two kinds that both matter.
    fn couple(&mut self, kinds: [Kind; 2]) -> Option<Recipe> {
        let domain = self.domain;
        let record = self.choice.below(domain.count.max(1));
        let mut recipe = Recipe::default();
        for kind in kinds {
            self.add_kind(&mut recipe, kind, record)?;
        }
        let pages = domain.pages(&recipe);
        if kinds.contains(&Kind::Page) {
            let later = 2 + self.choice.below(pages.saturating_sub(1).max(1));
            self.turn_to(&mut recipe, later)?;
        } else {
            recipe.first_page = pages > 1;
        }
        let included = domain.included(&recipe);
        let has = |(relation, _): &(usize, usize)| domain.relations[*relation].has.meets(&included);
        let is_fit = domain.all_matter(&recipe)
            && (0..recipe.sort.len()).all(|at| domain.sort_matters(&recipe, at, &included))
            && recipe.include.iter().all(has);
        is_fit.then_some(recipe)
    }

    /// A query for a value, beside other values of a record that has it and beside everything else.
    fn valued(&mut self, value: (usize, usize)) -> Recipe {
        let domain = self.domain;
        let mut recipe = Recipe::by([value]);
        let record = self.one_of(domain.found(value)).unwrap_or_default();
        if !domain.usual.has(record) {
            self.add_scope(&mut recipe, record);
        }
        for _ in 0..DRAWS {
            if recipe.filters.len() < NEW_VALUES {
                let filter = self.choice.below(domain.filters.len());
                self.add_new_value(&mut recipe, record, filter);
            }
        }
        self.dress(&mut recipe, record);
        self.page(&mut recipe);
        recipe
    }

    /// A query for a value that is nearly one, beside so many filters at most.
    fn near(&mut self, value: (usize, usize), most: usize) -> Recipe {
        let domain = self.domain;
        let mut recipe = Recipe {
            first_page: true,
            ..Recipe::by([value])
        };
        let near = &domain.value(value).near;
        let live = near.and(&domain.usual);
        let record = self.one_of(if live.is_empty() { near } else { &live });
        let record = record.unwrap_or_else(|| self.choice.below(domain.count.max(1)));
        // Another filter could hide what this one finds wrongly: the record passes all of them.
        if !domain.usual.has(record) {
            self.add_scope(&mut recipe, record);
        } else if self.flip() {
            recipe.filters.extend(domain.widest_scope());
        }
        for _ in 0..self.choice.below(most + 1) {
            let other = self.choice.below(domain.filters.len());
            if !recipe.has(other) && !domain.filters[other].is_scope {
                let level = self.level(other, record, false, false);
                recipe.filters.extend(level.map(|level| (other, level)));
            }
        }
        self.add_all_that_fits(&mut recipe, record);
        recipe
    }

    /// A query in which both tokens of a pair matter; without `both` one of them may only be there.
    fn pair(&mut self, wanted: [Token; 2], both: bool) -> Option<Recipe> {
        let record = self.record(&wanted)?;
        let mut recipe = Recipe::default();
        let is_broad = wanted.iter().any(|token| token.needs_many());
        let is_apart = !is_broad && self.choice.below(3) == 0;
        for (at, token) in wanted.iter().enumerate() {
            self.add(&mut recipe, *token, record, (is_broad, is_apart && at == 1))?;
        }
        if is_broad {
            for _ in 0..self.choice.below(BROAD) {
                self.add_broad(&mut recipe, record);
            }
            self.add_harmless(&mut recipe);
        } else {
            self.dress(&mut recipe, record);
        }
        let pages = wanted.iter().find_map(|token| match token {
            Token::Page(page) => Some(*page),
            _ => None,
        });
        match pages {
            Some(page) => self.turn_to(&mut recipe, page)?,
            None => self.page(&mut recipe),
        }
        if is_broad && self.choice.below(4) > 0 {
            self.decorate(&mut recipe, record);
        }
        let tokens = self.tokens(&recipe);
        let mut matter = wanted.iter().map(|token| tokens.contains(token));
        let is_fit = match both {
            true => matter.all(|matters| matters),
            false => matter.any(|matters| matters),
        };
        is_fit.then_some(recipe)
    }

    /// A query about some record in which many things matter, half of the time about one that is soft-deleted.
    fn any(&mut self) -> Option<Recipe> {
        let wanted = self.flip().then_some(Token::ManyOfDeleted);
        let record = self.record(wanted.as_slice())?;
        let mut recipe = Recipe::default();
        self.dress(&mut recipe, record);
        self.page(&mut recipe);
        Some(recipe)
    }

    /// One of some records.
    pub(super) fn one_of(&mut self, records: &RecordSet) -> Option<usize> {
        let records: Vec<usize> = records.iter().collect();
        self.choice.some(&records, 1).pop()
    }
}
