//! Which fields a list can be sorted by is not specified: it is found out by asking (L5, L6).
//!
//! Invariant: a field that changes nothing is ignored, not broken, if the target takes fields that do not exist as well. So is a field
//! whose order is another each time, on a target whose usual order is another each time.

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::{ListResponse, identity};
use rollcall_oracle::corpus::order::{Key, SortField};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::again::TIMES;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Violation, out_of_order_by};
use serde_json::Value;

use crate::cases::selective_query::{self, SelectiveQuery};
use crate::engine::Engine;

/// What was found out about sorting a list: its fields, each with the short question it was found out by.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortSupport {
    /// The fields that change the order.
    pub(crate) sorting: Vec<(SortField, Query)>,
    /// The fields that are taken and change nothing.
    pub(crate) ignored: Vec<(SortField, Query)>,
    /// The fields whose values are all the same, so that nothing can be told.
    pub(crate) untold: Vec<(SortField, Query)>,
    /// The fields that are refused.
    pub(crate) refused: Vec<(SortField, Query)>,
    /// The fields that are answered neither with records nor with a refusal.
    pub(crate) broken: Vec<(SortField, Query)>,
}

impl SortSupport {
    /// The short question that a field was found out by; it was asked [in both directions](in_both_directions).
    pub(crate) fn query(&self, field: &str) -> Option<&Query> {
        let taken = [&self.sorting, &self.ignored, &self.untold];
        let others = [&self.refused, &self.broken];
        let mut all = taken.into_iter().chain(others).flatten();
        all.find(|(known, _)| known.name == field).map(|(_, query)| query)
    }
}

/// What becomes of one field.
enum FieldAnswer {
    Sorts,
    /// It changes nothing, although the target refuses fields that it does not know.
    Still,
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
pub(crate) async fn all(engine: &mut Engine) -> Result<Vec<(usize, Arc<SortSupport>)>, TargetError> {
    let mut all = Vec::new();
    for list in lists(engine) {
        all.push((list, of(engine, list).await?));
    }
    Ok(all)
}

async fn find_out(engine: &mut Engine, list: usize) -> Result<SortSupport, TargetError> {
    let mut sortable = SortSupport::default();
    let nonsense = engine.choice("sort").word(12);
    let short = selective_query::all(engine, list);
    let of_deleted = selective_query::of_deleted(engine, list);
    let described = &engine.list(list).spec.list;
    let asked = described.sort.iter().map(|(name, at)| {
        let field = SortField::of(&engine.contract, &described.record, name, at);
        let power = |records: &[&Value]| discriminating_power(&field, records);
        let shows = |one: &&SelectiveQuery<'_>| power(&one.records) > 0;
        // A member that only soft-deleted records have shows among them.
        let of_deleted = of_deleted
            .iter()
            .find(shows)
            .filter(|_| !short.iter().any(|one| shows(&one)));
        let query = match of_deleted {
            Some(of_deleted) => of_deleted.query.clone(),
            None => selective_query::best(&short, power),
        };
        (field, query)
    });
    let asked: Vec<(SortField, Query)> = asked.collect();
    let wanted = asked.iter().flat_map(|(field, query)| {
        let requests = in_both_directions(engine.list(list), query, &field.name);
        requests.map(|request| (list, request))
    });
    engine.prefetch(wanted.collect()).await?;
    for (field, mut query) in asked {
        let (mut answer, mut first) = answer(engine, list, (&field, &query), &nonsense).await?;
        // Another question may show what this one happens not to: perhaps its records are the same in what really sorts.
        let power = |records: &[&Value]| discriminating_power(&field, records);
        let other = selective_query::selective_query(&selective_query::all(engine, list), &query, power);
        if let (FieldAnswer::Still | FieldAnswer::Ignored, Some(other)) = (&answer, other) {
            query = other;
            (answer, first) = self::answer(engine, list, (&field, &query), &nonsense).await?;
        }
        let alike = match answer {
            FieldAnswer::Refused => &mut sortable.refused,
            FieldAnswer::Broken => &mut sortable.broken,
            _ if keys(&field, &first).is_none_or(|keys| count(&keys) < 2) => &mut sortable.untold,
            FieldAnswer::Ignored => &mut sortable.ignored,
            FieldAnswer::Sorts | FieldAnswer::Still => &mut sortable.sorting,
        };
        alike.push((field, query));
    }
    Ok(sortable)
}

/// A question in the order of a field, ascending and descending.
pub(crate) fn in_both_directions(list: &ListCorpus, query: &Query, field: &str) -> [Request; 2] {
    [field, &format!("-{field}")].map(|key| query.clone().sorted(&[key]).request(list))
}

/// What a question in the order of a field shows, and the answer in its ascending order.
async fn answer(
    engine: &mut Engine,
    list: usize,
    (field, query): (&SortField, &Query),
    nonsense: &str,
) -> Result<(FieldAnswer, Arc<ListResponse>), TargetError> {
    let [first, second] = in_both_directions(engine.list(list), query, &field.name);
    let up = engine.ask(list, &first).await?;
    let down = engine.ask(list, &second).await?;
    let (Some(ascending), descending) = (ids(&up), ids(&down)) else {
        let answer = match up.is_refused() && down.is_refused() {
            true => FieldAnswer::Refused,
            false => FieldAnswer::Broken,
        };
        return Ok((answer, up));
    };
    if descending.as_ref() == Some(&ascending) {
        // In no order, and in one that does not exist.
        let mut refuses = false;
        for keys in [&[nonsense][..], &[]] {
            let request = query.clone().sorted(keys).request(engine.list(list));
            let answer = engine.ask(list, &request).await?;
            refuses |= answer.is_refused();
            if ids(&answer).as_ref() == Some(&ascending) {
                let still = if refuses {
                    FieldAnswer::Still
                } else {
                    FieldAnswer::Ignored
                };
                return Ok((still, up));
            }
        }
    }
    let paging = &engine.list(list).paging;
    if !paging.stable || paging.sort.is_some() {
        for _ in 0..TIMES {
            let again = engine.ask_again(list, &first).await?;
            if keys(field, &again) != keys(field, &up) {
                return Ok((FieldAnswer::Ignored, up));
            }
        }
    }
    Ok((FieldAnswer::Sorts, up))
}

fn ids(answer: &ListResponse) -> Option<Vec<String>> {
    let records = &answer.reading()?.records;
    Some(records.iter().map(|record| identity(record)).collect())
}

/// The values of a field in the order of an answer.
pub(crate) fn keys(field: &SortField, answer: &ListResponse) -> Option<Vec<Key>> {
    let records = &answer.reading()?.records;
    Some(records.iter().filter_map(|record| field.key(record)).collect())
}

/// The records of some answers, one after the other, with what they show of a field.
pub(crate) fn sort_keys(field: &SortField, answers: &[Arc<ListResponse>]) -> Vec<(String, Key)> {
    let readings = answers.iter().filter_map(|answer| answer.reading());
    let records = readings.flat_map(|reading| &reading.records);
    let shown = records.filter_map(|record| Some((identity(record), field.key(record)?)));
    shown.collect()
}

/// Two records of some answers, one after the other, that stand in the wrong order.
pub(crate) fn disorder(
    field: &SortField,
    answers: &[Arc<ListResponse>],
    descending: bool,
) -> Option<Violation> {
    out_of_order_by(field, &sort_keys(field, answers), descending)
}

/// How much records tell of an order: some values, some records without any, and values that begin with a small letter beside others
/// that begin with a capital, which one of the two directions may compare in another way.
fn discriminating_power(field: &SortField, records: &[&Value]) -> usize {
    let keys: Vec<Key> = records.iter().filter_map(|record| field.key(record)).collect();
    let any = |is_meant: fn(&Key) -> bool| usize::from(keys.iter().any(is_meant));
    let both_cases =
        any(|key| key.begins_with(char::is_lowercase)) * any(|key| key.begins_with(char::is_uppercase));
    match count(&keys) {
        0 | 1 => 0,
        values => values.min(4) + 3 * any(|key| *key == Key::Null) + 2 * both_cases,
    }
}

/// How many values, other than none, some records have.
pub(crate) fn distinct(field: &SortField, records: &[&Value]) -> usize {
    let keys: Vec<_> = records.iter().filter_map(|record| field.key(record)).collect();
    count(&keys)
}

fn count(keys: &[Key]) -> usize {
    let some = keys.iter().filter(|key| **key != Key::Null);
    some.collect::<BTreeSet<_>>().len()
}
