//! The oracle and the plan on ten records, without a server: a small model answers as any server may that conforms, and is
//! never accused; what it then does wrong is found.

mod answers;
mod couples;
mod deleted;
mod pages;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use proptest::prelude::*;
use rollcall_contract::{Contract, Match, Pointer};
use serde_json::{Value, json};

use crate::corpus::ListCorpus;
use crate::corpus::list_spec::ListSpec;
use crate::corpus::listing::{ListResponse, Pages};
use crate::corpus::order::SortField;
use crate::corpus::predicate::{Membership, ONLY, ObservableFilter, WITH};
use crate::corpus::query::Query;
use crate::corpus::record_set::RecordSet;
use crate::corpus::records::Record;
use crate::http::exchange::Exchange;
use crate::http::request::Request;
use crate::open_points::timestamp;
use crate::oracle::{Aspect, AspectViolation, Facts, InverseFilters, judge};
use crate::plan::sample::Choice;
use crate::plan::{Coverage, Domain, FilterDomain, PlannedValue, Shown, SortColumn, levels, plan};

/// What a conforming server is free to choose.
#[derive(Clone, Copy, Debug)]
struct Choices {
    folds_case: bool,
    includes_bounds: bool,
    nulls_first: bool,
    sorts_bytes: bool,
}

fn choices() -> impl Strategy<Value = Choices> {
    any::<[bool; 4]>().prop_map(
        |[folds_case, includes_bounds, nulls_first, sorts_bytes]| Choices {
            folds_case,
            includes_bounds,
            nulls_first,
            sorts_bytes,
        },
    )
}

fn spec() -> ListSpec {
    let contract = Contract::parse(crate::OUR_CONTRACT).unwrap();
    ListSpec::all(&contract, &BTreeMap::new()).remove(0)
}

/// Ten people: values that differ by case, nulls, soft-deleted ones.
fn people() -> Vec<Value> {
    let person = |index: usize| {
        let first = ["Ann", "ann", "Zoë", "O'Neill", "50%"][index % 5];
        let last = ["Smith", "Smithson", "van der Berg"][index % 3];
        let day = 1 + index;
        let state = ["active", "staged", "expired"][index % 3];
        json!({
            "id": format!("drusr_{index:04}"), "first_name": first, "last_name": last,
            "full_name": format!("{first} {last}"), "email": format!("p{index}@example.net"),
            "username": format!("p{index}"), "state": state,
            "is_manager": index == 0, "manager_id": (index > 0).then_some("drusr_0000"),
            "badge_id": index.is_multiple_of(2).then(|| format!("{index:03}")),
            "timestamp": {
                "created_at": format!("2020-{day:02}-01T00:00:00Z"),
                "deleted_at": (index % 4 == 3).then_some("2024-05-06T00:00:00Z"),
            },
        })
    };
    (0..10).map(person).collect()
}

/// What the tests judge.
struct Bench {
    contract: Contract,
    list: ListCorpus,
    records: Vec<Value>,
}

impl Bench {
    fn new() -> Self {
        let records = people();
        Self {
            contract: Contract::parse(crate::OUR_CONTRACT).unwrap(),
            list: ListCorpus::with_records(spec(), &records),
            records,
        }
    }

    fn facts(&self) -> Facts {
        let described = &self.list.spec.list;
        let fields = ["last_name", "badge_id", "created_at", "state"];
        let sorts = described
            .sort
            .iter()
            .filter(|(name, _)| fields.contains(&name.as_str()));
        Facts {
            sorts: sorts
                .map(|(name, at)| SortField::of(&self.contract, &described.record, name, at))
                .collect(),
            ..Facts::of(&self.contract, &self.list)
        }
    }

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

    /// The records that a server answers with.
    fn answer(&self, query: &Query, choices: Choices) -> Vec<Value> {
        let trashed = query
            .filters
            .iter()
            .find(|(filter, _)| filter.matching == Match::Trashed);
        let word = trashed.map_or("", |(_, value)| value);
        let mut found: Vec<Value> = self
            .records
            .iter()
            .filter(|one| {
                let is_deleted = self.list.spec.is_deleted(one);
                let is_listed = match word {
                    WITH => true,
                    ONLY => is_deleted,
                    _ => !is_deleted,
                };
                is_listed
                    && query
                        .filters
                        .iter()
                        .all(|(filter, value)| matches(filter, value, one, choices))
            })
            .cloned()
            .collect();
        let facts = self.facts();
        found.sort_by(|one, other| {
            let orders = query.sort.iter().map(|key| {
                let field = facts.sorts.iter().find(|field| field.name == key.field).unwrap();
                let place = &self
                    .list
                    .spec
                    .list
                    .sort
                    .iter()
                    .find(|(name, _)| *name == field.name)
                    .unwrap()
                    .1;
                let text = |record: &Value| place.find(record).and_then(Value::as_str).map(str::to_owned);
                compare(text(one), text(other), key.descending, choices)
            });
            orders.fold(Ordering::Equal, Ordering::then)
        });
        found
    }
}

fn matches(filter: &ObservableFilter, value: &str, record: &Value, choices: Choices) -> bool {
    let member = filter.places.first().and_then(|place| place.find(record));
    let text = match member {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(flag)) => flag.to_string(),
        _ => return filter.matching == Match::Trashed,
    };
    let fold = |text: &str| {
        if choices.folds_case {
            text.to_lowercase()
        } else {
            text.to_owned()
        }
    };
    let timestamps = timestamp::read(&text).zip(timestamp::read(value));
    let order = timestamps.map(|(at, bound)| at.cmp(&bound));
    let is_at_bound = choices.includes_bounds && order == Some(Ordering::Equal);
    match filter.matching {
        Match::Exact | Match::Flag => fold(&text) == fold(value),
        Match::Contains => fold(&text).contains(&fold(value)),
        Match::Before => order == Some(Ordering::Less) || is_at_bound,
        Match::After => order == Some(Ordering::Greater) || is_at_bound,
        Match::Trashed => true,
    }
}

fn compare(one: Option<String>, other: Option<String>, descending: bool, choices: Choices) -> Ordering {
    let nulls = match choices.nulls_first {
        true => Ordering::Less,
        false => Ordering::Greater,
    };
    match (one, other) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => nulls,
        (Some(_), None) => nulls.reverse(),
        (Some(one), Some(other)) => {
            let order = match choices.sorts_bytes {
                true => one.cmp(&other),
                false => one.to_lowercase().cmp(&other.to_lowercase()),
            };
            if descending { order.reverse() } else { order }
        }
    }
}

/// A value as a record of an answer.
fn record(value: &Value) -> Record {
    Record::new(value.clone(), &Pointer::of(["id"]))
}

fn response(records: Vec<Value>) -> ListResponse {
    ListResponse::Records(Pages::of_one_page(
        records,
        Exchange {
            request: Request::get("/directory/users"),
            status: 200,
            content_type: None,
            link: None,
            location: None,
            challenge: None,
            body: String::new(),
        },
    ))
}

fn aspects(violations: &[AspectViolation]) -> Vec<Aspect> {
    violations.iter().map(|one| one.aspect).collect()
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
            for id in crate::oracle::expected(&bench.list, &query) {
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
fn a_record_that_shows_another_member_is_found() {
    let bench = Bench::new();
    let mut records = bench.records.clone();
    records.retain(|one| !bench.list.spec.is_deleted(one));
    records[0]["email"] = json!("other@example.net");
    let violations = judge(&bench.facts(), &bench.list, &Query::default(), &response(records));
    assert_eq!(aspects(&violations), [Aspect::Record]);
}

#[test]
fn a_wrong_member_is_told_once_and_not_as_a_wrong_order() {
    let bench = Bench::new();
    let query = Query::default().sorted(&["created_at"]);
    let choices = Choices {
        folds_case: false,
        includes_bounds: false,
        nulls_first: false,
        sorts_bytes: false,
    };
    let mut records = bench.answer(&query, choices);
    records[0]["timestamp"]["created_at"] = json!("2039-01-01T00:00:00Z");
    let violations = judge(&bench.facts(), &bench.list, &query, &response(records));
    assert_eq!(aspects(&violations), [Aspect::Record]);
}

#[test]
fn an_envelope_around_one_answer_and_not_around_the_list_is_found() {
    let bench = Bench::new();
    let mut records = bench.records.clone();
    records.retain(|one| !bench.list.spec.is_deleted(one));
    let mut answer = response(records);
    if let ListResponse::Records(pages) = &mut answer {
        pages.envelope = Some("items".to_owned());
    }
    let violations = judge(&bench.facts(), &bench.list, &Query::default(), &answer);
    assert_eq!(aspects(&violations), [Aspect::Answer]);
}

#[test]
fn a_soft_deleted_record_is_found_where_nothing_asks_for_it() {
    let bench = Bench::new();
    let query = Query {
        hides_deleted: true,
        ..Query::default()
    };
    let violations = judge(
        &bench.facts(),
        &bench.list,
        &query,
        &response(bench.records.clone()),
    );
    assert_eq!(aspects(&violations), [Aspect::Deleted]);
}

#[test]
fn a_plan_without_a_limit_leaves_no_pair_out() {
    let (queries, coverage) = Bench::new().plan(1, 10_000);
    assert!(queries.len() < 2_000, "{}", queries.len());
    assert_eq!(coverage.left_out, [""; 0]);
    assert!(coverage.pairs > coverage.out_of_reach.len() / 4, "{coverage:?}");
}
