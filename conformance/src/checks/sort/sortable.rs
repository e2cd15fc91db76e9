//! Which fields a list can be sorted by is not specified: it is found out by asking (L5, L6).
//!
//! Invariant: a field that changes nothing is ignored, not broken; so is one whose order is another each time, on a target
//! whose usual order is another each time.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::checks::cases::selective_query;
use crate::corpus::listing::{ListResponse, identity};
use crate::corpus::order::{Key, SortField};
use crate::corpus::query::Query;
use crate::engine::Engine;
use crate::http::request::Request;
use crate::http::target::TargetError;

/// How often a field is asked for again where the usual order is another each time.
const TIMES: usize = 3;

/// What was found out about sorting a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortSupport {
    /// The fields that change the order, each with the short question it was found out by.
    pub(crate) sorting: Vec<(SortField, Query)>,
    /// The fields that are taken and change nothing, with that question.
    pub(crate) ignored: Vec<(SortField, Query)>,
    /// The fields whose values are all the same, so that nothing can be told.
    pub(crate) untold: Vec<String>,
    /// The fields that are refused.
    pub(crate) refused: Vec<String>,
    /// The fields that are answered neither with records nor with a refusal.
    pub(crate) broken: Vec<(SortField, Query)>,
}

/// What becomes of one field.
enum FieldAnswer {
    Sorts,
    Ignored,
    Refused,
    Broken,
}

/// What is known about sorting a list; found out when it is asked for first.
pub(crate) async fn of(engine: &mut Engine, list: usize) -> Result<Arc<SortSupport>, TargetError> {
    if let Some(known) = engine.recall(list) {
        return Ok(known);
    }
    let found = Arc::new(find_out(engine, list).await?);
    engine.remember(list, &found);
    Ok(found)
}

/// The lists of the specification that can be read, as indices into the corpus.
pub(crate) fn lists(engine: &Engine) -> Vec<usize> {
    let mut lists = engine.readable();
    lists.retain(|list| engine.list(*list).spec.specified);
    lists
}

/// The lists of the specification with what is known about sorting them.
pub(super) async fn all(engine: &mut Engine) -> Result<Vec<(usize, Arc<SortSupport>)>, TargetError> {
    let mut all = Vec::new();
    for list in lists(engine) {
        all.push((list, of(engine, list).await?));
    }
    Ok(all)
}

async fn find_out(engine: &mut Engine, list: usize) -> Result<SortSupport, TargetError> {
    let mut sortable = SortSupport::default();
    let fields = fields(engine, list);
    let nonsense = engine.choice("sort").word(12);
    let short = selective_query::all(engine, list);
    let asked: Vec<(SortField, Query)> = fields
        .into_iter()
        .map(|field| {
            let query = selective_query::best(&short, |records| discriminating_power(&field, records));
            (field, query)
        })
        .collect();
    let mut wanted = Vec::new();
    for (field, query) in &asked {
        let requests = questions(engine, list, field, query, &nonsense);
        wanted.extend(requests.into_iter().map(|request| (list, request)));
    }
    engine.prefetch(wanted).await?;
    for (field, query) in asked {
        let mut query = query;
        let mut requests = questions(engine, list, &field, &query, &nonsense);
        let mut answers = engine.ask_all(list, &requests).await?;
        let mut answer = answer(engine, list, &field, &answers, &requests[0]).await?;
        // Another question may show what this one happens not to: perhaps its records are the same in what really sorts.
        if let (FieldAnswer::Ignored, Some(other)) = (
            &answer,
            selective_query::selective_query(&selective_query::all(engine, list), &query, |records| {
                discriminating_power(&field, records)
            }),
        ) {
            query = other;
            requests = questions(engine, list, &field, &query, &nonsense);
            answers = engine.ask_all(list, &requests).await?;
            answer = self::answer(engine, list, &field, &answers, &requests[0]).await?;
        }
        match answer {
            FieldAnswer::Refused => sortable.refused.push(field.name),
            FieldAnswer::Broken => sortable.broken.push((field, query)),
            _ if keys(&field, &answers[0]).is_none_or(|keys| count(&keys) < 2) => {
                sortable.untold.push(field.name);
            }
            FieldAnswer::Ignored => sortable.ignored.push((field, query)),
            FieldAnswer::Sorts => sortable.sorting.push((field, query)),
        }
    }
    Ok(sortable)
}

/// The sort fields that the contract gives a list.
fn fields(engine: &Engine, list: usize) -> Vec<SortField> {
    let described = &engine.list(list).spec.list;
    let fields = described.sort.iter();
    fields
        .map(|(name, at)| SortField::of(&engine.contract, &described.record, name, at))
        .collect()
}

/// A question in both directions, without an order, and in an order that does not exist.
fn questions(engine: &Engine, list: usize, field: &SortField, query: &Query, nonsense: &str) -> [Request; 4] {
    let ask = |keys: &[&str]| query.clone().sorted(keys).request(engine.list(list));
    let descending = format!("-{}", field.name);
    [
        ask(&[&field.name]),
        ask(&[&descending]),
        ask(&[]),
        ask(&[nonsense]),
    ]
}

async fn answer(
    engine: &Engine,
    list: usize,
    field: &SortField,
    answers: &[Arc<ListResponse>],
    request: &Request,
) -> Result<FieldAnswer, TargetError> {
    let [up, down, usual, nonsense] = answers else {
        return Ok(FieldAnswer::Broken);
    };
    let (Some(ascending), descending) = (ids(up), ids(down)) else {
        let both = [up, down].iter().all(|answer| match answer.as_ref() {
            ListResponse::Refused(exchange) => exchange.is_refusal(),
            _ => false,
        });
        return Ok(if both {
            FieldAnswer::Refused
        } else {
            FieldAnswer::Broken
        });
    };
    let is_usual = ids(usual).as_ref() == Some(&ascending) || ids(nonsense).as_ref() == Some(&ascending);
    if descending.as_ref() == Some(&ascending) && is_usual {
        return Ok(FieldAnswer::Ignored);
    }
    let paging = &engine.list(list).paging;
    if !paging.stable || paging.sort.is_some() {
        for _ in 0..TIMES {
            let again = engine.ask_again(list, request).await?;
            if keys(field, &again) != keys(field, up) {
                return Ok(FieldAnswer::Ignored);
            }
        }
    }
    Ok(FieldAnswer::Sorts)
}

fn ids(answer: &ListResponse) -> Option<Vec<String>> {
    let records = &answer.reading()?.records;
    Some(records.iter().map(|record| identity(record)).collect())
}

/// The values of a field in the order of an answer.
pub(super) fn keys(field: &SortField, answer: &ListResponse) -> Option<Vec<Key>> {
    let records = &answer.reading()?.records;
    Some(records.iter().filter_map(|record| field.key(record)).collect())
}

/// How much records tell of an order: some values, and some records without any.
fn discriminating_power(field: &SortField, records: &[&Value]) -> usize {
    let is_null = |record: &&&Value| field.key(record) == Some(Key::Null);
    let nulls = records.iter().filter(is_null).count();
    match distinct(field, records) {
        0 | 1 => 0,
        values => values.min(4) + 3 * nulls.min(1),
    }
}

/// How many values, other than none, some records have.
pub(crate) fn distinct(field: &SortField, records: &[&Value]) -> usize {
    let keys: Vec<_> = records.iter().filter_map(|record| field.key(record)).collect();
    count(&keys)
}

fn count(keys: &[Key]) -> usize {
    let some = keys.iter().filter(|key| **key != Key::Null);
    let different: BTreeSet<_> = some.map(|key| format!("{key:?}")).collect();
    different.len()
}
