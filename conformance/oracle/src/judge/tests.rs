//! The oracle on ten records, without a server: a small model answers as any server may that conforms, and each thing that it then
//! does wrong is found. The tests of the plan judge planned queries by the same model.

mod answers;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use proptest::prelude::*;
use rollcall_contract::{Contract, Match, Pointer};
use serde_json::{Value, json};

use super::{Aspect, AspectViolation, Facts, InverseFilters, judge};
use crate::corpus::ListCorpus;
use crate::corpus::list_spec::ListSpec;
use crate::corpus::listing::{ListResponse, Pages};
use crate::corpus::order::SortField;
use crate::corpus::predicate::{ONLY, ObservableFilter, WITH};
use crate::corpus::query::Query;
use crate::corpus::records::Record;
use crate::http::exchange::Exchange;
use crate::http::request::Request;
use crate::open_points::timestamp;

/// What a conforming server is free to choose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    pub(crate) folds_case: bool,
    pub(crate) includes_bounds: bool,
    pub(crate) nulls_first: bool,
    pub(crate) sorts_bytes: bool,
}

pub(crate) fn choices() -> impl Strategy<Value = Choices> {
    any::<[bool; 4]>().prop_map(
        |[folds_case, includes_bounds, nulls_first, sorts_bytes]| Choices {
            folds_case,
            includes_bounds,
            nulls_first,
            sorts_bytes,
        },
    )
}

pub(crate) fn spec() -> ListSpec {
    let contract = Contract::parse(crate::OUR_CONTRACT).unwrap();
    ListSpec::all(&contract, &BTreeMap::new()).remove(0)
}

/// Ten people: values that differ by case, nulls, soft-deleted ones.
pub(crate) fn people() -> Vec<Value> {
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
pub(crate) struct Bench {
    pub(crate) contract: Contract,
    pub(crate) list: ListCorpus,
    pub(crate) records: Vec<Value>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let records = people();
        Self {
            contract: Contract::parse(crate::OUR_CONTRACT).unwrap(),
            list: ListCorpus::with_records(spec(), &records),
            records,
        }
    }

    pub(crate) fn facts(&self) -> Facts {
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

    /// The records that a server answers with.
    pub(crate) fn answer(&self, query: &Query, choices: Choices) -> Vec<Value> {
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

pub(crate) fn matches(filter: &ObservableFilter, value: &str, record: &Value, choices: Choices) -> bool {
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

pub(crate) fn compare(
    one: Option<String>,
    other: Option<String>,
    descending: bool,
    choices: Choices,
) -> Ordering {
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
pub(crate) fn record(value: &Value) -> Record {
    Record::new(value.clone(), &Pointer::of(["id"]))
}

pub(crate) fn response(records: Vec<Value>) -> ListResponse {
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

pub(crate) fn aspects(violations: &[AspectViolation]) -> Vec<Aspect> {
    violations.iter().map(|one| one.aspect).collect()
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
fn a_bound_finds_all_records_without_a_timestamp_or_none_of_them() {
    let mut bench = Bench::new();
    bench.records.retain(|one| !bench.list.spec.is_deleted(one));
    for record in &mut bench.records {
        record["timestamp"]["expires_at"] = Value::Null;
    }
    bench.list = ListCorpus::with_records(spec(), &bench.records);
    let mut filters = bench.list.spec.filters.iter();
    let judged = filters.find(|one| one.name == "filter[expires_after]").unwrap();
    let query = Query::by(&ObservableFilter::of(0, judged).unwrap(), "2024-01-01");
    for (taken, expected) in [
        (0, vec![]),
        (3, vec![Aspect::Alien]),
        (bench.records.len(), vec![]),
    ] {
        let answer = response(bench.records[..taken].to_vec());
        let violations = judge(&bench.facts(), &bench.list, &query, &answer);
        assert_eq!(aspects(&violations), expected, "{taken} records");
    }
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
