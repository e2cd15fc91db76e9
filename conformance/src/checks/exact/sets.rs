//! The sets that the values of a filter make.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::checks::cases::projections;
use crate::corpus::ListCorpus;
use crate::corpus::listing::{ListResponse, identity};
use crate::corpus::predicate::{Membership, ObservableFilter};
use crate::corpus::query::Query;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::oracle::Violation;

/// Two questions whose answers have no record in common.
pub(crate) fn apart(engine: &Engine, filter: &ObservableFilter, queries: &[Query; 2]) -> Case {
    let requests = queries
        .each_ref()
        .map(|query| query.request(engine.list(filter.list)));
    let needs = format!("{}: two values that are found", filter.name);
    let about = (filter.name.clone(), filter.clause.clone());
    Case::new(filter.list, about, requests.into(), |answers, _| {
        common(&answers[0], &answers[1])
    })
    .invalidates([filter.name.clone()])
    .needing(needs)
}

/// Every record that has one of the values is found under it. The request that should have found it shows the violation.
pub(crate) fn union(engine: &Engine, filter: &ObservableFilter, values: &[String]) -> Case {
    let queries: Vec<_> = values.iter().map(|value| Query::by(filter, value)).collect();
    let list = engine.list(filter.list);
    let requests: Vec<_> = queries.iter().map(|query| query.request(list)).collect();
    let projections = queries.iter().flat_map(projections).take(1).collect::<Vec<_>>();
    let about = (filter.name.clone(), filter.clause.clone());
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| uncovered(&queries, answers, list);
    Case::new(filter.list, about, requests, judge)
        .invalidates([filter.name.clone()])
        .seen_in(projections)
}

/// Whether the filter is what lists a relation whose join members show on both sides.
pub(crate) fn is_join(list: &ListCorpus, filter: &ObservableFilter) -> bool {
    let spec = &list.spec;
    spec.list.relations.iter().any(|relation| {
        let response = relation.listed_by.as_ref();
        let here = response.is_some_and(|by| by.operation == spec.operation.id && by.filter == filter.name);
        here && relation
            .join
            .as_ref()
            .is_some_and(|join| filter.places.first() == Some(&join.theirs))
    })
}

/// The records that stand in both answers.
pub(crate) fn common(one: &ListResponse, other: &ListResponse) -> Option<Violation> {
    let (one, other) = (one.reading()?, other.reading()?);
    let (ours, theirs) = (one.ids(), other.ids());
    let common = ours.intersection(&theirs).map(|id| (*id).to_owned()).collect();
    Violation::of_records(common, "no record in both answers", |names| {
        format!("{names} in both")
    })
}

/// The records that belong to one of the answers and are in none of them.
fn uncovered(queries: &[Query], answers: &[Arc<ListResponse>], list: &ListCorpus) -> Option<Violation> {
    let mut covered: BTreeSet<String> = BTreeSet::new();
    let mut readings = Vec::new();
    for (index, (query, answer)) in queries.iter().zip(answers).enumerate() {
        let Some(reading) = answer.reading() else {
            let expected = format!("{}, which there are", crate::oracle::describe(query));
            return Some(Violation::of_answer(expected, answer).shown_by([index]));
        };
        readings.push(reading);
        covered.extend(reading.records.iter().map(|record| identity(record)));
    }
    let left: BTreeSet<_> = list
        .live()
        .filter(|(id, record)| {
            !covered.contains(*id)
                && readings.iter().all(|reading| reading.reaches(id))
                && queries
                    .iter()
                    .any(|query| query.demands(list, record) == Membership::Included)
        })
        .map(|(id, _)| id.to_owned())
        .collect();
    let first = left.first().and_then(|id| list.widest_snapshot()?.record(id));
    let own = queries
        .iter()
        .position(|query| first.is_some_and(|record| query.demands(list, record) == Membership::Included));
    let reproduction: Vec<usize> = own.into_iter().collect();
    Violation::of_records(left, "every record under the value it has", |names| {
        format!("{names} under none")
    })
    .map(|violation| violation.of_absence().shown_by(reproduction))
}
