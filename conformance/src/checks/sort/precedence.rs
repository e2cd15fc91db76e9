//! Sorting by two fields (O4 to O6).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::directions::disorder;
use super::sortable;
use crate::case::{Accusation, Case};
use crate::checks::Looking;
use crate::checks::asking::narrow::{self, Narrow};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::{Listed, identity};
use crate::oracle::out_of_order_by;
use crate::order::{Key, SortField};
use crate::outcome::Tally;
use crate::query::{Query, sorting};
use crate::target::Trouble;

/// So many pairs of fields are looked at on each list.
const PAIRS: usize = 3;

/// Two fields, of which the second tells apart what the first leaves equal, and a question that shows it.
struct Pair {
    first: SortField,
    second: SortField,
    query: Query,
}

pub(super) fn breaks_ties<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        judged(
            context,
            tally,
            [(false, false), (true, true)],
            |pair, answer, signs| tied_wrongly(pair, answer, signs.1),
        )
        .await
    })
}

pub(super) fn is_kept<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        judged(
            context,
            tally,
            [(false, false), (true, true)],
            |pair, answer, signs| disorder(&pair.first, answer, signs.0),
        )
        .await
    })
}

pub(super) fn is_mixed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        judged(
            context,
            tally,
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
    context: &mut Context,
    tally: &mut Tally,
    directions: [(bool, bool); 2],
    judge: fn(&Pair, &Listed, (bool, bool)) -> Option<Accusation>,
) -> Result<(), Trouble> {
    let mut cases = Vec::new();
    for list in sortable::lists(context) {
        for pair in pairs(context, list).await?.into_iter().map(Arc::new) {
            for signs in directions {
                let sign = |descending| if descending { "-" } else { "" };
                let keys = [
                    format!("{}{}", sign(signs.0), pair.first.name),
                    format!("{}{}", sign(signs.1), pair.second.name),
                ];
                let query = pair.query.clone().sorted(&[&keys[0], &keys[1]]);
                let request = query.request(context.list(list));
                let fields = [&pair.first, &pair.second].map(|field| sorting(&field.name));
                let pair = Arc::clone(&pair);
                let judge = move |answers: &[Arc<Listed>], _: &Surveyed| {
                    answered(&answers[0]).or_else(|| judge(&pair, &answers[0], signs))
                };
                let both = format!("sort={}", keys.join(","));
                let case = Case::new(list, both.clone(), vec![request], judge);
                cases.push(case.resting_on(fields).discrediting([both]));
            }
        }
    }
    context.settle(cases, tally).await?;
    tally.gap_if_empty("records that are the same in one sort field and differ in another");
    Ok(())
}

/// A list by two fields that is no list, though it can be sorted by each.
fn answered(answer: &Listed) -> Option<Accusation> {
    let refused = answer.reading().is_none();
    refused.then(|| Accusation::of_answer("records: the list can be sorted by each of the fields", answer))
}

/// The second field in the wrong order among records that are the same in the first.
fn tied_wrongly(pair: &Pair, answer: &Listed, descending: bool) -> Option<Accusation> {
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
        .map(|mut accusation| {
            accusation.expected = format!("{} where {} is the same", accusation.expected, pair.first.name);
            accusation
        })
}

/// The pairs of fields to look at: those that leave the most equal, with one that tells that apart.
async fn pairs(context: &mut Context, list: usize) -> Result<Vec<Pair>, Trouble> {
    let sortable = sortable::of(context, list).await?;
    let candidates = narrow::all(context, list);
    let mut pairs = Vec::new();
    for (first, _) in &sortable.sorting {
        let others = sortable.sorting.iter().map(|(field, _)| field);
        let mut others: Vec<&SortField> = others.filter(|other| other.name != first.name).collect();
        others.sort_by_key(|other| !other.is_strict());
        for second in others {
            let ties = |narrow: &Narrow<'_>| told_apart(first, second, &narrow.records);
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
