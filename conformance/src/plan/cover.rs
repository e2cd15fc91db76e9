//! The queries of a plan: chosen one by one, each the one of several candidates that covers the most pairs.

mod candidate;
mod each_value;
mod token;

use std::collections::BTreeSet;

use super::domain::{Domain, Recipe};
use super::set::RecordSet;
use crate::corpus::query::Query;
use crate::plan::sample::Choice;
use token::{LAST, Token, can_meet, pairs_of, rank};

/// The queries to send to a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The queries, those that cover the most first.
    pub(crate) queries: Vec<Query>,
    /// What they cover.
    pub(crate) coverage: Coverage,
}

/// How much of what can be asked a plan asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// Pairs of parameters that meet in a query in which both matter.
    pub(crate) pairs: usize,
    /// Pairs for which the records allow no such query that was found.
    pub(crate) out_of_reach: usize,
    /// Pairs that the limit of the plan leaves out.
    pub(crate) left_out: usize,
    /// Values of filters that are asked for.
    pub(crate) values: usize,
}

/// So many candidates are made for a pair before it counts as out of reach.
const TRIES: usize = 20;
/// So many queries have two, three or four filters that all matter.
const CONJUNCTIONS: usize = 30;
/// So many queries have two filters that contradict each other.
const CONTRADICTIONS: usize = 8;
/// Sort keys are covered in so many places.
const PLACES: usize = 3;
/// Of an answer with so many records at most, all relations can be asked for: it is soon read.
const FEW: usize = 12;
/// A plan reads so many pages of an answer to its end; of a longer one it asks for single pages.
const PAGES: usize = 2;

/// Plans at most `most` queries.
pub(crate) fn plan(domain: &Domain, choice: &mut Choice, most: usize) -> Plan {
    let mut planner = Planner::new(domain, choice);
    // Values first: they are fewer, and queries that ask for them cover pairs as well.
    planner.cover_values(most);
    planner.cover_flags();
    planner.cover_conjunctions();
    planner.cover_contradictions();
    planner.cover_pairs(most)
}

/// Plans every value of every filter.
pub(crate) fn plan_values(domain: &Domain, choice: &mut Choice) -> Plan {
    let mut planner = Planner::new(domain, choice);
    planner.each_value();
    planner.end(0)
}

struct Planner<'a> {
    domain: &'a Domain,
    choice: &'a mut Choice,
    covered: BTreeSet<(Token, Token)>,
    /// Filters and values that are asked for.
    valued: BTreeSet<(usize, usize)>,
    queries: Vec<Query>,
    out_of_reach: usize,
}

impl<'a> Planner<'a> {
    fn new(domain: &'a Domain, choice: &'a mut Choice) -> Self {
        Self {
            domain,
            choice,
            covered: BTreeSet::new(),
            valued: BTreeSet::new(),
            queries: Vec::new(),
            out_of_reach: 0,
        }
    }

    /// What was planned, with so many pairs left out.
    fn end(self, left_out: usize) -> Plan {
        Plan {
            coverage: Coverage {
                pairs: self.covered.len(),
                out_of_reach: self.out_of_reach,
                left_out,
                values: self.valued.len(),
            },
            queries: self.queries,
        }
    }

    fn cover_pairs(mut self, most: usize) -> Plan {
        let mut wanted = self.pairs();
        self.shuffle(&mut wanted);
        wanted.sort_by_key(rank);
        let mut left_out = 0;
        for pair in wanted {
            if self.covered.contains(&pair) {
                continue;
            }
            if self.queries.len() >= most {
                left_out += 1;
                continue;
            }
            let mut candidates: Vec<_> = (0..TRIES).filter_map(|_| self.candidate(pair, true)).collect();
            if candidates.is_empty() {
                candidates = (0..TRIES).filter_map(|_| self.candidate(pair, false)).collect();
            }
            let best = candidates.into_iter().max_by_key(|(_, tokens)| self.gain(tokens));
            match best {
                None => self.out_of_reach += 1,
                Some((recipe, tokens)) => self.take(&recipe, &tokens),
            }
        }
        self.end(left_out)
    }

    /// Asks for every value of every filter; where possible beside something else.
    fn cover_values(&mut self, most: usize) {
        let filters = self.domain.filters.iter().enumerate();
        let values =
            filters.flat_map(|(filter, one)| (0..one.levels.len()).map(move |level| (filter, level)));
        let mut values: Vec<_> = values.collect();
        self.shuffle(&mut values);
        for (filter, level) in values {
            if self.valued.contains(&(filter, level)) || self.queries.len() >= most / 6 {
                continue;
            }
            let candidates: Vec<_> = (0..TRIES).map(|_| self.valued(filter, level)).collect();
            let best = candidates.into_iter().max_by_key(|(_, tokens)| self.gain(tokens));
            if let Some((recipe, tokens)) = best {
                self.take(&recipe, &tokens);
            }
        }
    }

    /// Asks for every value of every flag beside all relations, and beside an order, with all records that the value finds:
    /// a flag that forgets some records shows in few of them.
    fn cover_flags(&mut self) {
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

    /// A query for a value, beside something else where a record has the value.
    fn valued(&mut self, filter: usize, level: usize) -> (Recipe, Vec<Token>) {
        let mut recipe = Recipe {
            filters: vec![(filter, level)],
            ..Recipe::default()
        };
        match self.any_of(filter, level) {
            Some(record) => self.dress(&mut recipe, record),
            None => {
                let record = self.choice.below(self.domain.count.max(1));
                self.decorate(&mut recipe, record);
            }
        }
        self.page(&mut recipe);
        let tokens = self.tokens(&recipe);
        (recipe, tokens)
    }

    /// Asks by two, three and four filters that all matter, half of the time by nothing else: what is lost there need not
    /// show elsewhere.
    fn cover_conjunctions(&mut self) {
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
    fn cover_contradictions(&mut self) {
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

    /// Every pair of tokens that can be in one query.
    fn pairs(&self) -> Vec<(Token, Token)> {
        let mut tokens = Vec::new();
        for (filter, one) in self.domain.filters.iter().enumerate() {
            match one.is_scope {
                true => tokens.extend((0..one.levels.len()).map(|level| Token::Scope(filter, level))),
                false if one.is_flag() => {
                    tokens.extend((0..one.levels.len()).map(|level| Token::Flag(filter, level)));
                }
                false => tokens.push(Token::Filter(filter)),
            }
        }
        if self.domain.usual.len() < self.domain.count {
            tokens.push(Token::Usual);
        }
        tokens.extend((0..self.domain.sorts.len()).map(Token::Sort));
        if !self.domain.sorts.is_empty() {
            tokens.extend((0..PLACES).flat_map(|place| [false, true].map(|down| Token::Key(place, down))));
        }
        tokens.extend((0..self.domain.relations.len()).map(Token::Relation));
        if !self.domain.relations.is_empty() {
            tokens.extend((0..3).map(Token::Form));
        }
        if self.domain.has_pages {
            tokens.extend([1, 2, 3, LAST].map(Token::Page));
        }
        let mut pairs = Vec::new();
        for (at, one) in tokens.iter().enumerate() {
            let others = tokens[at + 1..].iter();
            pairs.extend(
                others
                    .filter(|other| can_meet(*one, **other))
                    .map(|other| (*one, *other)),
            );
        }
        pairs
    }

    /// The tokens that matter in a query.
    fn tokens(&self, recipe: &Recipe) -> Vec<Token> {
        let domain = self.domain;
        let included = domain.included(recipe);
        let mut tokens = Vec::new();
        for (at, (filter, level)) in recipe.filters.iter().enumerate() {
            if domain.filter_matters(recipe, at) {
                tokens.push(match &domain.filters[*filter] {
                    one if one.is_scope => Token::Scope(*filter, *level),
                    one if one.is_flag() => Token::Flag(*filter, *level),
                    _ => Token::Filter(*filter),
                });
            }
        }
        if domain.hides_some(recipe) {
            tokens.push(Token::Usual);
        }
        for (at, (field, descending)) in recipe.sort.iter().enumerate().take(PLACES) {
            if domain.sort_matters(recipe, at, &included) {
                tokens.extend([Token::Sort(*field), Token::Key(at, *descending)]);
            }
        }
        for (relation, form) in &recipe.include {
            if domain.relations[*relation].has.meets(&included) {
                tokens.extend([Token::Relation(*relation), Token::Form(*form)]);
            }
        }
        let pages = included.len().div_ceil(domain.page_size.max(1));
        match recipe.page {
            Some(page) => {
                tokens.push(Token::Page(page));
                if page == pages && pages > 3 {
                    tokens.push(Token::Page(LAST));
                }
            }
            None if !recipe.first_page && pages == 2 => tokens.push(Token::Page(2)),
            None => {}
        }
        tokens
    }

    /// How many pairs a query would cover that are not covered.
    fn gain(&self, tokens: &[Token]) -> usize {
        pairs_of(tokens)
            .filter(|pair| !self.covered.contains(pair))
            .count()
    }

    fn take(&mut self, recipe: &Recipe, tokens: &[Token]) {
        self.covered.extend(pairs_of(tokens));
        self.valued.extend(recipe.filters.iter().copied());
        self.queries.push(self.domain.query(recipe));
    }

    fn flip(&mut self) -> bool {
        self.choice.below(2) == 1
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.choice.below(last + 1));
        }
    }
}
