//! Exact filters, asked again in another order or in the same (E9, E11).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Looking;
use super::values::{chosen, fields, request, wrong};
use crate::context::{Accusation, Context};
use crate::corpus::View;
use crate::listing::Listed;
use crate::oracle::Field;
use crate::outcome::{Settled, Tally};

/// How many pairs of filters are asked in both orders, on each list.
const PAIRS: usize = 6;
/// How many of them begin with the same filter.
const EACH: usize = 2;

pub(super) fn reordered(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        let mut gaps = Tally::default();
        let fields = fields(context, &mut gaps).await?;
        let mut asked = 0;
        for (index, first) in fields.iter().enumerate() {
            let mut crossed = 0;
            for second in fields[index + 1..]
                .iter()
                .filter(|second| second.list == first.list)
            {
                if asked == PAIRS || crossed == EACH {
                    break;
                }
                let Some((a, b)) = crossing(context, first, second) else {
                    continue;
                };
                asked += 1;
                crossed += 1;
                let (one, other) = (
                    (first.name.as_str(), a.as_str()),
                    (second.name.as_str(), b.as_str()),
                );
                let requests = [
                    context.query(first.list, &[one, other]),
                    context.query(first.list, &[other, one]),
                ];
                let judge =
                    |answers: &[Arc<Listed>], _: &View| difference(answers, "the same in either order");
                if wrong(context, first, &requests, &judge, &mut tally).await? {
                    return Ok(tally);
                }
            }
        }
        tally.gap_if_empty("a record with values for two filters that others have only one of");
        Ok(tally)
    })
}

/// Values of two filters that some record has both of, and of each of which another record has only the one.
fn crossing(context: &Context, first: &Field, second: &Field) -> Option<(String, String)> {
    let (views, others) = (context.seen(first)?, context.seen(second)?);
    for a in chosen(context, first) {
        let ours = first.expected(views, &a);
        for b in chosen(context, second) {
            let theirs = second.expected(others, &b);
            if !ours.is_subset(&theirs)
                && !theirs.is_subset(&ours)
                && ours.intersection(&theirs).next().is_some()
            {
                return Some((a, b));
            }
        }
    }
    None
}

pub(super) fn repeated(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally).await? {
            let Some(value) = chosen(context, &field).into_iter().next() else {
                continue;
            };
            let request = request(context, &field, &value);
            let requests = [request.clone(), request.clone(), request];
            let mut answers = Vec::new();
            for request in &requests {
                answers.push(context.ask_again(field.list, request).await?);
            }
            if answers
                .iter()
                .all(|answer| answer.reading().is_none_or(|reading| reading.records.is_empty()))
            {
                tally.gap(format!("{}={value}: an answer with records", field.name));
                continue;
            }
            let judge = |answers: &[Arc<Listed>], _: &View| difference(answers, "the same every time");
            let settled = context.judge_answers(&field, &requests, answers, &judge).await?;
            let wrong = matches!(settled, Settled::Wrong(_));
            tally.settle(settled);
            if wrong {
                break;
            }
        }
        Ok(tally)
    })
}

/// The records that are in one of the answers and not in another.
fn difference(answers: &[Arc<Listed>], expected: &str) -> Option<Accusation> {
    let readings: Vec<_> = answers.iter().filter_map(|answer| answer.reading()).collect();
    if readings.is_empty() {
        return None; // Refused every time: that is for another check.
    }
    if readings.len() < answers.len() {
        let refused = answers.iter().find(|answer| answer.reading().is_none())?;
        return Some(Accusation::of_answer(
            format!("records, as without it: {expected}"),
            refused,
        ));
    }
    if readings.iter().any(|reading| !reading.complete) {
        return None;
    }
    let sets: Vec<BTreeSet<&str>> = readings
        .iter()
        .map(|reading| reading.ids().into_iter().collect())
        .collect();
    let differing = sets
        .iter()
        .flat_map(|one| sets.iter().flat_map(move |other| one.difference(other)));
    let differing = differing.map(|id| (*id).to_owned()).collect();
    let counts: Vec<_> = answers.iter().map(|answer| answer.describe()).collect();
    Accusation::of_records(differing, expected, |names| {
        format!("{}; the difference is {names}", counts.join(", "))
    })
}
