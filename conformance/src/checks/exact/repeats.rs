//! Exact filters, asked again in another order or in the same (E9, E11).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::values::chosen;
use crate::case::{Accusation, Case};
use crate::checks::Looking;
use crate::checks::asking::valued;
use crate::context::Context;
use crate::finding::Finding;
use crate::listing::{Listed, Reading};
use crate::oracle;
use crate::outcome::{Settled, Tally};
use crate::query::Query;
use crate::records::{Record, id_of};
use crate::request::Request;
use crate::seen::SeenFilter;
use crate::target::Trouble;

/// How many pairs of filters are asked in both orders, on each list.
const PAIRS: usize = 6;
/// How many of them begin with the same filter.
const EACH: usize = 2;
/// How often the same request is sent, after the first time.
const TIMES: usize = 2;
/// How often it is sent for the first filter with a short answer: what goes wrong now and then shows late.
const OFTEN: usize = 30;

pub(super) fn reordered<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut gaps = Tally::default();
        let mut cases = Vec::new();
        for query in crossings(context, &mut gaps).await? {
            let turned = Query {
                filters: query.filters.iter().rev().cloned().collect(),
                ..Query::default()
            };
            let list = query.filters[0].0.list;
            let requests = [&query, &turned].map(|query| query.request(context.list(list)));
            let names: Vec<_> = query.uses();
            let about = names.join(" and ");
            let judge = |answers: &[Arc<Listed>], _: &_| difference(answers, "the same in either order");
            cases.push(Case::new(list, about, requests.into(), judge).resting_on(names));
        }
        context.settle(cases, tally).await?;
        tally.gap_if_empty("a record with values for two filters that others have only one of");
        Ok(())
    })
}

/// Pairs of filters with values that some record has both of, and of each of which another record has only the one.
pub(super) async fn crossings(context: &mut Context, gaps: &mut Tally) -> Result<Vec<Query>, Trouble> {
    let filters = valued(context, gaps, |_, _| true).await?.into_iter();
    let questions: Vec<_> = filters.map(|(filter, _)| answered(context, filter)).collect();
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
    filter: SeenFilter,
    values: Vec<(String, BTreeSet<String>)>,
}

fn answered(context: &Context, filter: SeenFilter) -> Answered {
    let list = context.list(filter.list);
    let expected = |value: &str| oracle::expected(list, &Query::by(&filter, value));
    let values = chosen(context, &filter).into_iter();
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

pub(super) fn repeated<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut gaps = Tally::default();
        let mut is_often_due = true;
        for (filter, _) in valued(context, &mut gaps, |_, filter| !filter.is_identifier()).await? {
            if let Some(check) = context.failed(filter.list, &filter.name) {
                tally.failed_before(format!("{} failed {check}", filter.name));
                continue;
            }
            let Some(value) = handy(context, &filter) else {
                continue;
            };
            let request = Query::by(&filter, &value).request(context.list(filter.list));
            let answer = context.ask(filter.list, &request).await?;
            let is_short = answer.reading().is_none_or(|reading| reading.asked == 1);
            let times = if is_often_due && is_short { OFTEN } else { TIMES };
            is_often_due &= !is_short;
            let settled = repeat(context, &filter, (&value, times)).await?;
            tally.settle(settled);
        }
        tally.gap_if_empty("for a filter a value that some records have");
        Ok(())
    })
}

/// The value with the most records of those whose records fit on a page; else that with the fewest.
fn handy(context: &Context, filter: &SeenFilter) -> Option<String> {
    let page = context.list(filter.list).paging.at_least;
    let counts = context.values(filter);
    let count = |value: &String| counts.get(value).copied().unwrap_or_default();
    let (short, long): (Vec<_>, Vec<_>) = chosen(context, filter)
        .into_iter()
        .partition(|value| count(value) <= page);
    let most = short.into_iter().max_by_key(count);
    most.or_else(|| long.into_iter().min_by_key(count))
}

/// Asks the same several times in a row. Where the answers differ, the records they differ in are read before and after
/// the next row: only one that stays the same, while it comes and goes, is no data that moves.
async fn repeat(
    context: &mut Context,
    filter: &SeenFilter,
    (value, times): (&str, usize),
) -> Result<Settled, Trouble> {
    let list = filter.list;
    let request = Query::by(filter, value).request(context.list(list));
    let moved = |what: &str| {
        Ok(Settled::Moved(format!(
            "{}={value}: answers differed {what}",
            filter.name
        )))
    };
    let Some((first, _)) = unlike(context, list, &request, times).await? else {
        return Ok(Settled::Right);
    };
    let mut suspects = first.culprits;
    let mut last = None;
    for _ in 0..TIMES {
        let before = still_life(context, list, suspects.as_ref()).await?;
        let Some((accusation, pair)) = unlike(context, list, &request, times).await? else {
            return moved("once");
        };
        let after = still_life(context, list, suspects.as_ref()).await?;
        let quiet = |id: &String| before.get(id).is_some_and(|record| after.get(id) == Some(record));
        suspects = accusation.culprits.clone();
        if suspects.as_ref().is_some_and(|ids| !ids.iter().any(quiet)) {
            continue; // Other records than before, or records that change: look at these.
        }
        last = Some((accusation, pair));
    }
    let Some((accusation, pair)) = last else {
        return moved("all the time, in records that change");
    };
    Ok(Settled::Wrong(Box::new(Finding {
        about: format!("{} {}", context.list(list).subject.name(), filter.name),
        clause: filter.clause.clone(),
        expected: accusation.expected,
        actual: accusation.actual,
        evidence: pair.iter().map(|answer| context.evidence(answer)).collect(),
    })))
}

/// Two answers to the same request that differ, out of some in a row.
async fn unlike(
    context: &Context,
    list: usize,
    request: &Request,
    times: usize,
) -> Result<Option<(Accusation, Vec<Arc<Listed>>)>, Trouble> {
    let mut answers = Vec::new();
    for _ in 0..=times {
        answers.push(context.ask_again(list, request).await?);
    }
    Ok(answers.windows(2).find_map(|pair| {
        let accusation = difference(pair, "the same answer to the same request")?;
        Some((accusation, pair.to_vec()))
    }))
}

/// Some records as they are now.
async fn still_life(
    context: &mut Context,
    list: usize,
    ids: Option<&BTreeSet<String>>,
) -> Result<BTreeMap<String, Value>, Trouble> {
    let ids = ids.cloned().unwrap_or_default();
    let Some(look) = context.list(list).fullest_look() else {
        return Ok(BTreeMap::new());
    };
    context.corpus.lists[list]
        .refresh(&context.target, &look, &ids)
        .await?;
    let view = context.list(list).fullest();
    let records = ids.into_iter().filter_map(|id| {
        let record = Value::clone(view?.record(&id)?);
        Some((id, record))
    });
    Ok(records.collect())
}

/// The records that stand in one answer and not in the other.
pub(crate) fn difference(answers: &[Arc<Listed>], expected: &str) -> Option<Accusation> {
    difference_among(answers, expected, |_| true)
}

/// The same, of the records that are judged.
pub(crate) fn difference_among(
    answers: &[Arc<Listed>],
    expected: &str,
    is_judged: impl Fn(&Record) -> bool,
) -> Option<Accusation> {
    let (one, other) = (answers[0].reading(), answers[1].reading());
    let (Some(one), Some(other)) = (one, other) else {
        let same = answers[0].exchange().status == answers[1].exchange().status;
        return (!same).then(|| Accusation {
            actual: format!("{} and {}", answers[0].describe(), answers[1].describe()),
            ..Accusation::of_answer(expected, &answers[0])
        });
    };
    let only_in = |own: &Reading, their: &Reading| {
        let theirs = their.ids();
        let judged = own.records.iter().filter(|record| is_judged(record));
        let ids = judged.filter_map(|record| id_of(record));
        let lost = ids.filter(|id| !theirs.contains(id) && own.reaches(id) && their.reaches(id));
        lost.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let different = &only_in(one, other) | &only_in(other, one);
    Accusation::of_records(different, expected, |names| format!("{names} in one answer only"))
}
