//! Sorting by one field (O1 to O3, O8).

use std::sync::Arc;

use super::sortable::{self, in_both_directions, keys};
use crate::checks::CheckFuture;
use crate::corpus::ListCorpus;
use crate::corpus::listing::{ListResponse, identity};
use crate::corpus::order::{self, Key, SortField};
use crate::corpus::query::{Query, sorting};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::oracle::Violation;
use crate::oracle::{self, out_of_order_by};

pub(super) fn sorts<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in sortable::lists(engine) {
            let name = engine.list(list).spec.name().to_owned();
            let sortable = sortable::of(engine, list).await?;
            if !sortable.sorting.is_empty() {
                result.case();
                continue;
            }
            let Some((field, query)) = sortable.ignored.first().cloned() else {
                match sortable.refused.is_empty() {
                    true => result.gap(format!(
                        "{name}: two records that differ in a field that is taken"
                    )),
                    false => result.absent(format!("{name}: sorting by a field that we know of")),
                }
                continue;
            };
            let requests = in_both_directions(engine.list(list), &query, &field.name);
            let case = Case::new(list, "sort", requests.into(), move |answers, _| {
                let (up, down) = (keys(&field, &answers[0])?, keys(&field, &answers[1])?);
                let (one, _) = order::unreversed(&up, &down)?;
                let expected = "a field that the list can be sorted by, among those that it takes";
                let mut violation = Violation::of_answer(expected, &answers[0]);
                violation.actual = format!(
                    "none; {} gives the same in both directions, {one} first",
                    field.name
                );
                Some(violation)
            });
            engine.run_cases(vec![case], result).await?;
        }
        Ok(())
    })
}

pub(super) fn keeps_all<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (list, sortable) in sortable::all(engine).await? {
            let ignored = sortable.ignored.iter();
            for (field, query) in sortable.sorting.iter().chain(ignored).chain(&sortable.broken) {
                if query.first_page {
                    result.gap("a filter whose answer fits on a page");
                    continue;
                }
                let descending = format!("-{}", field.name);
                cases.extend([&field.name, &descending].map(|key| {
                    let query = query.clone().sorted(&[key]);
                    let request = query.request(engine.list(list));
                    let about = format!("sort={key}");
                    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
                        missing(list, &query, &answers[0])
                    };
                    Case::new(list, about, vec![request], judge)
                        .invalidates([sorting(&field.name)])
                        .needing(format!("two records that differ in {}", field.name))
                }));
            }
        }
        engine.run_cases(cases, result).await?;
        no_field(result);
        Ok(())
    })
}

/// What is missing; that one direction is refused is for another check.
fn missing(list: &ListCorpus, query: &Query, answer: &ListResponse) -> Option<Violation> {
    match answer {
        ListResponse::Refused(exchange) if exchange.is_refusal() => None,
        answer => oracle::missing(list, query, answer),
    }
}

pub(super) fn ascends<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (list, sortable) in sortable::all(engine).await? {
            untold(engine, list, &sortable.untold, result);
            for (field, query) in &sortable.sorting {
                let query = query.clone().sorted(&[&field.name]);
                let request = query.request(engine.list(list));
                let judged = field.clone();
                let judge = move |answers: &[Arc<ListResponse>], _: &ListCorpus| {
                    disorder(&judged, &answers[0], false)
                };
                let about = sorting(&field.name);
                let case = Case::new(list, about, vec![request], judge);
                cases.push(case.invalidates([sorting(&field.name)]));
            }
        }
        engine.run_cases(cases, result).await?;
        no_field(result);
        Ok(())
    })
}

pub(super) fn reverses<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (list, sortable) in sortable::all(engine).await? {
            untold(engine, list, &sortable.untold, result);
            for (field, query) in &sortable.sorting {
                let requests = in_both_directions(engine.list(list), query, &field.name);
                let judged = field.clone();
                let judge = move |answers: &[Arc<ListResponse>], _: &ListCorpus| same_way(&judged, answers);
                let about = format!("sort=-{}", field.name);
                let case = Case::new(list, about, requests.into(), judge);
                cases.push(case.invalidates([sorting(&field.name)]));
            }
        }
        engine.run_cases(cases, result).await?;
        no_field(result);
        Ok(())
    })
}

/// An order that is not reversed by its sign.
fn same_way(field: &SortField, answers: &[Arc<ListResponse>]) -> Option<Violation> {
    let expected = format!("by {} descending, which is taken ascending", field.name);
    let up = keys(field, &answers[0])?;
    let Some(down) = keys(field, &answers[1]) else {
        return Some(Violation::of_answer(expected, &answers[1]));
    };
    let complete = answers
        .iter()
        .all(|answer| answer.reading().is_some_and(|reading| reading.complete));
    if let (true, Some((one, other))) = (complete, order::unreversed(&up, &down)) {
        let mut violation = Violation::of_answer(expected, &answers[1]);
        violation.actual = format!("{} before {} in both directions", one, other);
        return Some(violation);
    }
    disorder(field, &answers[1], true).map(|violation| violation.shown_by([1]))
}

/// Two records of an answer that stand in the wrong order.
pub(super) fn disorder(field: &SortField, answer: &ListResponse, descending: bool) -> Option<Violation> {
    let reading = answer.reading()?;
    let shown = reading
        .records
        .iter()
        .filter_map(|record| Some((identity(record), field.key(record)?)));
    let shown: Vec<(String, Key)> = shown.collect();
    out_of_order_by(field, &shown, descending)
}

fn untold(engine: &Engine, list: usize, fields: &[(SortField, Query)], result: &mut CheckResult) {
    for (field, _) in fields {
        let name = engine.list(list).spec.name();
        result.gap(format!("{name}: two records that differ in {}", field.name));
    }
}

fn no_field(result: &mut CheckResult) {
    result.gap_if_empty("a field that the list can be sorted by");
}
