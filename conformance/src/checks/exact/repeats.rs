//! Exact filters, asked again in another order or in the same (E9, E11).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::values::chosen;
use crate::checks::CheckFuture;
use crate::checks::cases::valued;
use crate::corpus::listing::{ListResponse, Pages};
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::query::Query;
use crate::corpus::records::{Record, id_of};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::finding::Finding;
use crate::engine::outcome::{CaseResult, CheckResult};
use crate::http::request::Request;
use crate::http::target::TargetError;
use crate::oracle;
use crate::oracle::Violation;

/// How many pairs of filters are asked in both orders, on each list.
const PAIRS: usize = 6;
/// How many of them begin with the same filter.
const EACH: usize = 2;
/// How often the same request is sent, after the first time.
const TIMES: usize = 2;

pub(super) fn reordered<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut gaps = CheckResult::default();
        let mut cases = Vec::new();
        for query in crossings(engine, &mut gaps).await? {
            let turned = Query {
                filters: query.filters.iter().rev().cloned().collect(),
                ..Query::default()
            };
            let list = query.filters[0].0.list;
            let requests = [&query, &turned].map(|query| query.request(engine.list(list)));
            let names: Vec<_> = query.uses();
            let about = names.join(" and ");
            let judge =
                |answers: &[Arc<ListResponse>], _: &_| difference(answers, "the same in either order");
            cases.push(Case::new(list, about, requests.into(), judge).resting_on(names));
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a record with values for two filters that others have only one of");
        Ok(())
    })
}

/// Pairs of filters with values that some record has both of, and of each of which another record has only the one.
pub(super) async fn crossings(
    engine: &mut Engine,
    gaps: &mut CheckResult,
) -> Result<Vec<Query>, TargetError> {
    let filters = valued(engine, gaps, |_, _| true).await?.into_iter();
    let questions: Vec<_> = filters.map(|(filter, _)| answered(engine, filter)).collect();
    let mut crossings = Vec::new();
    for (index, first) in questions.iter().enumerate() {
        let others = questions[index + 1..]
            .iter()
            .filter(|other| other.filter.list == first.filter.list);
        crossings.extend(others.filter_map(|second| crossing(first, second)).take(EACH));
    }
    crossings.truncate(PAIRS);
    Ok(crossings)
}

/// A filter with the values to ask it for, each with the records that have to come back.
struct Answered {
    filter: ObservableFilter,
    values: Vec<(String, BTreeSet<String>)>,
}

fn answered(engine: &Engine, filter: ObservableFilter) -> Answered {
    let list = engine.list(filter.list);
    let expected = |value: &str| oracle::expected(list, &Query::by(&filter, value));
    let values = chosen(engine, &filter).into_iter();
    Answered {
        values: values.map(|value| (value.clone(), expected(&value))).collect(),
        filter,
    }
}

fn crossing(first: &Answered, second: &Answered) -> Option<Query> {
    for (a, ours) in &first.values {
        let mut others = second.values.iter();
        let crosses = |theirs: &BTreeSet<String>| {
            !ours.is_subset(theirs) && !theirs.is_subset(ours) && !ours.is_disjoint(theirs)
        };
        if let Some((b, _)) = others.find(|(_, theirs)| crosses(theirs)) {
            return Some(Query::by(&first.filter, a).and(&second.filter, b));
        }
    }
    None
}

pub(super) fn repeated<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut gaps = CheckResult::default();
        for (filter, _) in valued(engine, &mut gaps, |_, filter| !filter.is_identifier()).await? {
            if let Some(check) = engine.failed(filter.list, &filter.name) {
                result.blocked_by(format!("{} failed {check}", filter.name));
                continue;
            }
            let Some(value) = pick_value(engine, &filter) else {
                continue;
            };
            let case_result = repeat(engine, &filter, &value).await?;
            result.run_cases(case_result);
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
    let (short, long): (Vec<_>, Vec<_>) = chosen(engine, filter)
        .into_iter()
        .partition(|value| count(value) <= page);
    let most = short.into_iter().max_by_key(count);
    most.or_else(|| long.into_iter().min_by_key(count))
}

/// Asks the same several times in a row. Where the answers differ, the records they differ in are read before and after
/// the next row: only one that stays the same, while it comes and goes, is no data that moves.
async fn repeat(
    engine: &mut Engine,
    filter: &ObservableFilter,
    value: &str,
) -> Result<CaseResult, TargetError> {
    let list = filter.list;
    let request = Query::by(filter, value).request(engine.list(list));
    let moved = |what: &str| {
        Ok(CaseResult::Flaky(format!(
            "{}={value}: answers differed {what}",
            filter.name
        )))
    };
    let earlier = engine.ask(list, &request).await?;
    let Some((first, _)) = unlike(engine, list, &request, vec![earlier]).await? else {
        return Ok(CaseResult::Pass);
    };
    let mut suspects = first.record_ids;
    let mut last = None;
    for _ in 0..TIMES {
        let before = still_life(engine, list, suspects.as_ref()).await?;
        let Some((violation, pair)) = unlike(engine, list, &request, Vec::new()).await? else {
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
    Ok(CaseResult::Fail(Box::new(Finding {
        about: format!("{} {}", engine.list(list).spec.name(), filter.name),
        clause: filter.clause.clone(),
        expected: violation.expected,
        actual: violation.actual,
        evidence: pair.iter().map(|answer| engine.evidence(answer)).collect(),
    })))
}

/// Two answers to the same request that differ, out of some in a row, of which the first may be known.
async fn unlike(
    engine: &Engine,
    list: usize,
    request: &Request,
    mut answers: Vec<Arc<ListResponse>>,
) -> Result<Option<(Violation, Vec<Arc<ListResponse>>)>, TargetError> {
    while answers.len() <= TIMES {
        answers.push(engine.ask_again(list, request).await?);
    }
    Ok(answers.windows(2).find_map(|pair| {
        let violation = difference(pair, "the same answer to the same request")?;
        Some((violation, pair.to_vec()))
    }))
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
    engine.corpus.lists[list]
        .refresh(&engine.target, &projection, &ids)
        .await?;
    let snapshot = engine.list(list).widest_snapshot();
    let records = ids.into_iter().filter_map(|id| {
        let record = Value::clone(snapshot?.record(&id)?);
        Some((id, record))
    });
    Ok(records.collect())
}

/// The records that stand in one answer and not in the other.
pub(crate) fn difference(answers: &[Arc<ListResponse>], expected: &str) -> Option<Violation> {
    difference_among(answers, expected, |_| true)
}

/// The same, of the records that are judged.
pub(crate) fn difference_among(
    answers: &[Arc<ListResponse>],
    expected: &str,
    is_judged: impl Fn(&Record) -> bool,
) -> Option<Violation> {
    let (one, other) = (answers[0].reading(), answers[1].reading());
    let (Some(one), Some(other)) = (one, other) else {
        let same = answers[0].exchange().status == answers[1].exchange().status;
        return (!same).then(|| Violation {
            actual: format!("{} and {}", answers[0].describe(), answers[1].describe()),
            ..Violation::of_answer(expected, &answers[0])
        });
    };
    let only_in = |own: &Pages, their: &Pages| {
        let theirs = their.ids();
        let judged = own.records.iter().filter(|record| is_judged(record));
        let ids = judged.filter_map(|record| id_of(record));
        let lost = ids.filter(|id| !theirs.contains(id) && own.reaches(id) && their.reaches(id));
        lost.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let different = &only_in(one, other) | &only_in(other, one);
    Violation::of_records(different, expected, |names| format!("{names} in one answer only"))
}
