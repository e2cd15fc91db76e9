//! The queries of a plan: chosen one by one, each the one of several candidates that gains the most for a request.

mod candidate;
mod decoration;
mod draft;
mod kinds;
mod meetings;
mod needs;
mod token;
mod whole;

use std::collections::BTreeSet;

use super::coverage::Coverage;
use super::domain::Domain;
use super::goals::{Aim, Goal, OF_COMBINATIONS, OF_VALUES, SHORT_PLAN, WORTHWHILE};
use super::recipe::Recipe;
use super::sample::Choice;
use super::values::classes::{CLASSES, classes_of};
use crate::corpus::query::Query;
use meetings::Meetings;
use needs::Need;
use token::Token;

/// The queries to send to a list.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The queries, those that cover the most first.
    pub queries: Vec<Planned>,
    /// What they cover.
    pub coverage: Coverage,
}

/// A query of a plan.
#[derive(Clone, Debug)]
pub struct Planned {
    /// What is asked.
    pub query: Query,
    /// The things that matter in it, by numbers that the plan gives them.
    pub matters: Vec<usize>,
}

/// The queries of a plan in an order in which each next one lets the most things matter that have mattered the least: a run
/// that stops early has asked the most telling ones.
pub fn most_telling_first(mut queries: Vec<Planned>) -> Vec<Planned> {
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

/// Plans the queries of a list, at most `most` of them for pairs unless the plan is short.
pub fn plan(domain: &Domain, choice: &mut Choice, most: usize) -> Plan {
    Planner::new(domain, choice).pursue(OF_COMBINATIONS, most)
}

/// Plans every value of every filter.
pub fn plan_values(domain: &Domain, choice: &mut Choice) -> Plan {
    Planner::new(domain, choice).pursue(OF_VALUES, usize::MAX)
}

struct Planner<'a> {
    domain: &'a Domain,
    choice: &'a mut Choice,
    wanted: Vec<Token>,
    /// The pairs and triples that have met.
    met: Meetings,
    /// The needs that a query meets by itself and that some query has met.
    done: BTreeSet<Need>,
    queries: Vec<Planned>,
    out_of_reach: Vec<(Token, Token)>,
    left_out: Vec<(Token, Token)>,
    /// For each class, the filters and values of it that records have.
    of_class: Vec<Vec<(usize, usize)>>,
}

/// A query that can be taken.
struct Candidate {
    recipe: Recipe,
    tokens: Vec<Token>,
    /// The needs that it meets by itself.
    needs: Vec<Need>,
}

impl<'a> Planner<'a> {
    fn new(domain: &'a Domain, choice: &'a mut Choice) -> Self {
        let mut of_class = vec![Vec::new(); CLASSES.len()];
        for filter in domain.filters(|filter| !filter.is_scope) {
            for value in domain
                .values(filter)
                .filter(|value| !domain.found(*value).is_empty())
            {
                for class in classes_of(&domain.value(value).value.value) {
                    of_class[class].push(value);
                }
            }
        }
        let wanted = token::wanted(domain, &of_class);
        let near = (0..domain.filters.len()).map(Token::Near);
        let all: Vec<Token> = wanted.iter().copied().chain(near).collect();
        Self {
            of_class,
            domain,
            choice,
            met: Meetings::new(&all),
            wanted,
            done: BTreeSet::new(),
            queries: Vec::new(),
            out_of_reach: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Takes queries for all goals, for pairs and triples at most so many.
    fn pursue(mut self, goals: &[Goal], most: usize) -> Plan {
        let mut end = usize::MAX;
        for goal in goals {
            let needs = self.needs(goal);
            if goal.aim == Aim::Pair {
                let open = most.max(SHORT_PLAN.saturating_sub(self.queries.len()));
                end = self.queries.len().saturating_add(open);
            }
            for need in needs {
                if self.is_met(&need) {
                    continue;
                }
                let is_full = self.queries.len() >= end;
                let best = if is_full { None } else { self.best(goal, &need) };
                match (best, need) {
                    (Some((WORTHWHILE.., candidate)), _) => self.take(candidate),
                    (None, Need::Pair(one, other)) if !is_full => self.out_of_reach.push((one, other)),
                    (_, Need::Pair(one, other)) => self.left_out.push((one, other)),
                    (_, Need::Any) => break,
                    _ => {}
                }
            }
        }
        self.end()
    }

    fn is_met(&self, need: &Need) -> bool {
        match need {
            Need::Pair(one, other) => self.met.have_met((*one, *other)),
            Need::Beside(value) => self.done.contains(&Need::Value(*value)),
            need => self.done.contains(need),
        }
    }

    /// The candidate for a need that gains the most for a request, and its gain.
    fn best(&mut self, goal: &Goal, need: &Need) -> Option<(usize, Candidate)> {
        let mut best: Option<(usize, Candidate)> = None;
        for recipe in self.candidates(need, goal.tries) {
            let tokens = self.tokens(&recipe);
            let needs = self.needs_met(&recipe);
            let open = needs
                .iter()
                .filter(|met| *met != need && !self.done.contains(*met));
            let singles: usize = open.map(Need::weight).sum();
            let gain = goal.weight + singles + self.met.gain(&tokens);
            let gain = gain / self.domain.requests(&recipe);
            if best.as_ref().is_none_or(|(most, _)| gain >= *most) {
                best = Some((
                    gain,
                    Candidate {
                        recipe,
                        tokens,
                        needs,
                    },
                ));
            }
        }
        best
    }

    fn take(&mut self, candidate: Candidate) {
        self.met.meet(&candidate.tokens);
        self.done.extend(candidate.needs);
        self.queries.push(Planned {
            query: self.domain.query(&candidate.recipe),
            matters: self.met.places(&candidate.tokens),
        });
    }

    /// What was planned.
    fn end(self) -> Plan {
        let named = |pairs: &[(Token, Token)]| {
            let name = |token: &Token| token.describe(self.domain);
            let names = pairs
                .iter()
                .map(|(one, other)| format!("{} with {}", name(one), name(other)));
            names.collect()
        };
        let is_value = |need: &&Need| matches!(need, Need::Value(_));
        let pairs = self.pairs().into_iter();
        Plan {
            coverage: Coverage {
                list: String::new(),
                queries: self.queries.len(),
                values: self.done.iter().filter(is_value).count(),
                pairs: pairs.filter(|pair| self.met.have_met(*pair)).count(),
                out_of_reach: named(&self.out_of_reach),
                left_out: named(&self.left_out),
            },
            queries: self.queries,
        }
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
