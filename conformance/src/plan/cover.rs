//! The queries of a plan: chosen one by one, each the one of several candidates that covers the most pairs.

use std::collections::BTreeSet;

use super::domain::{Domain, Recipe};
use super::set::RecordSet;
use crate::query::Query;
use crate::sample::Choice;

/// A thing that a query asks for. Two of them make a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    /// A filter, by its place in the domain.
    Filter(usize),
    /// A word for soft deletion: the filter and its value.
    Scope(usize, usize),
    /// Nothing is said of soft deletion, and a soft-deleted record has the values asked for.
    Usual,
    /// A sort field.
    Sort(usize),
    /// A sort key in the second or third place, or a direction: place and whether it is descending.
    Key(usize, bool),
    /// A relation.
    Relation(usize),
    /// The form of a relation.
    Form(usize),
    /// A page; [`LAST`] for the last.
    Page(usize),
}

/// How [`Token::Page`] calls the last page.
const LAST: usize = 0;

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
const CONJUNCTIONS: usize = 42;
/// A plan reads so many pages of an answer to its end; of a longer one it asks for single pages.
const PAGES: usize = 2;

/// Plans at most `most` queries.
pub(crate) fn plan(domain: &Domain, choice: &mut Choice, most: usize) -> Plan {
    let mut planner = Planner {
        domain,
        choice,
        covered: BTreeSet::new(),
        valued: BTreeSet::new(),
        queries: Vec::new(),
        out_of_reach: 0,
    };
    // Values first: they are fewer, and queries that ask for them cover pairs as well.
    planner.cover_values(most);
    planner.cover_conjunctions();
    planner.cover_pairs(most)
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

impl Planner<'_> {
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
            let candidates: Vec<_> = (0..TRIES).filter_map(|_| self.candidate(pair)).collect();
            let best = candidates.into_iter().max_by_key(|(_, tokens)| self.gain(tokens));
            match best {
                None => self.out_of_reach += 1,
                Some((recipe, tokens)) => self.take(&recipe, &tokens),
            }
        }
        let coverage = Coverage {
            pairs: self.covered.len(),
            out_of_reach: self.out_of_reach,
            left_out,
            values: self.valued.len(),
        };
        Plan {
            queries: self.queries,
            coverage,
        }
    }

    /// Asks for every value of every filter; where possible beside something else.
    fn cover_values(&mut self, most: usize) {
        let filters = self.domain.filters.iter().enumerate();
        let values =
            filters.flat_map(|(filter, one)| (0..one.levels.len()).map(move |level| (filter, level)));
        let mut values: Vec<_> = values.collect();
        self.shuffle(&mut values);
        for (filter, level) in values {
            if self.valued.contains(&(filter, level)) || self.queries.len() >= most * 2 / 3 {
                continue;
            }
            let candidates: Vec<_> = (0..TRIES).map(|_| self.valued(filter, level)).collect();
            let best = candidates.into_iter().max_by_key(|(_, tokens)| self.gain(tokens));
            if let Some((recipe, tokens)) = best {
                self.take(&recipe, &tokens);
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

    /// Every pair of tokens that can be in one query.
    fn pairs(&self) -> Vec<(Token, Token)> {
        let mut tokens = Vec::new();
        for (filter, one) in self.domain.filters.iter().enumerate() {
            match one.is_scope {
                true => tokens.extend((0..one.levels.len()).map(|level| Token::Scope(filter, level))),
                false => tokens.push(Token::Filter(filter)),
            }
        }
        if self.domain.usual.len() < self.domain.count {
            tokens.push(Token::Usual);
        }
        tokens.extend((0..self.domain.sorts.len()).map(Token::Sort));
        if !self.domain.sorts.is_empty() {
            tokens.extend((0..3).flat_map(|place| [false, true].map(|down| Token::Key(place, down))));
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

    /// A query in which both tokens of a pair matter.
    fn candidate(&mut self, pair: (Token, Token)) -> Option<(Recipe, Vec<Token>)> {
        let wanted = [pair.0, pair.1];
        let record = self.record(&wanted)?;
        let mut recipe = Recipe::default();
        // Several records have to be found where an order or a page is to show.
        let is_broad = wanted
            .iter()
            .any(|token| matches!(token, Token::Sort(_) | Token::Key(..) | Token::Page(_)));
        let is_apart = !is_broad && self.choice.below(3) == 0;
        for (at, token) in wanted.iter().enumerate() {
            self.add(&mut recipe, *token, record, (is_broad, is_apart && at == 1))?;
        }
        if !is_broad {
            self.dress(&mut recipe, record);
        } else if self.choice.below(2) == 0 {
            self.decorate(&mut recipe, record);
        }
        let pages = wanted.iter().find_map(|token| match token {
            Token::Page(page) => Some(*page),
            _ => None,
        });
        match pages {
            Some(page) => self.turn_to(&mut recipe, page)?,
            None => self.page(&mut recipe),
        }
        let tokens = self.tokens(&recipe);
        wanted
            .iter()
            .all(|token| tokens.contains(token))
            .then_some((recipe, tokens))
    }

    /// A record that a query with some tokens can find.
    fn record(&mut self, wanted: &[Token]) -> Option<usize> {
        let mut set = self.domain.usual.clone();
        for token in wanted {
            match token {
                Token::Relation(relation) => set = set.and(&self.domain.relations[*relation].has),
                Token::Usual => set = RecordSet::of(self.domain.count, |_| true).minus(&self.domain.usual),
                Token::Scope(filter, level) => {
                    let scope = &self.domain.filters[*filter].levels[*level].included;
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
        let records: Vec<usize> = set.iter().collect();
        let index = self.choice.below(records.len().max(1));
        records.get(index).copied()
    }

    /// Adds a token to a query for a record; `is_apart` with a value that the record does not have.
    fn add(
        &mut self,
        recipe: &mut Recipe,
        token: Token,
        record: usize,
        (is_broad, is_apart): (bool, bool),
    ) -> Option<()> {
        match token {
            Token::Filter(filter) => {
                let level = self.level(filter, record, is_broad, is_apart)?;
                recipe.filters.push((filter, level));
            }
            Token::Scope(filter, level) => recipe.filters.push((filter, level)),
            Token::Sort(field) => {
                let descending = self.flip();
                recipe.sort.insert(0, (field, descending));
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
            Token::Relation(relation) => {
                let offered: Vec<usize> = self.offered(relation);
                let form = offered.get(self.choice.below(offered.len().max(1))).copied()?;
                recipe.include.push((relation, form));
            }
            Token::Form(form) => match recipe.include.first_mut() {
                Some(known) => known.1 = form,
                None => {
                    let has: Vec<usize> = (0..self.domain.relations.len())
                        .filter(|relation| self.domain.relations[*relation].has.has(record))
                        .collect();
                    let relation = has.get(self.choice.below(has.len().max(1))).copied()?;
                    recipe.include.push((relation, form));
                }
            },
            Token::Page(_) | Token::Usual => {}
        }
        let forms = recipe.include.iter();
        let is_offered = forms
            .map(|(relation, form)| &self.domain.relations[*relation].forms[*form])
            .all(Option::is_some);
        is_offered.then_some(())
    }

    fn offered(&self, relation: usize) -> Vec<usize> {
        (0..3)
            .filter(|form| self.domain.relations[relation].forms[*form].is_some())
            .collect()
    }

    /// A value of a filter that finds a record, or that certainly does not; of several the one that finds the most if that is
    /// wanted.
    fn level(&mut self, filter: usize, record: usize, is_broad: bool, is_apart: bool) -> Option<usize> {
        let levels = &self.domain.filters[filter].levels;
        let fits = |level: &usize| match is_apart {
            true => levels[*level].excluded.has(record) && !levels[*level].included.is_empty(),
            false => levels[*level].included.has(record),
        };
        let fit: Vec<usize> = (0..levels.len()).filter(fits).collect();
        let draws = if is_broad { 4 } else { 1 };
        let drawn: Vec<usize> = (0..draws).map(|_| self.choice.below(fit.len().max(1))).collect();
        let size = |level: &usize| levels[*level].included.len();
        drawn
            .into_iter()
            .filter_map(|at| fit.get(at).copied())
            .max_by_key(size)
    }

    /// Adds further parameters to a query for a record, so that it covers more.
    fn dress(&mut self, recipe: &mut Recipe, record: usize) {
        let scope = self.domain.filters.iter().position(|filter| filter.is_scope);
        let scoped = |(filter, _): &(usize, usize)| Some(*filter) == scope;
        if let (0, Some(scope), false) = (self.choice.below(4), scope, recipe.filters.iter().any(scoped)) {
            let level = self.level(scope, record, false, false);
            recipe.filters.extend(level.map(|level| (scope, level)));
        }
        if self.choice.below(2) == 0 && !self.domain.filters.is_empty() {
            let filter = self.choice.below(self.domain.filters.len());
            let is_new = recipe.filters.iter().all(|(known, _)| *known != filter);
            if let (true, Some(level)) = (is_new, self.level(filter, record, true, false)) {
                recipe.filters.push((filter, level));
            }
        }
        self.decorate(recipe, record);
    }

    /// Adds sort keys and relations, but not always: some parameters fail only alone.
    fn decorate(&mut self, recipe: &mut Recipe, record: usize) {
        if self.choice.below(3) == 0 {
            return;
        }
        if !self.domain.sorts.is_empty() {
            for _ in 0..self.choice.below(4) {
                let field = self.choice.below(self.domain.sorts.len());
                if recipe.sort.len() < 3 && recipe.sort.iter().all(|(known, _)| *known != field) {
                    let down = self.flip();
                    recipe.sort.push((field, down));
                }
            }
        }
        if !self.domain.relations.is_empty() {
            for _ in 0..self.choice.below(7) {
                let relation = self.choice.below(self.domain.relations.len());
                let form = self.choice.below(3);
                let one = &self.domain.relations[relation];
                let is_new = recipe.include.iter().all(|(known, _)| *known != relation);
                if is_new && one.has.has(record) && one.forms[form].is_some() {
                    recipe.include.push((relation, form));
                }
            }
        }
    }

    /// Chooses a page where the answer has many.
    fn page(&mut self, recipe: &mut Recipe) {
        let pages = self
            .domain
            .included(recipe)
            .len()
            .div_ceil(self.domain.page_size.max(1));
        if pages <= PAGES {
            return;
        }
        if !self.domain.has_pages {
            recipe.first_page = true;
            return;
        }
        let page = match self.choice.below(4) {
            0 => {
                recipe.first_page = true;
                return;
            }
            page => page,
        };
        recipe.page = Some(if page < pages { page } else { pages });
    }

    /// Asks for a page by its number.
    fn turn_to(&mut self, recipe: &mut Recipe, page: usize) -> Option<()> {
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
    fn any_of(&mut self, filter: usize, level: usize) -> Option<usize> {
        let records: Vec<usize> = self.domain.filters[filter].levels[level]
            .included
            .iter()
            .collect();
        let index = self.choice.below(records.len().max(1));
        records.get(index).copied()
    }

    /// The tokens that matter in a query.
    fn tokens(&self, recipe: &Recipe) -> Vec<Token> {
        let domain = self.domain;
        let included = domain.included(recipe);
        let mut tokens = Vec::new();
        for (at, (filter, level)) in recipe.filters.iter().enumerate() {
            if domain.filter_matters(recipe, at) {
                tokens.push(match domain.filters[*filter].is_scope {
                    true => Token::Scope(*filter, *level),
                    false => Token::Filter(*filter),
                });
            }
        }
        if domain.hides_some(recipe) {
            tokens.push(Token::Usual);
        }
        for (at, (field, descending)) in recipe.sort.iter().enumerate() {
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

/// Which pairs are covered first: what is said of soft deletion with everything, then filters with what is rarer, at last
/// what most queries cover anyway.
fn rank((one, other): &(Token, Token)) -> usize {
    match (one, other) {
        (Token::Scope(..), _) | (_, Token::Scope(..) | Token::Usual) => 0,
        (Token::Filter(_), Token::Page(_) | Token::Form(_) | Token::Key(..)) => 1,
        (Token::Filter(_), Token::Relation(_) | Token::Sort(_)) => 2,
        _ => 3,
    }
}

/// Whether a query can have both.
fn can_meet(one: Token, other: Token) -> bool {
    !matches!(
        (one, other),
        (Token::Scope(..), Token::Scope(..) | Token::Usual)
            | (Token::Page(_), Token::Page(_))
            | (Token::Form(_), Token::Form(_))
            | (Token::Key(..), Token::Key(..))
    )
}

/// Every pair of some tokens, each in order.
fn pairs_of(tokens: &[Token]) -> impl Iterator<Item = (Token, Token)> + '_ {
    let pairs = tokens
        .iter()
        .enumerate()
        .flat_map(|(at, one)| tokens[at + 1..].iter().map(move |other| (*one, *other)));
    pairs
        .map(|(one, other)| if one <= other { (one, other) } else { (other, one) })
        .filter(|(one, other)| can_meet(*one, *other))
}
