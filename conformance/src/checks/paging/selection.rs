//! A page by its number, asked for once and again (G2, G6).

use std::sync::Arc;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::next_page::next_link;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::again::TIMES;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Law, Violation};

use super::cursor;
use super::paged::Paged;
use super::pages::{long, paged};
use crate::cases::{first_page, in_a_row};
use crate::checks::CheckFuture;
use crate::discovery::sorting::{self, lists};
use crate::engine::case::Case;
use crate::engine::outcome::{CaseResult, CheckResult};
use crate::engine::{Engine, PAGE};

pub(super) fn select<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in long(engine, result).await? {
            let sortable = sorting::of(engine, list).await?;
            let stable = engine.list(list).paging.stable;
            let first = sortable.sorting.first();
            let sorted = first.map(|(field, _)| Query::default().sorted(&[&field.name]));
            for query in stable.then(Query::default).into_iter().chain(sorted) {
                cases.extend(selected(engine, list, &query));
            }
            if stable {
                cases.extend(linked(engine, list).await?);
            }
        }
        let cut_off = lists(engine).into_iter().filter(|list| {
            let paging = &engine.list(*list).paging;
            paging.cut_off && paging.page.is_some()
        });
        cases.extend(cut_off.filter_map(|list| goes_on(engine, list)));
        let by_cursor = cursor::long(engine).into_iter();
        cases.extend(by_cursor.map(|list| cursor::leads_on(engine, list)));
        engine.run_cases(cases, result).await
    })
}

/// Of a list whose pages end with the first one, that page and the second have what another order shows first.
fn goes_on(engine: &Engine, list: usize) -> Option<Case> {
    let list_corpus = engine.list(list);
    let field = list_corpus.spec.sort_by_id()?;
    let turned = Query {
        first_page: true,
        ..Query::default().sorted(&[&format!("-{field}")])
    };
    let queries = [first_page(), Query::default().on_page(2), turned];
    let judge = |answers: &[Arc<ListResponse>], _: &ListCorpus| {
        let first = answers[0].reading()?.ids();
        let second = answers[1].reading().map(|second| second.ids());
        if second.is_some_and(|second| second.iter().any(|id| !first.contains(id))) {
            return None;
        }
        let shown = answers[2].reading()?.ids().into_iter();
        let hidden = shown
            .filter(|id| !first.contains(id))
            .map(str::to_owned)
            .collect();
        let expected = "a second page with the records that the first page leaves out";
        let got = answers[1].describe();
        Violation::of_records(hidden, expected, |names| {
            format!("{got}, none of them new; another order shows {names} as well")
        })
    };
    let about = format!("page={}", list_corpus.paging.number(2));
    let requests = queries.map(|query| query.request(list_corpus)).into();
    Some(Case::new(list, about, requests, judge).invalidates([PAGE.to_owned()]))
}

/// The first page is what comes without a page, and the second is not the first.
fn selected(engine: &Engine, list: usize, query: &Query) -> [Case; 2] {
    let list_corpus = engine.list(list);
    let whole = Query {
        first_page: true,
        ..query.clone()
    };
    let [none, first, second] =
        [whole, query.clone().on_page(1), query.clone().on_page(2)].map(|query| query.request(list_corpus));
    let size = list_corpus.paging.at_least;
    let same =
        |answers: &[Arc<ListResponse>], _: &ListCorpus| unlike(answers, "the first page, as without a page");
    let other = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let (one, other) = (answers[0].reading()?, answers[1].reading());
        let left = list.live().filter(|(id, _)| !one.ids().contains(id)).count();
        if left == 0 || one.records.len() > size {
            return None;
        }
        let expected = format!("a second page: the first leaves out {left} records");
        let mut violation = Violation::of_answer(expected, &answers[1]);
        if let Some(other) = other {
            let is_same = other.records.is_empty() || other.ids().is_subset(&one.ids());
            violation.actual.push_str(", all of them from the first page");
            return is_same.then_some(violation);
        }
        Some(violation)
    };
    let about = |page: usize| {
        let keys: Vec<_> = query.sort.iter().map(|key| format!("sort={key} ")).collect();
        format!("{}page={}", keys.concat(), list_corpus.paging.number(page))
    };
    [
        Case::new(list, about(1), vec![none, first.clone()], same),
        Case::new(list, about(2), vec![first, second], other),
    ]
    .map(|case| case.resting_on(query.uses()).invalidates([PAGE.to_owned()]))
}

/// Where the first page links to the next, that is the second.
async fn linked(engine: &mut Engine, list: usize) -> Result<Option<Case>, TargetError> {
    let first = first_page().request(engine.list(list));
    let answer = engine.ask(list, &first).await?;
    let (base, paging) = (&engine.target.config().base_url, &engine.list(list).paging);
    let Some(next) = next_link(answer.exchange(), paging, base).filter(|link| link.repeats) else {
        return Ok(None);
    };
    let next = next.request.for_one_page();
    let second = Query::default().on_page(2).request(engine.list(list));
    let judge =
        |answers: &[Arc<ListResponse>], _: &ListCorpus| unlike(answers, "the second page, as by its number");
    let case = Case::new(list, "the link to the next page", vec![second, next], judge);
    Ok(Some(case.resting_on([PAGE.to_owned()])))
}

/// Two answers that do not hold the same records.
fn unlike(answers: &[Arc<ListResponse>], expected: &str) -> Option<Violation> {
    let one = answers[0].reading()?;
    let Some(other) = answers[1].reading() else {
        return Some(Violation::of_answer(expected, &answers[1]));
    };
    Law::Same.violation(&[one, other], expected)
}

pub(super) fn repeat<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for paged in paged(engine, result).await? {
            if paged.by_cursor {
                continue;
            }
            if let Some(check) = engine.failed(paged.list, PAGE) {
                result.blocked_by(PAGE, check);
                continue;
            }
            let case_result = again(engine, &paged).await?;
            result.add(case_result);
        }
        Ok(())
    })
}

/// Asks for a page again and again. Data that moves may change it once, and not every time.
async fn again(engine: &Engine, paged: &Paged) -> Result<CaseResult, TargetError> {
    let request = paged.page(engine, false, 2);
    let mut last = None;
    for round in 0..TIMES {
        let answers = in_a_row(engine, paged.list, &request).await?;
        let mut pairs = answers.windows(2);
        let changed =
            pairs.find_map(|pair| Some((unlike(pair, "the same records on the same page")?, pair.to_vec())));
        match changed {
            None if round == 0 => return Ok(CaseResult::Pass),
            None => return Ok(CaseResult::Flaky("a page changed once".to_owned())),
            Some(changed) => last = Some(changed),
        }
    }
    // What comes and goes elsewhere too is data that moves.
    let (Some((violation, pair)), true) = (last, is_quiet(engine, paged.list).await?) else {
        return Ok(CaseResult::Flaky(
            "a page changes all the time, and so do others".to_owned(),
        ));
    };
    let list = engine.list(paged.list);
    let about = format!("{} page={}", list.spec.name(), list.paging.number(2));
    let evidence = pair.iter().map(|answer| engine.evidence(answer)).collect();
    let told = (violation.expected, violation.actual);
    Ok(CaseResult::Fail(Box::new(engine.finding(about, told, evidence))))
}

/// Whether the list without pages stays as it is.
async fn is_quiet(engine: &Engine, list: usize) -> Result<bool, TargetError> {
    let first = first_page().request(engine.list(list));
    let answers = in_a_row(engine, list, &first).await?;
    let records = |answer: &ListResponse| answer.reading().map(|reading| reading.records.clone());
    let mut pairs = answers.windows(2);
    Ok(pairs.all(|pair| records(&pair[0]) == records(&pair[1])))
}
