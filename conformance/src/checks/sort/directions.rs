//! Sorting by one field (O1 to O3, O8).

use std::sync::Arc;

use super::sortable::{self, keys};
use crate::case::{Accusation, Case};
use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::{Listed, identity};
use crate::oracle::{self, out_of_order_by};
use crate::order::{self, Key, SortField};
use crate::outcome::Tally;
use crate::query::{Query, sorting};

pub(super) fn sorts<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in sortable::lists(context) {
            let name = context.list(list).subject.name().to_owned();
            let sortable = sortable::of(context, list).await?;
            if !sortable.sorting.is_empty() {
                tally.case();
                continue;
            }
            let Some((field, query)) = sortable.ignored.first().cloned() else {
                match sortable.refused.is_empty() {
                    true => tally.gap(format!(
                        "{name}: two records that differ in a field that is taken"
                    )),
                    false => tally.absent(format!("{name}: sorting by a field that we know of")),
                }
                continue;
            };
            let descending = format!("-{}", field.name);
            let requests = [&field.name, &descending]
                .map(|key| query.clone().sorted(&[key]).request(context.list(list)));
            let case = Case::new(list, "sort", requests.into(), move |answers, _| {
                let (up, down) = (keys(&field, &answers[0])?, keys(&field, &answers[1])?);
                let (one, _) = order::unreversed(&up, &down)?;
                let expected = "a field that the list can be sorted by, among those that it takes";
                let mut accusation = Accusation::of_answer(expected, &answers[0]);
                accusation.actual = format!(
                    "none; {} gives the same in both directions, {one:?} first",
                    field.name
                );
                Some(accusation)
            });
            context.settle(vec![case], tally).await?;
        }
        Ok(())
    })
}

pub(super) fn keeps_all<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (list, sortable) in sortable::all(context).await? {
            let ignored = sortable.ignored.iter();
            for (field, query) in sortable.sorting.iter().chain(ignored).chain(&sortable.broken) {
                if query.first_page {
                    tally.gap("a filter whose answer fits on a page");
                    continue;
                }
                let descending = format!("-{}", field.name);
                cases.extend([&field.name, &descending].map(|key| {
                    let query = query.clone().sorted(&[key]);
                    let request = query.request(context.list(list));
                    let about = format!("sort={key}");
                    let judge =
                        move |answers: &[Arc<Listed>], list: &Surveyed| missing(list, &query, &answers[0]);
                    Case::new(list, about, vec![request], judge)
                        .discrediting([sorting(&field.name)])
                        .needing(format!("two records that differ in {}", field.name))
                }));
            }
        }
        context.settle(cases, tally).await?;
        no_field(tally);
        Ok(())
    })
}

/// What is missing; that one direction is refused is for another check.
fn missing(list: &Surveyed, query: &Query, answer: &Listed) -> Option<Accusation> {
    match answer {
        Listed::Refused(exchange) if exchange.is_refusal() => None,
        answer => oracle::missing(list, query, answer),
    }
}

pub(super) fn ascends<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (list, sortable) in sortable::all(context).await? {
            untold(context, list, &sortable.untold, tally);
            for (field, query) in &sortable.sorting {
                let query = query.clone().sorted(&[&field.name]);
                let request = query.request(context.list(list));
                let judged = field.clone();
                let judge =
                    move |answers: &[Arc<Listed>], _: &Surveyed| disorder(&judged, &answers[0], false);
                let about = sorting(&field.name);
                let case = Case::new(list, about, vec![request], judge);
                cases.push(case.discrediting([sorting(&field.name)]));
            }
        }
        context.settle(cases, tally).await?;
        no_field(tally);
        Ok(())
    })
}

pub(super) fn reverses<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (list, sortable) in sortable::all(context).await? {
            untold(context, list, &sortable.untold, tally);
            for (field, query) in &sortable.sorting {
                let descending = format!("-{}", field.name);
                let requests = [&field.name, &descending]
                    .map(|key| query.clone().sorted(&[key]).request(context.list(list)));
                let judged = field.clone();
                let judge = move |answers: &[Arc<Listed>], _: &Surveyed| same_way(&judged, answers);
                let about = format!("sort=-{}", field.name);
                let case = Case::new(list, about, requests.into(), judge);
                cases.push(case.discrediting([sorting(&field.name)]));
            }
        }
        context.settle(cases, tally).await?;
        no_field(tally);
        Ok(())
    })
}

/// An order that is not reversed by its sign.
fn same_way(field: &SortField, answers: &[Arc<Listed>]) -> Option<Accusation> {
    let expected = format!("by {} descending, which is taken ascending", field.name);
    let up = keys(field, &answers[0])?;
    let Some(down) = keys(field, &answers[1]) else {
        return Some(Accusation::of_answer(expected, &answers[1]));
    };
    let complete = answers
        .iter()
        .all(|answer| answer.reading().is_some_and(|reading| reading.complete));
    if let (true, Some((one, other))) = (complete, order::unreversed(&up, &down)) {
        let mut accusation = Accusation::of_answer(expected, &answers[1]);
        accusation.actual = format!("{} before {} in both directions", one, other);
        return Some(accusation);
    }
    disorder(field, &answers[1], true).map(|accusation| accusation.shown_by([1]))
}

/// Two records of an answer that stand in the wrong order.
pub(super) fn disorder(field: &SortField, answer: &Listed, descending: bool) -> Option<Accusation> {
    let reading = answer.reading()?;
    let shown = reading
        .records
        .iter()
        .filter_map(|record| Some((identity(record), field.key(record)?)));
    let shown: Vec<(String, Key)> = shown.collect();
    out_of_order_by(field, &shown, descending)
}

fn untold(context: &Context, list: usize, fields: &[String], tally: &mut Tally) {
    for field in fields {
        let name = context.list(list).subject.name();
        tally.gap(format!("{name}: two records that differ in {field}"));
    }
}

fn no_field(tally: &mut Tally) {
    tally.gap_if_empty("a field that the list can be sorted by");
}
