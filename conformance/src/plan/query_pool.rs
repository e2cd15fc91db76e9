//! proptest strategies for queries of a list: made from records that were read, so that each query finds a record, and
//! shrinking towards the fewest parameters that still show a violation.
//!
//! ```
//! use proptest::strategy::{Strategy, ValueTree};
//! use proptest::test_runner::TestRunner;
//! use rollcall_conformance::plan::query_pool::{QueryPool, QueryShape, queries};
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let contract = rollcall_conformance::our_contract()?;
//! let people = [json!({"id": "drusr_1", "first_name": "Ann", "timestamp": {"created_at": "2026-03-01T09:30:00Z"}})];
//! let users = contract.lists().next().ok_or("no list")?.0;
//! let pool = QueryPool::of(users, &people);
//! let strategy = queries(pool, QueryShape { filters: 1..=3, sort: 0..=2, include: 0..=2 });
//! let tree = strategy.new_tree(&mut TestRunner::deterministic());
//! let query = tree.map_err(|reason| reason.to_string())?.current();
//! assert!(!query.filters.is_empty());
//! # Ok(())
//! # }
//! ```

use std::ops::RangeInclusive;

use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rollcall_contract::{Filter, Match, Operation};
use serde_json::Value;

use crate::corpus::timestamp;
use crate::plan::sample::is_usable;

/// A question to a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GeneratedQuery {
    /// Parameters that filter, each with its value, in the order they are sent.
    pub filters: Vec<(String, String)>,
    /// Sort keys, a leading `-` for descending.
    pub sort: Vec<String>,
    /// Relations to include.
    pub include: Vec<String>,
}

/// What questions can be made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryPool {
    /// For each record, the filters that find it, each with values that do.
    pub records: Vec<Vec<(String, Vec<String>)>>,
    /// Sort keys.
    pub sort: Vec<String>,
    /// Relations.
    pub include: Vec<String>,
}

/// How large a question may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryShape {
    /// How many filters.
    pub filters: RangeInclusive<usize>,
    /// How many sort keys.
    pub sort: RangeInclusive<usize>,
    /// How many relations.
    pub include: RangeInclusive<usize>,
}

/// Questions of a shape; most are answered with at least the record they were made from.
pub fn queries(material: QueryPool, shape: QueryShape) -> Probes {
    Probes { material, shape }
}

/// See [`queries`].
#[derive(Clone, Debug)]
pub struct Probes {
    material: QueryPool,
    shape: QueryShape,
}

/// A question on its way to a smaller one.
#[derive(Clone, Debug)]
pub struct ProbeTree {
    /// The smallest question known to show it.
    best: GeneratedQuery,
    /// A smaller one that is tried, and which of the candidates it is.
    trial: Option<(usize, GeneratedQuery)>,
}

impl QueryPool {
    /// What questions to a list can be made of, given some of its records. Members the records do not show are left out.
    pub fn of(list: &Operation, records: &[Value]) -> Self {
        let rows = records.iter().map(|record| {
            let filters = list.filters().filter(|(parameter, filter)| {
                filter.shown && !parameter.origin.extension && filter.fields.len() < 2
            });
            let valued = filters.map(|(parameter, filter)| {
                let member = filter.fields.first().and_then(|place| place.find(record));
                (parameter.name.clone(), values(filter, member))
            });
            valued.filter(|(_, values)| !values.is_empty()).collect()
        });
        let model = list.list.as_ref();
        Self {
            records: rows.collect(),
            sort: model
                .into_iter()
                .flat_map(|list| &list.sort)
                .flat_map(|(name, _)| [name.clone(), format!("-{name}")])
                .collect(),
            include: model
                .into_iter()
                .flat_map(|list| &list.relations)
                .map(|relation| relation.name.clone())
                .collect(),
        }
    }
}

/// Values that find a record by a member that shows `member`.
pub(crate) fn values(filter: &Filter, member: Option<&Value>) -> Vec<String> {
    let (matching, words) = (filter.matching, &filter.words);
    let text = |member: &Value| match member {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    };
    let found = match (matching, member) {
        (Match::Exact | Match::Flag, Some(member)) => text(member).into_iter().collect(),
        (Match::Contains, Some(Value::Object(values))) => values
            .values()
            .filter_map(text)
            .flat_map(|text| pieces(&text))
            .collect(),
        (Match::Contains, Some(member)) => text(member).map(|text| pieces(&text)).unwrap_or_default(),
        (Match::Before, Some(Value::String(text))) => bound(text, 5),
        (Match::After, Some(Value::String(text))) => bound(text, -5),
        (Match::Trashed, Some(Value::Null)) => vec![words.with.clone(), words.without.clone()],
        (Match::Trashed, Some(_)) => vec![words.with.clone(), words.only.clone()],
        _ => Vec::new(),
    };
    found
        .into_iter()
        .filter(|value| is_usable(value) || matching == Match::Flag)
        .collect()
}

/// Parts of a text that it can be found by.
fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let (length, half) = (letters.len(), letters.len() / 2);
    if length < 2 {
        return vec![text.to_owned()];
    }
    let piece = |part: &[char]| part.iter().collect::<String>();
    vec![
        text.to_owned(),
        piece(&letters[..half]),
        piece(&letters[half..]),
        piece(&letters[1..]),
    ]
}

/// A bound so many days from a timestamp.
fn bound(text: &str, days: i64) -> Vec<String> {
    let timestamp =
        timestamp::read(text).map(|timestamp| timestamp::days_later(timestamp::midnight(timestamp), days));
    timestamp.map(timestamp::iso).into_iter().collect()
}

impl Strategy for Probes {
    type Tree = ProbeTree;
    type Value = GeneratedQuery;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let Some(record) = pick(runner, &self.material.records) else {
            return Err("no record to ask for".into());
        };
        let filters = some(runner, record, &self.shape.filters);
        let filters = filters
            .into_iter()
            .filter_map(|(name, values)| Some((name, pick(runner, &values)?.clone())));
        let filters = filters.collect();
        let mut sort: Vec<String> = some(runner, &self.material.sort, &self.shape.sort);
        let mut seen = std::collections::BTreeSet::new();
        sort.retain(|key| seen.insert(key.trim_start_matches('-').to_owned()));
        let include = some(runner, &self.material.include, &self.shape.include);
        Ok(ProbeTree {
            best: GeneratedQuery {
                filters,
                sort,
                include,
            },
            trial: None,
        })
    }
}

impl ValueTree for ProbeTree {
    type Value = GeneratedQuery;

    fn current(&self) -> GeneratedQuery {
        let trial = self.trial.as_ref().map(|(_, probe)| probe);
        trial.unwrap_or(&self.best).clone()
    }

    fn simplify(&mut self) -> bool {
        if let Some((_, smaller)) = self.trial.take() {
            self.best = smaller;
        }
        self.try_candidate(0)
    }

    fn complicate(&mut self) -> bool {
        match self.trial.take() {
            Some((index, _)) => self.try_candidate(index + 1),
            None => false,
        }
    }
}

impl ProbeTree {
    fn try_candidate(&mut self, index: usize) -> bool {
        self.trial = self.best.smaller().nth(index).map(|probe| (index, probe));
        self.trial.is_some()
    }
}

impl GeneratedQuery {
    /// The same question with one thing less: a relation, a sort key, a filter.
    fn smaller(&self) -> impl Iterator<Item = Self> + '_ {
        let include = (0..self.include.len()).map(|index| Self {
            include: without(&self.include, index),
            ..self.clone()
        });
        let sort = (0..self.sort.len()).map(|index| Self {
            sort: without(&self.sort, index),
            ..self.clone()
        });
        let filters = (0..self.filters.len()).map(|index| Self {
            filters: without(&self.filters, index),
            ..self.clone()
        });
        include.chain(sort).chain(filters)
    }
}

fn without<T: Clone>(items: &[T], index: usize) -> Vec<T> {
    let kept = items.iter().enumerate().filter(|(at, _)| *at != index);
    kept.map(|(_, item)| item.clone()).collect()
}

fn below(runner: &mut TestRunner, limit: usize) -> usize {
    let drawn = runner.rng().next_u64() % limit.max(1) as u64;
    usize::try_from(drawn).unwrap_or_default()
}

fn pick<'i, T>(runner: &mut TestRunner, items: &'i [T]) -> Option<&'i T> {
    let index = below(runner, items.len());
    items.get(index)
}

/// As many of the items as a range says, all different, in random order.
fn some<T: Clone>(runner: &mut TestRunner, items: &[T], range: &RangeInclusive<usize>) -> Vec<T> {
    let count = range.start() + below(runner, range.end() - range.start() + 1);
    let mut left: Vec<&T> = items.iter().collect();
    let mut chosen = Vec::new();
    while chosen.len() < count && !left.is_empty() {
        let index = below(runner, left.len());
        chosen.push(left.swap_remove(index).clone());
    }
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn material() -> QueryPool {
        let contract = crate::our_contract().unwrap();
        let people: Vec<_> = (0..5)
            .map(|index| {
                json!({
                    "id": format!("drusr_{index}"), "first_name": "Ann", "last_name": format!("Lee{index}"),
                    "state": "active", "is_manager": index > 2, "email": format!("ann{index}@example.net"),
                    "timestamp": {"created_at": "2026-03-01T09:30:00Z", "deleted_at": null},
                })
            })
            .collect();
        QueryPool::of(contract.lists().next().unwrap().0, &people)
    }

    const SHAPE: QueryShape = QueryShape {
        filters: 1..=4,
        sort: 0..=3,
        include: 0..=3,
    };

    proptest! {
        #[test]
        fn a_probe_has_the_shape_that_was_asked_for(probe in queries(material(), SHAPE)) {
            prop_assert!(SHAPE.filters.contains(&probe.filters.len()));
            prop_assert!(probe.sort.len() <= 3 && probe.include.len() <= 3);
        }
    }

    #[test]
    fn shrinking_ends_with_the_parameters_that_matter() {
        let mut runner = TestRunner::deterministic();
        for _ in 0..50 {
            let mut tree = queries(material(), SHAPE).new_tree(&mut runner).unwrap();
            let fails = |probe: &GeneratedQuery| !probe.filters.is_empty() && probe.include.len() > 1;
            if !fails(&tree.current()) {
                continue;
            }
            let mut smallest = tree.current();
            let mut going = tree.simplify();
            while going {
                going = if fails(&tree.current()) {
                    smallest = tree.current();
                    tree.simplify()
                } else {
                    tree.complicate()
                };
            }
            assert_eq!(
                (
                    smallest.filters.len(),
                    smallest.sort.len(),
                    smallest.include.len()
                ),
                (1, 0, 2)
            );
        }
    }
}
