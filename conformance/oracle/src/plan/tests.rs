//! The plan on the ten records of the oracle's tests: a conforming model is accused by no planned query, and a record that is
//! lost or added is found by each.

mod couples;
mod deleted;
mod pages;

use std::collections::BTreeMap;

use proptest::prelude::*;
use rollcall_contract::Match;
use serde_json::Value;

use crate::corpus::predicate::{Membership, ONLY, ObservableFilter};
use crate::corpus::query::Query;
use crate::corpus::record_set::RecordSet;
use crate::judge::tests::{Bench, choices, record, response};
use crate::judge::{Aspect, judge};
use crate::plan::sample::Choice;
use crate::plan::{Coverage, Domain, FilterDomain, PlannedValue, Shown, SortColumn, levels, plan};

impl Bench {
    /// What can be asked: the filters whose members the records show.
    fn domain(&self, seed: u64) -> Domain {
        let count = self.records.len();
        let set = |is_in: &dyn Fn(&Value) -> bool| RecordSet::of(count, |index| is_in(&self.records[index]));
        let filters = self
            .list
            .spec
            .filters
            .iter()
            .filter_map(|judged| ObservableFilter::of(0, judged));
        let shown = filters.filter(|filter| {
            let mut places = filter.places.iter();
            filter.all.is_empty()
                && places.any(|place| self.records.iter().any(|one| place.find(one).is_some()))
        });
        let filters = shown.map(|filter| {
            let mut values: BTreeMap<String, usize> = BTreeMap::new();
            for value in self
                .records
                .iter()
                .filter_map(|one| filter.places[0].find(one)?.as_str())
            {
                *values.entry(value.to_owned()).or_default() += 1;
            }
            let shown = Shown {
                values,
                ..Shown::default()
            };
            let values = levels(&filter, &shown, &mut Choice::new(seed, &filter.name));
            let level = |value: crate::plan::ClassedValue| PlannedValue {
                verdicts: self.list.verdicts(&filter, &value.value),
                near: value.near.as_ref().map_or_else(RecordSet::default, |near| {
                    self.list.verdicts(&filter, near).included.clone()
                }),
                value,
            };
            let values = values.into_iter().map(level).collect();
            FilterDomain::new(filter, values, count)
        });
        let sorts = self.facts().sorts.into_iter().map(|field| {
            let keys: Vec<_> = self.records.iter().map(|one| field.key(one)).collect();
            SortColumn::new(&field.name, &keys)
        });
        Domain {
            filters: filters.collect(),
            sorts: sorts.collect(),
            usual: set(&|one| !self.list.spec.is_deleted(one)),
            count,
            page_size: 50,
            ..Domain::default()
        }
    }

    fn plan(&self, seed: u64, most: usize) -> (Vec<Query>, Coverage) {
        let plan = plan(&self.domain(seed), &mut Choice::new(seed, "plan"), most);
        let queries = plan.queries.into_iter().map(|planned| Query {
            hides_deleted: true,
            ..planned.query
        });
        // Whether a bound on the time of deletion lists soft-deleted records is not specified.
        let queries = queries.filter(|query| query.uses().iter().all(|name| !name.contains("deleted")));
        (queries.collect(), plan.coverage)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_choice_at_an_open_point_is_a_violation(seed: u64, choices in choices()) {
        let bench = Bench::new();
        let facts = bench.facts();
        for query in bench.plan(seed, 60).0 {
            let violations = judge(&facts, &bench.list, &query, &response(bench.answer(&query, choices)));
            prop_assert!(violations.is_empty(), "{:?}: {violations:?}", query.uses());
        }
    }

    #[test]
    fn a_record_that_is_lost_or_added_is_found(seed: u64, choices in choices()) {
        let bench = Bench::new();
        let facts = bench.facts();
        let (mut lost, mut added) = (0, 0);
        for query in bench.plan(seed, 60).0 {
            let right = bench.answer(&query, choices);
            let found = |records: Vec<Value>| judge(&facts, &bench.list, &query, &response(records));
            for id in crate::judge::expected(&bench.list, &query) {
                let fewer = right.iter().filter(|one| one["id"] != id.as_str()).cloned().collect();
                prop_assert!(found(fewer).iter().any(|one| one.aspect == Aspect::Missing));
                lost += 1;
            }
            for alien in bench.records.iter().filter(|one| query.membership(&bench.list, &record(one)) == Membership::Excluded) {
                let more = right.iter().chain([alien]).cloned().collect();
                prop_assert!(found(more).iter().any(|one| one.aspect == Aspect::Alien));
                added += 1;
            }
        }
        prop_assert!(lost > 0 && added > 0);
    }

    #[test]
    fn the_same_seed_plans_the_same(seed: u64) {
        let bench = Bench::new();
        prop_assert_eq!(bench.plan(seed, 40), bench.plan(seed, 40));
    }
}

#[test]
fn a_plan_without_a_limit_leaves_no_pair_out() {
    let (queries, coverage) = Bench::new().plan(1, 10_000);
    assert!(queries.len() < 2_000, "{}", queries.len());
    assert_eq!(coverage.left_out, [""; 0]);
    assert!(coverage.pairs > coverage.out_of_reach.len() / 4, "{coverage:?}");
}
