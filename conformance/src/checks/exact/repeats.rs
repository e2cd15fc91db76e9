//! Exact filters, asked again in another order or in the same (E9, E11).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use rollcall_contract::Match;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::again::TIMES;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge;
use rollcall_oracle::judge::{Law, Violation};
use serde_json::Value;

use super::values::chosen;
use crate::cases::{filters, in_a_row};
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::finding::Finding;
use crate::engine::outcome::{CaseResult, CheckResult};
use crate::engine::suspect::suspected;

/// How many pairs of filters are asked in both orders, on each list.
const PAIRS: usize = 6;
/// How many of them begin with the same filter.
const EACH: usize = 2;

pub(super) fn reordered<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for query in crossings(engine).await? {
            let turned = Query {
                filters: query.filters.iter().rev().cloned().collect(),
                ..Query::default()
            };
            let list = query.filters[0].0.list;
            let requests = [&query, &turned].map(|query| query.request(engine.list(list)));
            let names = query.uses();
            let case = Case::new(list, names.join(" and "), requests.into(), |answers, _| {
                difference(answers, "the same in either order")
            });
            cases.push(case.resting_on(names));
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a record with values for two filters that others have only one of");
        Ok(())
    })
}

/// The exact filters with values that live records show.
async fn valued(engine: &mut Engine) -> Result<Vec<ObservableFilter>, TargetError> {
    let mut filters = filters(engine, Match::Exact, &mut CheckResult::default()).await?;
    filters.retain(|filter| !engine.values(filter).is_empty());
    Ok(filters)
}

/// Pairs of filters with values that some record has both of, and of each of which another record has only the one.
async fn crossings(engine: &mut Engine) -> Result<Vec<Query>, TargetError> {
    let filters = valued(engine).await?.into_iter();
    let questions = filters.map(|filter| (filter.list, answered(engine, &filter)));
    let questions: Vec<_> = questions.collect();
    let mut crossings = Vec::new();
    for (index, (list, ours)) in questions.iter().enumerate() {
        let others = questions[index + 1..].iter().filter(|(other, _)| other == list);
        crossings.extend(others.filter_map(|(_, theirs)| crossing(ours, theirs)).take(EACH));
    }
    crossings.truncate(PAIRS);
    Ok(crossings)
}

/// A question by one filter, and the records that have to come back.
type Answered = (Query, BTreeSet<String>);

/// The questions by a filter.
fn answered(engine: &Engine, filter: &ObservableFilter) -> Vec<Answered> {
    let values = chosen(engine, filter).into_iter();
    let queries = values.map(|value| Query::by(filter, value));
    let answered = queries.map(|query| {
        let expected = judge::expected(engine.list(filter.list), &query);
        (query, expected)
    });
    answered.collect()
}

fn crossing(first: &[Answered], second: &[Answered]) -> Option<Query> {
    first.iter().find_map(|(query, ours)| {
        let mut others = second.iter();
        let (other, _) = others.find(|(_, theirs)| {
            !ours.is_subset(theirs) && !theirs.is_subset(ours) && !ours.is_disjoint(theirs)
        })?;
        let (filter, value) = &other.filters[0];
        Some(query.clone().and(filter, value))
    })
}

pub(super) fn repeated<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut filters = valued(engine).await?;
        filters.retain(|filter| !filter.is_identifier());
        let mut asked = Vec::new();
        for filter in filters {
            if let Some(check) = engine.failed(filter.list, &filter.name) {
                result.blocked_by(&filter.name, check);
                continue;
            }
            let value = pick_value(engine, &filter);
            asked.extend(value.map(|value| (filter, value)));
        }
        let requests = asked.iter().map(|(filter, value)| {
            let list = filter.list;
            (list, Query::by(filter, value).request(engine.list(list)))
        });
        let (requests, this): (Vec<_>, _) = (requests.collect(), &*engine);
        let answers: Vec<_> = stream::iter(requests)
            .map(|(list, request)| async move { in_a_row(this, list, &request).await })
            .buffered(engine.config.concurrency.max(1))
            .try_collect()
            .await?;
        for ((filter, value), answers) in asked.iter().zip(answers) {
            let case_result = repeat(engine, (filter, value), &answers).await?;
            result.add(case_result);
        }
        result.gap_if_empty("for a filter a value that some records have");
        Ok(())
    })
}

/// The value with the most records of those whose records fit on a page; else that with the fewest.
fn pick_value(engine: &Engine, filter: &ObservableFilter) -> Option<String> {
    let page = engine.list(filter.list).paging.at_least;
    let counts = engine.values(filter);
    let count = |value: &String| counts.get(value).copied().unwrap_or_default();
    let values = chosen(engine, filter).into_iter();
    let (short, long): (Vec<_>, Vec<_>) = values.partition(|value| count(value) <= page);
    let most = short.into_iter().max_by_key(count);
    most.or_else(|| long.into_iter().min_by_key(count))
}

/// Looks at the answers to the same request, sent several times in a row. Where the answers differ, the records they differ in are read before and after
/// the next row: only one that stays the same, while it comes and goes, is no data that moves.
async fn repeat(
    engine: &mut Engine,
    (filter, value): (&ObservableFilter, &str),
    answers: &[Arc<ListResponse>],
) -> Result<CaseResult, TargetError> {
    let list = filter.list;
    let request = Query::by(filter, value).request(engine.list(list));
    let moved = |what: &str| {
        let what = format!("{}={value}: answers differed {what}", filter.name);
        Ok(CaseResult::Flaky(what))
    };
    let Some((first, _)) = unlike(answers) else {
        return Ok(CaseResult::Pass);
    };
    let mut suspects = first.record_ids;
    let mut last = None;
    for _ in 0..TIMES {
        let before = still_life(engine, list, suspects.as_ref()).await?;
        let answers = in_a_row(engine, list, &request).await?;
        let Some((violation, pair)) = unlike(&answers) else {
            return moved("once");
        };
        let after = still_life(engine, list, suspects.as_ref()).await?;
        let quiet = |id: &String| before.get(id).is_some_and(|record| after.get(id) == Some(record));
        suspects = violation.record_ids.clone();
        if suspects.as_ref().is_some_and(|ids| !ids.iter().any(quiet)) {
            continue; // Other records than before, or records that change: look at these.
        }
        last = Some((violation, pair));
    }
    let Some((violation, pair)) = last else {
        return moved("all the time, in records that change");
    };
    let finding = Finding::new(
        format!("{} {}", engine.list(list).spec.name(), filter.name),
        filter.clause.clone(),
        (violation.expected, violation.actual),
        pair.iter().map(|answer| engine.evidence(answer)).collect(),
    );
    let suspects = suspected(&engine.list(list).spec, &[request], &BTreeSet::new());
    Ok(CaseResult::Fail(Box::new(finding.suspecting(suspects))))
}

/// Two answers to the same request that differ, one right after the other.
fn unlike(answers: &[Arc<ListResponse>]) -> Option<(Violation, Vec<Arc<ListResponse>>)> {
    answers.windows(2).find_map(|pair| {
        let violation = difference(pair, "the same answer to the same request")?;
        Some((violation, pair.to_vec()))
    })
}

/// Some records as they are now.
async fn still_life(
    engine: &mut Engine,
    list: usize,
    ids: Option<&BTreeSet<String>>,
) -> Result<BTreeMap<String, Value>, TargetError> {
    let ids = ids.cloned().unwrap_or_default();
    let Some(projection) = engine.list(list).widest_projection() else {
        return Ok(BTreeMap::new());
    };
    let corpus = &mut engine.corpus.lists[list];
    corpus.refresh(&engine.target, &projection, &ids).await?;
    let snapshot = engine.list(list).widest_snapshot();
    let records = ids.into_iter().filter_map(|id| {
        let record = Value::clone(snapshot?.record(&id)?);
        Some((id, record))
    });
    Ok(records.collect())
}

/// The records that stand in one answer and not in the other.
fn difference(answers: &[Arc<ListResponse>], expected: &str) -> Option<Violation> {
    let (Some(one), Some(other)) = (answers[0].reading(), answers[1].reading()) else {
        let same = answers[0].exchange().status == answers[1].exchange().status;
        return (!same).then(|| Violation {
            actual: format!("{} and {}", answers[0].describe(), answers[1].describe()),
            ..Violation::of_answer(expected, &answers[0])
        });
    };
    Law::Same.violation_of_reached(&[one, other], expected)
}
