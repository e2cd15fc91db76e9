//! Parts of a query: a record that it is about, and the parameters that have something to do with the record.

use super::token::LAST;
use super::*;
use crate::corpus::record_set::RecordSet;
use crate::plan::goals::size::{BROAD, LEVELS, MANY, PAGES};

impl Planner<'_> {
    /// A record that a query with some tokens can find.
    pub(super) fn record(&mut self, wanted: &[Token]) -> Option<usize> {
        let domain = self.domain;
        let mut set = domain.usual.clone();
        for token in wanted {
            match token {
                Token::Relation(relation, _) => set = set.and(&domain.relations[*relation].has),
                Token::Usual | Token::ManyOfDeleted => set = domain.deleted(),
                Token::Scope(filter, level) => {
                    let scope = domain.found((*filter, *level));
                    // A word that shows soft-deleted records shows them.
                    let deleted = scope.minus(&domain.usual);
                    set = match deleted.is_empty() {
                        true => set.and(scope),
                        false => deleted,
                    };
                }
                _ => {}
            }
        }
        // A record that no value of a filter is known to find is of no use for it.
        for token in wanted {
            match token {
                Token::Filter(filter) | Token::Present(filter) => {
                    set = set.and(&domain.filters[*filter].findable);
                }
                Token::Flag(filter, level) => set = set.and(domain.found((*filter, *level))),
                Token::Class(class) => {
                    let values = self.of_class[*class].iter();
                    let none = RecordSet::of(domain.count, |_| false);
                    set = set.and(&values.fold(none, |set, value| set.or(domain.found(*value))));
                }
                _ => {}
            }
        }
        self.one_of(&set)
    }

    /// Adds a token to a query for a record; `is_apart` with a value that the record does not have.
    pub(super) fn add(
        &mut self,
        recipe: &mut Recipe,
        token: Token,
        record: usize,
        (is_broad, is_apart): (bool, bool),
    ) -> Option<()> {
        match token {
            Token::Filter(filter) | Token::Present(filter) => {
                let is_apart = is_apart && token == Token::Filter(filter);
                let level = self.level(filter, record, is_broad, is_apart)?;
                recipe.filters.push((filter, level));
            }
            Token::Flag(filter, level) => recipe.filters.push((filter, level)),
            Token::Scope(filter, level) => {
                let one = &self.domain.filters[filter];
                let alike = (0..one.levels.len()).filter(|other| one.known_word(*other) == level);
                let alike: Vec<usize> = alike.collect();
                let word = self.choice.some(&alike, 1).pop()?;
                recipe.filters.push((filter, word));
            }
            Token::Sort(field) => {
                recipe.sort.insert(0, (field, self.flip()));
            }
            Token::Sorted(field) => {
                recipe.sort.push((field, self.flip()));
            }
            Token::Key(place, descending) => {
                while recipe.sort.len() <= place {
                    let field = self.choice.below(self.domain.sorts.len());
                    if recipe.sorts_by(field) {
                        return None;
                    }
                    recipe.sort.push((field, self.flip()));
                }
                recipe.sort[place].1 = descending;
            }
            Token::Relation(relation, form) => recipe.include.push((relation, form)),
            Token::Form(form) => {
                let is_fit = |relation: &usize| {
                    self.domain.relations[*relation].has.has(record) && !recipe.includes(*relation)
                };
                let fit: Vec<usize> = (0..self.domain.relations.len()).filter(is_fit).collect();
                let relation = self.choice.some(&fit, 1).pop()?;
                recipe.include.push((relation, form));
            }
            Token::Class(class) => {
                let value = self.of_class(class, record, recipe)?;
                recipe.filters.push(value);
            }
            Token::Many | Token::ManyOfDeleted => {
                if token == Token::ManyOfDeleted {
                    self.add_scope(recipe, record);
                }
                for _ in 0..BROAD {
                    self.add_broad(recipe, record);
                }
                if recipe.filters.len() < MANY {
                    return None;
                }
            }
            Token::Page(_) | Token::Usual | Token::Near(_) => {}
        }
        let forms = recipe.include.iter();
        let is_offered = forms
            .map(|(relation, form)| &self.domain.relations[*relation].forms[*form])
            .all(Option::is_some);
        is_offered.then_some(())
    }

    /// A value of a class that finds a record, by a filter that the query does not have. Of several values it is the value with
    /// the most records, so that the other filters still matter.
    fn of_class(&mut self, class: usize, record: usize, recipe: &Recipe) -> Option<(usize, usize)> {
        let domain = self.domain;
        let is_fit = |value: &&(usize, usize)| !recipe.has(value.0) && domain.found(**value).has(record);
        let fit: Vec<(usize, usize)> = self.of_class[class].iter().filter(is_fit).copied().collect();
        self.most_found(&fit, LEVELS)
    }

    /// Draws some values, and takes the value that finds the most records.
    fn most_found(&mut self, values: &[(usize, usize)], draws: usize) -> Option<(usize, usize)> {
        let drawn = (0..draws).map(|_| self.choice.below(values.len().max(1)));
        let drawn: Vec<usize> = drawn.collect();
        let drawn = drawn.into_iter().filter_map(|at| values.get(at).copied());
        drawn.max_by_key(|value| self.domain.found(*value).len())
    }

    /// Adds the filter of soft deletion, with a word that shows a record.
    pub(super) fn add_scope(&mut self, recipe: &mut Recipe, record: usize) {
        if let Some(scope) = self.domain.scope().filter(|scope| !recipe.has(*scope)) {
            let level = self.level(scope, record, false, false);
            recipe.filters.extend(level.map(|level| (scope, level)));
        }
    }

    /// Adds a filter with a value that finds a record, many others, and not all: every filter of the query still matters.
    pub(super) fn add_broad(&mut self, recipe: &mut Recipe, record: usize) {
        if !self.domain.filters.is_empty() {
            let filter = self.choice.below(self.domain.filters.len());
            self.add_broad_value(recipe, record, filter);
        }
    }

    /// Adds such a value of one filter, unless the query has it or it is about soft deletion.
    pub(super) fn add_broad_value(&self, recipe: &mut Recipe, record: usize, filter: usize) {
        let domain = self.domain;
        if recipe.has(filter) || domain.filters[filter].is_scope {
            return;
        }
        let found = domain.included(recipe);
        let is_fit = |value: &(usize, usize)| {
            domain.found(*value).has(record) && found.meets(&domain.value(*value).verdicts.excluded)
        };
        let fit = domain.values(filter).filter(is_fit);
        let Some(value) = fit.max_by_key(|value| found.and(domain.found(*value)).len()) else {
            return;
        };
        let mattering = |recipe: &Recipe| {
            let places = 0..recipe.filters.len();
            places.filter(|at| domain.filter_matters(recipe, *at)).count()
        };
        let before = mattering(recipe);
        recipe.filters.push(value);
        if mattering(recipe) <= before {
            recipe.filters.pop();
        }
    }

    /// A value of a filter that finds a record; `is_apart` a value that excludes the record. `is_broad` takes the value that
    /// finds the most records of several.
    pub(super) fn level(
        &mut self,
        filter: usize,
        record: usize,
        is_broad: bool,
        is_apart: bool,
    ) -> Option<usize> {
        let domain = self.domain;
        let fits = |value: &(usize, usize)| match is_apart {
            true => domain.value(*value).verdicts.excluded.has(record) && !domain.found(*value).is_empty(),
            false => domain.found(*value).has(record),
        };
        let fit: Vec<_> = domain.values(filter).filter(fits).collect();
        let value = self.most_found(&fit, if is_broad { LEVELS } else { 1 });
        value.map(|(_, level)| level)
    }

    /// Adds a value of a record that was not asked for.
    pub(super) fn add_new_value(&mut self, recipe: &mut Recipe, record: usize, filter: usize) {
        let domain = self.domain;
        if !recipe.has(filter) && domain.filters[filter].is_plain() {
            let is_fit = |value: &(usize, usize)| {
                domain.found(*value).has(record) && !self.done.contains(&Need::Value(*value))
            };
            let fit: Vec<_> = domain.values(filter).filter(is_fit).collect();
            recipe.filters.extend(self.choice.some(&fit, 1));
        }
    }

    /// Chooses a page where the answer has many.
    pub(super) fn page(&mut self, recipe: &mut Recipe) {
        let pages = self.domain.pages(recipe);
        if pages <= PAGES {
            // The first page must be the same with its number.
            if pages == 1 && self.domain.has_pages && self.choice.below(3) == 0 {
                recipe.page = Some(1);
            }
            return;
        }
        if !self.domain.has_pages {
            recipe.first_page = true;
            return;
        }
        let page = match self.choice.below(5) {
            0 => {
                recipe.first_page = true;
                return;
            }
            page => page,
        };
        recipe.page = Some(if page < pages { page } else { pages });
    }

    /// Asks for a page by its number.
    pub(super) fn turn_to(&mut self, recipe: &mut Recipe, page: usize) -> Option<()> {
        let pages = self.domain.pages(recipe);
        let number = if page == LAST { pages } else { page };
        let is_there = (1..=pages).contains(&number) && (page != LAST || pages > 3);
        recipe.page = Some(number);
        is_there.then_some(())
    }
}
