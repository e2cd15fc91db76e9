//! Which fields a list can be sorted by is not specified: it is found out by asking (L5, L6).
//!
//! Invariant: a field that changes nothing is ignored, not broken; so is one whose order is another each time, on a target
//! whose usual order is another each time.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::checks::asking::narrow;
use crate::context::Context;
use crate::listing::{Listed, identity};
use crate::order::{Key, SortField};
use crate::query::Query;
use crate::request::Request;
use crate::target::Trouble;

/// How often a field is asked for again where the usual order is another each time.
const TIMES: usize = 3;

/// What was found out about sorting a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sortable {
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
enum Fate {
    Sorts,
    Ignored,
    Refused,
    Broken,
}

/// What is known about sorting a list; found out when it is asked for first.
pub(crate) async fn of(context: &mut Context, list: usize) -> Result<Arc<Sortable>, Trouble> {
    if let Some(known) = context.sortable.get(&list) {
        return Ok(Arc::clone(known));
    }
    let found = Arc::new(find_out(context, list).await?);
    context.sortable.insert(list, Arc::clone(&found));
    Ok(found)
}

/// The lists of the specification that can be read, as indices into the corpus.
pub(crate) fn lists(context: &Context) -> Vec<usize> {
    let mut lists = context.readable();
    lists.retain(|list| context.list(*list).subject.specified);
    lists
}

/// The lists of the specification with what is known about sorting them.
pub(super) async fn all(context: &mut Context) -> Result<Vec<(usize, Arc<Sortable>)>, Trouble> {
    let mut all = Vec::new();
    for list in lists(context) {
        all.push((list, of(context, list).await?));
    }
    Ok(all)
}

async fn find_out(context: &mut Context, list: usize) -> Result<Sortable, Trouble> {
    let mut sortable = Sortable::default();
    let fields = fields(context, list);
    let nonsense = context.choice("sort").word(12);
    let short = narrow::all(context, list);
    let asked: Vec<(SortField, Query)> = fields
        .into_iter()
        .map(|field| {
            let query = narrow::best(&short, |records| telling(&field, records));
            (field, query)
        })
        .collect();
    let mut wanted = Vec::new();
    for (field, query) in &asked {
        let requests = questions(context, list, field, query, &nonsense);
        wanted.extend(requests.into_iter().map(|request| (list, request)));
    }
    context.prefetch(wanted).await?;
    for (field, query) in asked {
        let mut query = query;
        let mut requests = questions(context, list, &field, &query, &nonsense);
        let mut answers = context.ask_all(list, &requests).await?;
        let mut fate = fate(context, list, &field, &answers, &requests[0]).await?;
        // Another question may show what this one happens not to: perhaps its records are the same in what really sorts.
        if let (Fate::Ignored, Some(other)) = (
            &fate,
            narrow::besides(&narrow::all(context, list), &query, |records| {
                telling(&field, records)
            }),
        ) {
            query = other;
            requests = questions(context, list, &field, &query, &nonsense);
            answers = context.ask_all(list, &requests).await?;
            fate = self::fate(context, list, &field, &answers, &requests[0]).await?;
        }
        match fate {
            Fate::Refused => sortable.refused.push(field.name),
            Fate::Broken => sortable.broken.push((field, query)),
            _ if keys(&field, &answers[0]).is_none_or(|keys| count(&keys) < 2) => {
                sortable.untold.push(field.name);
            }
            Fate::Ignored => sortable.ignored.push((field, query)),
            Fate::Sorts => sortable.sorting.push((field, query)),
        }
    }
    Ok(sortable)
}

/// The sort fields that the contract gives a list.
fn fields(context: &Context, list: usize) -> Vec<SortField> {
    let described = &context.list(list).subject.list;
    let fields = described.sort.iter();
    fields
        .map(|(name, at)| SortField::of(&context.contract, &described.record, name, at))
        .collect()
}

/// A question in both directions, without an order, and in an order that does not exist.
fn questions(
    context: &Context,
    list: usize,
    field: &SortField,
    query: &Query,
    nonsense: &str,
) -> [Request; 4] {
    let ask = |keys: &[&str]| query.clone().sorted(keys).request(context.list(list));
    let descending = format!("-{}", field.name);
    [
        ask(&[&field.name]),
        ask(&[&descending]),
        ask(&[]),
        ask(&[nonsense]),
    ]
}

async fn fate(
    context: &Context,
    list: usize,
    field: &SortField,
    answers: &[Arc<Listed>],
    request: &Request,
) -> Result<Fate, Trouble> {
    let [up, down, usual, nonsense] = answers else {
        return Ok(Fate::Broken);
    };
    let (Some(ascending), descending) = (ids(up), ids(down)) else {
        let both = [up, down].iter().all(|answer| match answer.as_ref() {
            Listed::Refused(exchange) => exchange.is_refusal(),
            _ => false,
        });
        return Ok(if both { Fate::Refused } else { Fate::Broken });
    };
    let is_usual = ids(usual).as_ref() == Some(&ascending) || ids(nonsense).as_ref() == Some(&ascending);
    if descending.as_ref() == Some(&ascending) && is_usual {
        return Ok(Fate::Ignored);
    }
    let paging = &context.list(list).paging;
    if !paging.stable || paging.sort.is_some() {
        for _ in 0..TIMES {
            let again = context.ask_again(list, request).await?;
            if keys(field, &again) != keys(field, up) {
                return Ok(Fate::Ignored);
            }
        }
    }
    Ok(Fate::Sorts)
}

fn ids(answer: &Listed) -> Option<Vec<String>> {
    let records = &answer.reading()?.records;
    Some(records.iter().map(|record| identity(record)).collect())
}

/// The values of a field in the order of an answer.
pub(super) fn keys(field: &SortField, answer: &Listed) -> Option<Vec<Key>> {
    let records = &answer.reading()?.records;
    Some(records.iter().filter_map(|record| field.key(record)).collect())
}

/// How much records tell of an order: some values, and some records without any.
fn telling(field: &SortField, records: &[&Value]) -> usize {
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
