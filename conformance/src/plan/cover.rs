//! The queries of a plan: chosen one by one, each the one of several candidates that covers the most pairs.

mod candidate;
mod couples;
mod decoration;
mod deleted;
mod each_value;
mod meetings;
mod near;
mod orders;
mod past_the_end;
mod purpose;
mod token;
mod values;
mod walks;

use std::collections::BTreeSet;

use super::coverage::Coverage;
use super::domain::{Domain, Recipe};
use crate::corpus::query::Query;
use crate::plan::sample::Choice;
use crate::plan::values::classes::{CLASSES, classes_of};
use meetings::Meetings;
use token::{LAST, MANY, Token, can_meet, rank};

/// The queries to send to a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The queries, those that cover the most first.
    pub(crate) queries: Vec<Planned>,
    /// What they cover.
    pub(crate) coverage: Coverage,
}

/// A query of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) query: Query,
    /// The things that matter in it, by numbers that the plan gives them.
    pub(crate) matters: Vec<usize>,
}

/// The queries of a plan in an order in which each next one lets the most things matter that have mattered the least: whoever stops
/// early has asked the most telling ones.
pub(crate) fn most_telling_first(mut queries: Vec<Planned>) -> Vec<Planned> {
    let things = queries.iter().flat_map(|one| &one.matters).max();
    let mut met = vec![0_u32; things.map_or(0, |last| last + 1)];
    let mut ordered = Vec::with_capacity(queries.len());
    while !queries.is_empty() {
        let gain = |one: &Planned| -> f64 {
            let news = one
                .matters
                .iter()
                .map(|thing| 1.0 / f64::from(1 + met[*thing]).powi(2));
            news.sum()
        };
        let gains = queries.iter().enumerate().map(|(at, one)| (at, gain(one)));
        let best = gains.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((at, _)) = best else { break };
        let one = queries.remove(at);
        one.matters.iter().for_each(|thing| met[*thing] += 1);
        ordered.push(one);
    }
    ordered
}

/// So many candidates are made for a pair before it counts as out of reach.
const TRIES: usize = 60;
/// So many queries at most are planned for things that meet in threes.
const FILL: usize = 60;
/// A query for these has so much that is new.
const WORTHWHILE: usize = 200;
/// Sort keys are covered in so many places.
const PLACES: usize = 3;
/// Of an answer with so many records at most, all relations can be asked for: it is soon read.
const FEW: usize = 12;
/// A relation shows on one page of several if so many records on each page have it on average.
const ON_A_PAGE: usize = 3;
/// A plan reads so many pages of an answer to its end; of a longer one it asks for single pages.
const PAGES: usize = 2;
/// So many candidates are made for a query with one purpose.
const CANDIDATES: usize = 12;
/// A plan for pairs may have so many queries in all: a list of which little can be asked has every pair.
const SHORT_PLAN: usize = 180;

/// Plans the queries of a list, at most `most` of them for pairs unless the plan is short.
pub(crate) fn plan(domain: &Domain, choice: &mut Choice, most: usize) -> Plan {
    let mut planner = Planner::new(domain, choice);
    // Values first: they are fewer, and queries that ask for them cover pairs as well.
    planner.cover_values();
    planner.cover_near();
    planner.cover_relations();
    planner.cover_flags();
    planner.cover_hidden_records();
    planner.cover_deleted_records();
    planner.cover_sorted_deleted();
    planner.cover_sorted_pages();
    planner.cover_pages_past_the_end();
    planner.cover_walks();
    planner.cover_conjunctions();
    planner.cover_contradictions();
    planner.cover_orders();
    planner.cover_couples();
    let most = most.max(SHORT_PLAN.saturating_sub(planner.queries.len()));
    planner.cover_pairs(most)
}

/// Plans every value of every filter.
pub(crate) fn plan_values(domain: &Domain, choice: &mut Choice) -> Plan {
    let mut planner = Planner::new(domain, choice);
    planner.each_value();
    planner.end(&[])
}

struct Planner<'a> {
    domain: &'a Domain,
    choice: &'a mut Choice,
    wanted: Vec<Token>,
    met: Meetings,
    /// Filters and values that are asked for.
    valued: BTreeSet<(usize, usize)>,
    queries: Vec<Planned>,
    out_of_reach: Vec<(Token, Token)>,
    /// For each class, the filters and values of it that records have.
    of_class: Vec<Vec<(usize, usize)>>,
}

impl<'a> Planner<'a> {
    fn new(domain: &'a Domain, choice: &'a mut Choice) -> Self {
        let mut of_class = vec![Vec::new(); CLASSES.len()];
        for (filter, one) in domain.filters.iter().enumerate() {
            for (level, known) in one.levels.iter().enumerate() {
                if one.is_scope || known.verdicts.included.is_empty() {
                    continue;
                }
                for class in classes_of(&known.value.value) {
                    of_class[class].push((filter, level));
                }
            }
        }
        let wanted = wanted(domain, &of_class);
        let near = (0..domain.filters.len()).map(Token::Near);
        let all: Vec<Token> = wanted.iter().copied().chain(near).collect();
        Self {
            of_class,
            domain,
            choice,
            met: Meetings::new(&all),
            wanted,
            valued: BTreeSet::new(),
            queries: Vec::new(),
            out_of_reach: Vec::new(),
        }
    }

    /// What was planned, without some pairs.
    fn end(self, left_out: &[(Token, Token)]) -> Plan {
        let named = |pairs: &[(Token, Token)]| {
            let names = pairs.iter().map(|(one, other)| {
                format!(
                    "{} with {}",
                    one.describe(self.domain),
                    other.describe(self.domain)
                )
            });
            names.collect()
        };
        Plan {
            coverage: Coverage {
                list: String::new(),
                queries: self.queries.len(),
                values: self.valued.len(),
                pairs: self
                    .pairs()
                    .into_iter()
                    .filter(|pair| self.met.have_met(*pair))
                    .count(),
                out_of_reach: named(&self.out_of_reach),
                left_out: named(left_out),
            },
            queries: self.queries,
        }
    }

    fn cover_pairs(mut self, most: usize) -> Plan {
        let most = self.queries.len().saturating_add(most);
        let mut wanted = self.pairs();
        self.shuffle(&mut wanted);
        wanted.sort_by_key(rank);
        let mut left_out = Vec::new();
        for pair in wanted {
            if self.met.have_met(pair) {
                continue;
            }
            if self.queries.len() >= most {
                left_out.push(pair);
                continue;
            }
            let mut candidates: Vec<_> = (0..TRIES).filter_map(|_| self.candidate(pair, true)).collect();
            if candidates.is_empty() {
                candidates = (0..TRIES).filter_map(|_| self.candidate(pair, false)).collect();
            }
            if !self.take_best(candidates) {
                self.out_of_reach.push(pair);
            }
        }
        self.fill(most);
        self.end(&left_out)
    }

    /// Spends what is left on queries in which the most things meet that have not met all at once.
    fn fill(&mut self, most: usize) {
        let most = most.min(self.queries.len().saturating_add(FILL));
        while self.queries.len() < most {
            let candidates: Vec<_> = (0..TRIES).filter_map(|_| self.any_candidate()).collect();
            let gains = candidates
                .into_iter()
                .map(|(recipe, tokens)| (self.met.gain(&tokens), recipe, tokens));
            match gains.max_by_key(|(gain, ..)| *gain) {
                Some((WORTHWHILE.., recipe, tokens)) => self.take(&recipe, &tokens),
                _ => return,
            }
        }
    }

    /// Every pair of tokens that can be in one query.
    fn pairs(&self) -> Vec<(Token, Token)> {
        let mut pairs = Vec::new();
        for (at, one) in self.wanted.iter().enumerate() {
            let others = self.wanted[at + 1..].iter();
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
                    one if one.is_scope => Token::Scope(*filter, one.known_word(*level)),
                    one if one.is_flag() => Token::Flag(*filter, *level),
                    _ => Token::Filter(*filter),
                });
            }
        }
        if !included.is_empty() {
            let plain = recipe.filters.iter().map(|(filter, _)| *filter);
            let plain = plain.filter(|filter| domain.filters[*filter].is_plain());
            tokens.extend(plain.map(Token::Present));
        }
        if domain.hides_some(recipe) {
            tokens.push(Token::Usual);
        }
        let near = domain.nearly_included(recipe);
        tokens.extend(near.iter().map(|(filter, _)| Token::Near(*filter)));
        for (at, (field, descending)) in recipe.sort.iter().enumerate().take(PLACES) {
            if near.is_some() || domain.sort_matters(recipe, at, &included) {
                tokens.extend([Token::Sort(*field), Token::Key(at, *descending)]);
            }
        }
        tokens.extend(recipe.sort.iter().map(|(field, _)| Token::Sorted(*field)));
        let included = near.map_or(included, |(_, records)| records);
        for (relation, form) in &recipe.include {
            let has = domain.relations[*relation].has.and(&included).len();
            let is_whole = recipe.page.is_none() && !recipe.first_page || included.len() <= domain.page_size;
            // Which records stand on a page is not known: some of them have the relation if many records have it.
            if has > 0 && (is_whole || has * domain.page_size >= included.len() * ON_A_PAGE) {
                tokens.extend([Token::Form(*form), Token::Relation(*relation, *form)]);
            }
        }
        let values = recipe.filters.iter().map(|(filter, level)| {
            let level = &domain.filters[*filter].levels[*level];
            level.value.value.as_str()
        });
        let classes: BTreeSet<usize> = values.flat_map(classes_of).collect();
        tokens.extend(classes.into_iter().map(Token::Class));
        if recipe.filters.len() >= MANY {
            tokens.push(Token::Many);
            if !included.minus(&domain.usual).is_empty() {
                tokens.push(Token::ManyOfDeleted);
            }
        }
        let pages = included.len().div_ceil(domain.page_size.max(1));
        match recipe.page {
            Some(page) if page <= pages => {
                tokens.push(Token::Page(page));
                if page == pages && pages > 3 {
                    tokens.push(Token::Page(LAST));
                }
            }
            None if !recipe.first_page && pages == 2 => tokens.push(Token::Page(2)),
            // Behind the last page nothing shows.
            _ => {}
        }
        tokens
    }

    /// Takes the query in which the most things meet for the first time, if there is one.
    fn take_best_of(&mut self, recipes: Vec<Recipe>) -> bool {
        let candidates = recipes.into_iter().map(|recipe| {
            let tokens = self.tokens(&recipe);
            (recipe, tokens)
        });
        let candidates = candidates.collect();
        self.take_best(candidates)
    }

    /// Takes the candidate in which the most things meet for the first time, if there is one.
    fn take_best(&mut self, candidates: Vec<(Recipe, Vec<Token>)>) -> bool {
        let candidates = candidates.into_iter();
        let best = candidates.max_by_key(|(_, tokens)| self.met.gain(tokens));
        let Some((recipe, tokens)) = best else {
            return false;
        };
        self.take(&recipe, &tokens);
        true
    }

    fn take(&mut self, recipe: &Recipe, tokens: &[Token]) {
        self.met.meet(tokens);
        self.add_query(recipe, tokens);
    }

    /// Adds a query to the plan, with the tokens that matter in it.
    fn add_query(&mut self, recipe: &Recipe, tokens: &[Token]) {
        self.valued.extend(recipe.filters.iter().copied());
        self.queries.push(Planned {
            query: self.domain.query(recipe),
            matters: self.met.places(tokens),
        });
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

/// The things that have to meet.
fn wanted(domain: &Domain, of_class: &[Vec<(usize, usize)>]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (filter, one) in domain.filters.iter().enumerate() {
        let levels = 0..one.levels.len();
        match one.is_scope {
            true => {
                let known = levels.filter(|level| one.known_word(*level) == *level);
                tokens.extend(known.map(|level| Token::Scope(filter, level)));
            }
            false if one.is_flag() => tokens.extend(levels.map(|level| Token::Flag(filter, level))),
            false => tokens.extend([Token::Filter(filter), Token::Present(filter)]),
        }
    }
    if domain.usual.len() < domain.count {
        tokens.extend([Token::Usual, Token::ManyOfDeleted]);
    }
    tokens.extend((0..domain.sorts.len()).flat_map(|field| [Token::Sort(field), Token::Sorted(field)]));
    if !domain.sorts.is_empty() {
        tokens.extend((0..PLACES).flat_map(|place| [false, true].map(|down| Token::Key(place, down))));
    }
    for (at, relation) in domain.relations.iter().enumerate() {
        let offered = relation.offered().map(|form| Token::Relation(at, form));
        tokens.extend(offered);
    }
    if !domain.relations.is_empty() {
        tokens.extend((0..3).map(Token::Form));
    }
    if domain.has_pages {
        tokens.extend([1, 2, 3, LAST].map(Token::Page));
    }
    let classes = of_class.iter().enumerate();
    tokens.extend(
        classes
            .filter(|(_, values)| !values.is_empty())
            .map(|(class, _)| Token::Class(class)),
    );
    tokens.push(Token::Many);
    tokens
}
