//! Candidates for a query: a record that the query is about, and the parameters that matter for it.

use super::token::MANY;
use super::*;
use crate::corpus::record_set::RecordSet;
use crate::plan::domain::PlannedValue;

/// So many values are drawn where one that finds many records is wanted.
pub(super) const DRAWS: usize = 4;
/// So often at most another filter is added to a query.
pub(super) const BROAD: usize = 12;

impl Planner<'_> {
    /// A query in which both tokens of a pair matter; without `both` one of them may only be there.
    pub(super) fn candidate(&mut self, pair: (Token, Token), both: bool) -> Option<(Recipe, Vec<Token>)> {
        let wanted = [pair.0, pair.1];
        let record = self.record(&wanted)?;
        let mut recipe = Recipe::default();
        // Several records have to be found where an order or a page is to show.
        let is_broad = wanted.iter().any(|token| {
            matches!(
                token,
                Token::Sort(_) | Token::Sorted(_) | Token::Key(..) | Token::Page(_)
            )
        });
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
        let is_fit = if both {
            matter.all(|matters| matters)
        } else {
            matter.any(|matters| matters)
        };
        is_fit.then_some((recipe, tokens))
    }

    /// A query about some record in which many things matter.
    pub(super) fn any_candidate(&mut self) -> Option<(Recipe, Vec<Token>)> {
        let wanted = if self.flip() {
            Some(Token::ManyOfDeleted)
        } else {
            None
        };
        let record = self.record(wanted.as_slice())?;
        let mut recipe = Recipe::default();
        self.dress(&mut recipe, record);
        self.page(&mut recipe);
        let tokens = self.tokens(&recipe);
        Some((recipe, tokens))
    }

    /// A record that a query with some tokens can find.
    pub(super) fn record(&mut self, wanted: &[Token]) -> Option<usize> {
        let mut set = self.domain.usual.clone();
        for token in wanted {
            match token {
                Token::Relation(relation, _) => set = set.and(&self.domain.relations[*relation].has),
                Token::Usual | Token::ManyOfDeleted => {
                    set = RecordSet::of(self.domain.count, |_| true).minus(&self.domain.usual)
                }
                Token::Scope(filter, level) => {
                    let scope = &self.domain.filters[*filter].levels[*level].verdicts.included;
                    // A word that shows soft-deleted records shows them.
                    let deleted = scope.minus(&self.domain.usual);
                    set = if deleted.is_empty() {
                        set.and(scope)
                    } else {
                        deleted
                    };
                }
                _ => {}
            }
        }
        // A record that no value of a filter is known to find is of no use for it.
        for token in wanted {
            match token {
                Token::Filter(filter) | Token::Present(filter) => {
                    set = set.and(&self.domain.filters[*filter].findable);
                }
                Token::Flag(filter, level) => {
                    set = set.and(&self.domain.filters[*filter].levels[*level].verdicts.included);
                }
                Token::Class(class) => {
                    let values = &self.of_class[*class];
                    let has = |record| {
                        let mut values = values.iter();
                        values.any(|(filter, level)| {
                            self.domain.filters[*filter].levels[*level]
                                .verdicts
                                .included
                                .has(record)
                        })
                    };
                    set = set.and(&RecordSet::of(self.domain.count, has));
                }
                _ => {}
            }
        }
        let records: Vec<usize> = set.iter().collect();
        let index = self.choice.below(records.len().max(1));
        records.get(index).copied()
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
                let word = alike[self.choice.below(alike.len())];
                recipe.filters.push((filter, word));
            }
            Token::Sort(field) => {
                let descending = self.flip();
                recipe.sort.insert(0, (field, descending));
            }
            Token::Sorted(field) => {
                let descending = self.flip();
                recipe.sort.push((field, descending));
            }
            Token::Key(place, descending) => {
                while recipe.sort.len() <= place {
                    let known: Vec<usize> = recipe.sort.iter().map(|(field, _)| *field).collect();
                    let field = self.choice.below(self.domain.sorts.len());
                    if known.contains(&field) {
                        return None;
                    }
                    let down = self.flip();
                    recipe.sort.push((field, down));
                }
                recipe.sort[place].1 = descending;
            }
            Token::Relation(relation, form) => recipe.include.push((relation, form)),
            Token::Form(form) => {
                let is_new = |relation: &usize| recipe.include.iter().all(|(known, _)| known != relation);
                let has: Vec<usize> = (0..self.domain.relations.len())
                    .filter(|relation| self.domain.relations[*relation].has.has(record))
                    .filter(is_new)
                    .collect();
                let relation = has.get(self.choice.below(has.len().max(1))).copied()?;
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

    /// A value of a class that finds a record, by a filter that the query does not have; of several the one that finds the
    /// most, so that the other filters still matter.
    fn of_class(&mut self, class: usize, record: usize, recipe: &Recipe) -> Option<(usize, usize)> {
        let is_fit = |(filter, level): &&(usize, usize)| {
            let is_new = recipe.filters.iter().all(|(known, _)| known != filter);
            is_new
                && self.domain.filters[*filter].levels[*level]
                    .verdicts
                    .included
                    .has(record)
        };
        let fit: Vec<(usize, usize)> = self.of_class[class].iter().filter(is_fit).copied().collect();
        let drawn: Vec<usize> = (0..DRAWS).map(|_| self.choice.below(fit.len().max(1))).collect();
        let drawn = drawn.into_iter().filter_map(|at| fit.get(at).copied());
        drawn.max_by_key(|(filter, level)| {
            self.domain.filters[*filter].levels[*level]
                .verdicts
                .included
                .len()
        })
    }

    /// Adds what is said of soft deletion, with a word that shows a record.
    pub(super) fn add_scope(&mut self, recipe: &mut Recipe, record: usize) {
        let scope = self.domain.filters.iter().position(|filter| filter.is_scope);
        let scoped = |(filter, _): &(usize, usize)| Some(*filter) == scope;
        if let (Some(scope), false) = (scope, recipe.filters.iter().any(scoped)) {
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
        let is_new = recipe.filters.iter().all(|(known, _)| *known != filter);
        let one = &self.domain.filters[filter];
        if !is_new || one.is_scope {
            return;
        }
        let found = self.domain.included(recipe);
        let is_fit = |level: &PlannedValue| {
            level.verdicts.included.has(record) && found.meets(&level.verdicts.excluded)
        };
        let fit = (0..one.levels.len()).filter(|level| is_fit(&one.levels[*level]));
        let level = fit.max_by_key(|level| found.and(&one.levels[*level].verdicts.included).len());
        let Some(level) = level else {
            return;
        };
        let before = self.mattering(recipe);
        recipe.filters.push((filter, level));
        if self.mattering(recipe) <= before {
            recipe.filters.pop();
        }
    }

    /// How many filters of a query matter.
    fn mattering(&self, recipe: &Recipe) -> usize {
        let places = 0..recipe.filters.len();
        places
            .filter(|at| self.domain.filter_matters(recipe, *at))
            .count()
    }

    /// A value of a filter that finds a record, or that certainly does not; of several the one that finds the most if that is
    /// wanted.
    pub(super) fn level(
        &mut self,
        filter: usize,
        record: usize,
        is_broad: bool,
        is_apart: bool,
    ) -> Option<usize> {
        let levels = &self.domain.filters[filter].levels;
        let fits = |level: &usize| match is_apart {
            true => {
                levels[*level].verdicts.excluded.has(record) && !levels[*level].verdicts.included.is_empty()
            }
            false => levels[*level].verdicts.included.has(record),
        };
        let fit: Vec<usize> = (0..levels.len()).filter(fits).collect();
        let draws = if is_broad { DRAWS } else { 1 };
        let drawn: Vec<usize> = (0..draws).map(|_| self.choice.below(fit.len().max(1))).collect();
        let size = |level: &usize| levels[*level].verdicts.included.len();
        drawn
            .into_iter()
            .filter_map(|at| fit.get(at).copied())
            .max_by_key(size)
    }

    /// Chooses a page where the answer has many.
    pub(super) fn page(&mut self, recipe: &mut Recipe) {
        let pages = self
            .domain
            .included(recipe)
            .len()
            .div_ceil(self.domain.page_size.max(1));
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
        let pages = self
            .domain
            .included(recipe)
            .len()
            .div_ceil(self.domain.page_size.max(1));
        let number = if page == LAST { pages } else { page };
        let is_there = (1..=pages).contains(&number) && (page != LAST || pages > 3);
        recipe.page = Some(number);
        is_there.then_some(())
    }

    /// A record that a value includes.
    pub(super) fn any_of(&mut self, filter: usize, level: usize) -> Option<usize> {
        let records: Vec<usize> = self.domain.filters[filter].levels[level]
            .verdicts
            .included
            .iter()
            .collect();
        let index = self.choice.below(records.len().max(1));
        records.get(index).copied()
    }
}
