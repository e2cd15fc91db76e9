//! Exact filters, the sets that their values make (E5 to E8).

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::ValueKind;

use crate::case::{Accusation, Case};
use crate::checks::Looking;
use crate::checks::asking::{exact, looks, valued};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::{Listed, identity};
use crate::outcome::Tally;
use crate::query::Query;
use crate::sample::{is_usable, near};
use crate::seen::{Says, SeenFilter};

/// A filter with more values than this is not asked for all of them.
const FEW: usize = 40;

/// So many pairs of near values are asked for, of each filter.
const PAIRS: usize = 3;

pub(super) fn disjoint<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        let is_text = |_: &Context, filter: &SeenFilter| matches!(filter.kind, ValueKind::Text { .. });
        for (filter, values) in valued(context, tally, is_text).await? {
            for (one, other) in near(&values).into_iter().take(PAIRS) {
                let queries = [Query::by(&filter, one), Query::by(&filter, other)];
                cases.push(apart(context, &filter, &queries));
            }
        }
        context.settle(cases, tally).await?;
        tally.gap_if_empty("a filter with two values that are nearly the same");
        Ok(())
    })
}

/// Two questions whose answers have no record in common.
pub(crate) fn apart(context: &Context, filter: &SeenFilter, queries: &[Query; 2]) -> Case {
    let requests = queries
        .each_ref()
        .map(|query| query.request(context.list(filter.list)));
    let needs = format!("{}: two values that are found", filter.name);
    let about = (filter.name.clone(), filter.clause.clone());
    Case::new(filter.list, about, requests.into(), |answers, _| {
        common(&answers[0], &answers[1])
    })
    .discrediting([filter.name.clone()])
    .needing(needs)
}

pub(super) fn covering<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        let is_value = |context: &Context, filter: &SeenFilter| {
            !filter.is_identifier() && !filter.is_word() && !is_join(context, filter)
        };
        for (filter, values) in valued(context, tally, is_value).await? {
            if values.len() <= FEW && values.iter().all(|value| is_usable(value)) {
                cases.push(union(context, &filter, &values));
            }
        }
        context.settle(cases, tally).await?;
        tally.gap_if_empty(format!("a filter of at most {FEW} values, and a stable order"));
        Ok(())
    })
}

/// Every record that has one of the values is found under it. The request that should have found it shows the violation.
pub(crate) fn union(context: &Context, filter: &SeenFilter, values: &[String]) -> Case {
    let queries: Vec<_> = values.iter().map(|value| Query::by(filter, value)).collect();
    let list = context.list(filter.list);
    let requests: Vec<_> = queries.iter().map(|query| query.request(list)).collect();
    let looks = queries.iter().flat_map(looks).take(1).collect::<Vec<_>>();
    let about = (filter.name.clone(), filter.clause.clone());
    let judge = move |answers: &[Arc<Listed>], list: &Surveyed| uncovered(&queries, answers, list);
    Case::new(filter.list, about, requests, judge)
        .discrediting([filter.name.clone()])
        .seen_in(looks)
}

pub(super) fn identified<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, ids) in valued(context, tally, |_, filter| filter.is_identifier()).await? {
            let mut choice = context.choice("E7");
            let ids = choice.some(&ids, 8);
            cases.extend(ids.iter().map(|id| exact(context, Query::by(&filter, id))));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

pub(super) fn joined<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, referred) in valued(context, tally, is_join).await? {
            let referred: Vec<_> = referred.into_iter().filter(|id| is_usable(id)).collect();
            let others = context.list(filter.list).live().map(|(id, _)| id.to_owned());
            let others: Vec<_> = others.filter(|id| !referred.contains(id)).collect();
            let mut choice = context.choice("E8");
            // Those that others refer to, and those that nobody refers to.
            let ids = choice
                .some(&referred, 8)
                .into_iter()
                .chain(choice.some(&others, 3));
            cases.extend(ids.map(|id| exact(context, Query::by(&filter, id))));
        }
        context.settle(cases, tally).await?;
        tally.gap_if_empty("a record that others of its list refer to");
        Ok(())
    })
}

/// Whether the filter is what lists a relation whose join members show on both sides.
pub(crate) fn is_join(context: &Context, filter: &SeenFilter) -> bool {
    let subject = &context.list(filter.list).subject;
    subject.list.relations.iter().any(|relation| {
        let listed = relation.listed_by.as_ref();
        let here = listed.is_some_and(|by| by.operation == subject.operation.id && by.filter == filter.name);
        here && relation
            .join
            .as_ref()
            .is_some_and(|join| filter.places.first() == Some(&join.theirs))
    })
}

/// The records that stand in both answers.
pub(crate) fn common(one: &Listed, other: &Listed) -> Option<Accusation> {
    let (one, other) = (one.reading()?, other.reading()?);
    let (ours, theirs) = (one.ids(), other.ids());
    let common = ours.intersection(&theirs).map(|id| (*id).to_owned()).collect();
    Accusation::of_records(common, "no record in both answers", |names| {
        format!("{names} in both")
    })
}

/// The records that belong to one of the answers and are in none of them.
fn uncovered(queries: &[Query], answers: &[Arc<Listed>], list: &Surveyed) -> Option<Accusation> {
    let mut covered: BTreeSet<String> = BTreeSet::new();
    for (index, (query, answer)) in queries.iter().zip(answers).enumerate() {
        let Some(reading) = answer.reading() else {
            let expected = format!("{}, which there are", crate::oracle::describe(query));
            return Some(Accusation::of_answer(expected, answer).shown_by([index]));
        };
        if !reading.complete {
            return None;
        }
        covered.extend(reading.records.iter().map(|record| identity(record)));
    }
    let left: BTreeSet<_> = list
        .live()
        .filter(|(id, record)| {
            !covered.contains(*id)
                && queries
                    .iter()
                    .any(|query| query.demands(list, record) == Says::Yes)
        })
        .map(|(id, _)| id.to_owned())
        .collect();
    let first = left.first().and_then(|id| list.fullest()?.record(id));
    let own = queries
        .iter()
        .position(|query| first.is_some_and(|record| query.demands(list, record) == Says::Yes));
    let shows: Vec<usize> = own.into_iter().collect();
    Accusation::of_records(left, "every record under the value it has", |names| {
        format!("{names} under none")
    })
    .map(|accusation| accusation.of_absence().shown_by(shows))
}
