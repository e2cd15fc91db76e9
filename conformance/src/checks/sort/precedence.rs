//! Sorting by two fields (O4 to O6).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::directions::disorder;
use super::sortable;
use crate::checks::CheckFuture;
use crate::checks::cases::selective_query::{self, SelectiveQuery};
use crate::corpus::ListCorpus;
use crate::corpus::listing::{ListResponse, identity};
use crate::corpus::order::{Key, SortField};
use crate::corpus::query::{Query, sorting};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;
use crate::oracle::Violation;
use crate::oracle::out_of_order_by;

/// So many pairs of fields are looked at on each list.
const PAIRS: usize = 3;
/// What fails where a list cannot be sorted by two fields in one direction.
const SEVERAL: &str = "several sort fields";

/// Two fields, of which the second tells apart what the first leaves equal, and a question that shows it.
struct Pair {
    first: SortField,
    second: SortField,
    query: Query,
}

pub(super) fn breaks_ties<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        judged(
            engine,
            result,
            [(false, false), (true, true)],
            |pair, answer, signs| tied_wrongly(pair, answer, signs.1),
        )
        .await
    })
}

pub(super) fn is_kept<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        judged(
            engine,
            result,
            [(false, false), (true, true)],
            |pair, answer, signs| disorder(&pair.first, answer, signs.0),
        )
        .await
    })
}

pub(super) fn is_mixed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        judged(
            engine,
            result,
            [(false, true), (true, false)],
            |pair, answer, signs| {
                disorder(&pair.first, answer, signs.0).or_else(|| tied_wrongly(pair, answer, signs.1))
            },
        )
        .await
    })
}

/// Judges the answers by pairs of fields, in directions that say which is descending.
async fn judged(
    engine: &mut Engine,
    result: &mut CheckResult,
    directions: [(bool, bool); 2],
    judge: fn(&Pair, &ListResponse, (bool, bool)) -> Option<Violation>,
) -> Result<(), TargetError> {
    let mut cases = Vec::new();
    for list in sortable::lists(engine) {
        for pair in pairs(engine, list).await?.into_iter().map(Arc::new) {
            for signs in directions {
                let sign = |descending| if descending { "-" } else { "" };
                let keys = [
                    format!("{}{}", sign(signs.0), pair.first.name),
                    format!("{}{}", sign(signs.1), pair.second.name),
                ];
                let query = pair.query.clone().sorted(&[&keys[0], &keys[1]]);
                let request = query.request(engine.list(list));
                let mut rests = vec![sorting(&pair.first.name), sorting(&pair.second.name)];
                let both = format!("sort={}", keys.join(","));
                let mut fails = vec![both.clone()];
                // Where two fields fail in one direction, different directions tell nothing more.
                match signs.0 == signs.1 {
                    true => fails.push(SEVERAL.to_owned()),
                    false => rests.push(SEVERAL.to_owned()),
                }
                let pair = Arc::clone(&pair);
                let judge = move |answers: &[Arc<ListResponse>], _: &ListCorpus| {
                    answered(&answers[0]).or_else(|| judge(&pair, &answers[0], signs))
                };
                let case = Case::new(list, both, vec![request], judge);
                cases.push(case.resting_on(rests).invalidates(fails));
            }
        }
    }
    engine.run_cases(cases, result).await?;
    result.gap_if_empty("records that are the same in one sort field and differ in another");
    Ok(())
}

/// A list by two fields that is no list, though it can be sorted by each.
fn answered(answer: &ListResponse) -> Option<Violation> {
    let refused = answer.reading().is_none();
    refused.then(|| Violation::of_answer("records: the list can be sorted by each of the fields", answer))
}

/// The second field in the wrong order among records that are the same in the first.
fn tied_wrongly(pair: &Pair, answer: &ListResponse, descending: bool) -> Option<Violation> {
    let mut groups: BTreeMap<String, Vec<(String, Key)>> = BTreeMap::new();
    for record in &answer.reading()?.records {
        if let (Some(first), Some(second)) = (pair.first.key(record), pair.second.key(record)) {
            let group = groups.entry(format!("{first:?}")).or_default();
            group.push((identity(record), second));
        }
    }
    let mut groups = groups.into_values();
    groups
        .find_map(|group| out_of_order_by(&pair.second, &group, descending))
        .map(|mut violation| {
            violation.expected = format!("{} where {} is the same", violation.expected, pair.first.name);
            violation
        })
}

/// The pairs of fields to look at: those that leave the most equal, with one that tells that apart.
async fn pairs(engine: &mut Engine, list: usize) -> Result<Vec<Pair>, TargetError> {
    let sortable = sortable::of(engine, list).await?;
    let candidates = selective_query::all(engine, list);
    let mut pairs = Vec::new();
    for (first, _) in &sortable.sorting {
        let others = sortable.sorting.iter().map(|(field, _)| field);
        let mut others: Vec<&SortField> = others.filter(|other| other.name != first.name).collect();
        others.sort_by_key(|other| !other.is_strict());
        for second in others {
            let ties = |narrow: &SelectiveQuery<'_>| told_apart(first, second, &narrow.records);
            let Some(best) = candidates
                .iter()
                .max_by_key(|narrow| (ties(narrow), narrow.records.len()))
            else {
                continue;
            };
            if ties(best) > 0 {
                let pair = Pair {
                    first: first.clone(),
                    second: second.clone(),
                    query: best.query.clone(),
                };
                pairs.push((ties(best), pair));
                break;
            }
        }
    }
    pairs.sort_by_key(|(ties, _)| std::cmp::Reverse(*ties));
    Ok(pairs.into_iter().map(|(_, pair)| pair).take(PAIRS).collect())
}

/// How many neighbours in the second field are the same in the first, while there is more than one value of the first.
fn told_apart(first: &SortField, second: &SortField, records: &[&Value]) -> usize {
    let mut groups: BTreeMap<String, Vec<Key>> = BTreeMap::new();
    for record in records {
        if let (Some(one), Some(other)) = (first.key(record), second.key(record))
            && other != Key::Null
        {
            groups.entry(format!("{one:?}")).or_default().push(other);
        }
    }
    if groups.len() < 2 {
        return 0;
    }
    let told = groups
        .into_values()
        .map(|keys| keys.windows(2).filter(|pair| pair[0].differs(&pair[1])).count());
    told.sum()
}
