//! Sorting by one field (O1 to O3, O8).

use std::sync::Arc;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::order::{self, SortField};
use rollcall_oracle::corpus::query::{Query, sorting};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{self, Violation};

use crate::checks::CheckFuture;
use crate::discovery::sorting::{self, disorder, in_both_directions, keys};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

/// What is missing where nothing was judged.
const A_SORT_FIELD: &str = "a field that the list can be sorted by";

pub(super) fn sorts<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in sorting::lists(engine) {
            let name = engine.list(list).spec.name().to_owned();
            let sortable = sorting::of(engine, list).await?;
            if !sortable.sorting.is_empty() {
                result.count_case();
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
                let expected = "an accepted sort field that orders the list";
                let mut violation = Violation::of_answer(expected, &answers[0]);
                let name = &field.name;
                violation.actual = format!("none; {name} gives the same in both directions, {one} first");
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
        for (list, sortable) in sorting::all(engine).await? {
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
                        let violation = judge::missing(list, &query, &answers[0]);
                        // That one direction is refused is for another check.
                        violation.filter(|_| !answers[0].is_refused())
                    };
                    Case::new(list, about, vec![request], judge)
                        .invalidates([sorting(&field.name)])
                        .needing(format!("two records that differ in {}", field.name))
                }));
            }
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty(A_SORT_FIELD);
        Ok(())
    })
}

pub(super) fn ascends<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each_field(engine, result, |list, index, field, query| {
        let request = query.clone().sorted(&[&field.name]).request(list);
        let about = sorting(&field.name);
        let field = field.clone();
        Case::new(index, about, vec![request], move |answers, _| {
            disorder(&field, answers, false)
        })
    }))
}

pub(super) fn reverses<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each_field(engine, result, |list, index, field, query| {
        let requests = in_both_directions(list, query, &field.name);
        let about = format!("sort=-{}", field.name);
        let field = field.clone();
        Case::new(index, about, requests.into(), move |answers, _| {
            same_way(&field, answers)
        })
    }))
}

/// A case about a field that sorts a list, with the index of the list and the question that the field was found out by.
type FieldCase = fn(&ListCorpus, usize, &SortField, &Query) -> Case;

/// Judges a case about every field that sorts.
async fn each_field(
    engine: &mut Engine,
    result: &mut CheckResult,
    case: FieldCase,
) -> Result<(), TargetError> {
    let mut cases = Vec::new();
    for (index, sortable) in sorting::all(engine).await? {
        let list = engine.list(index);
        for (field, _) in &sortable.untold {
            let name = list.spec.name();
            result.gap(format!("{name}: two records that differ in {}", field.name));
        }
        for (field, query) in &sortable.sorting {
            let case = case(list, index, field, query);
            cases.push(case.invalidates([sorting(&field.name)]));
        }
    }
    engine.run_cases(cases, result).await?;
    result.gap_if_empty(A_SORT_FIELD);
    Ok(())
}

/// An order that is not reversed by its sign.
fn same_way(field: &SortField, answers: &[Arc<ListResponse>]) -> Option<Violation> {
    let expected = format!("by {} descending, which is taken ascending", field.name);
    let up = keys(field, &answers[0])?;
    let Some(down) = keys(field, &answers[1]) else {
        return Some(Violation::of_answer(expected, &answers[1]));
    };
    let mut readings = answers.iter().map(|answer| answer.reading());
    let complete = readings.all(|reading| reading.is_some_and(|reading| reading.complete));
    if let (true, Some((one, other))) = (complete, order::unreversed(&up, &down)) {
        let mut violation = Violation::of_answer(expected, &answers[1]);
        violation.actual = format!("{} before {} in both directions", one, other);
        return Some(violation);
    }
    disorder(field, &answers[1..], true).map(|violation| violation.shown_by([1]))
}
