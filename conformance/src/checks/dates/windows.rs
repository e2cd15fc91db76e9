//! Date windows, asked for and held against each other: of a timestamp that no record shows the records tell nothing, so
//! only answers can be compared (D4 to D8, D10).

use std::sync::Arc;

use jiff::Timestamp;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::judge::{Law, Violation};
use rollcall_oracle::open_points::timestamp::{forms, iso};
use rollcall_oracle::plan::YEAR_ONE;

use super::bounds::{Window, windows};
use crate::cases::nothing;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::explore::planned;

/// Compares the answers for each timestamp that no record shows, and counts what the plan has asked of the others.
pub(super) fn of_hidden<'a>(
    engine: &'a mut Engine,
    result: &'a mut CheckResult,
    compare: fn(&Engine, &Window) -> Vec<Case>,
) -> CheckFuture<'a> {
    Box::pin(async move {
        let hidden = windows(engine, false);
        let cases = hidden.iter().flat_map(|window| compare(engine, window)).collect();
        engine.run_cases(cases, result).await?;
        planned(engine, result).await
    })
}

/// Of a list with more pages than this, one page tells whether a bound is accepted; of a shorter one all are read, which
/// other checks do anyhow.
const LONG: usize = 4;

/// Each form of the first bound of one filter and of the last of the other is accepted.
pub(super) fn accepted(engine: &Engine, window: &Window) -> Vec<Case> {
    let (first, last) = (window.bounds.first(), window.bounds.last());
    let sides = [(&window.before, first), (&window.after, last)];
    let questions = sides.into_iter().flat_map(|(filter, bound)| {
        let forms = bound.into_iter().flat_map(|bound| forms(*bound));
        forms.map(move |form| window.scoped(Query::by(filter, form)))
    });
    questions.map(|query| answered(engine, query)).collect()
}

/// A question that has to be answered with a list, whatever is in it.
fn answered(engine: &Engine, query: Query) -> Case {
    let (filter, bound) = &query.filters[0];
    let about = (filter.name.clone(), filter.clause.clone());
    let expected = format!("a list: {bound:?} is a form that is accepted");
    let list = engine.list(filter.list);
    let is_long = list.live().count() > LONG * list.paging.at_least;
    let request = match query.request(list) {
        whole if is_long => whole.for_one_page(),
        whole => whole,
    };
    Case::new(filter.list, about, vec![request], move |answers, _| {
        let refused = answers[0].reading().is_none();
        refused.then(|| Violation::of_answer(expected.as_str(), &answers[0]))
    })
    .invalidates([filter.name.clone()])
}

/// A later bound finds all that an earlier one finds.
pub(super) fn growing_before(engine: &Engine, window: &Window) -> Vec<Case> {
    let pairs = window.bounds.windows(2).map(|pair| [pair[0], pair[1]]);
    let cases = pairs.map(|pair| growing(engine, window, &window.before, pair));
    cases.collect()
}

/// An earlier bound finds all that a later one finds.
pub(super) fn growing_after(engine: &Engine, window: &Window) -> Vec<Case> {
    let pairs = window.bounds.windows(2).map(|pair| [pair[1], pair[0]]);
    let cases = pairs.map(|pair| growing(engine, window, &window.after, pair));
    cases.collect()
}

/// What a filter finds by the first of two bounds, it finds by the second.
fn growing(engine: &Engine, window: &Window, filter: &ObservableFilter, bounds: [Timestamp; 2]) -> Case {
    let queries = bounds.map(|bound| window.query(filter, bound));
    let needs = format!("a record that {} finds", iso(bounds[0]));
    let says = "all that the narrower bound finds, found by the wider one";
    compared(engine, &[filter], &queries, &needs, (Law::Within, says))
}

/// No record is before a bound and after a later one.
pub(super) fn apart(engine: &Engine, window: &Window) -> Vec<Case> {
    let filters = [&window.before, &window.after];
    let pairs = window.bounds.windows(2).map(|pair| {
        let before = window.query(&window.before, pair[0]);
        let after = window.query(&window.after, pair[1]);
        let needs = format!("a record before {} and one after {}", iso(pair[0]), iso(pair[1]));
        let law = (Law::Disjoint, "no record in both answers");
        compared(engine, &filters, &[before, after], &needs, law)
    });
    pairs.collect()
}

/// Two bounds together find what both find.
pub(super) fn between(engine: &Engine, window: &Window) -> Vec<Case> {
    let filters = [&window.before, &window.after];
    let cases = window.bounds.windows(3).map(|cuts| {
        let (from, to) = (cuts[0], cuts[2]);
        let after = window.query(&window.after, from);
        let before = window.query(&window.before, to);
        let both = Query::by(&window.after, iso(from)).and(&window.before, iso(to));
        let queries = [window.scoped(both), after, before];
        let needs = format!("a record after {} and before {}", iso(from), iso(to));
        let law = (Law::Meet, "between two bounds the records that each bound finds");
        compared(engine, &filters, &queries, &needs, law)
    });
    cases.collect()
}

/// A law about the answers to some questions by the filters of one timestamp.
fn compared(
    engine: &Engine,
    filters: &[&ObservableFilter],
    queries: &[Query],
    needs: &str,
    (law, says): (Law, &'static str),
) -> Case {
    let list = filters[0].list;
    let requests = queries.iter().map(|query| query.request(engine.list(list)));
    let names: Vec<String> = filters.iter().map(|filter| filter.name.clone()).collect();
    let name = names.join(" and ");
    let about = (name.clone(), filters[0].clause.clone());
    let judge = move |answers: &[Arc<ListResponse>], _: &ListCorpus| {
        let readings: Option<Vec<_>> = answers.iter().map(|answer| answer.reading()).collect();
        law.violation_of_reached(&readings?, says)
    };
    Case::new(list, about, requests.collect(), judge)
        .invalidates(names)
        .needing(format!("{name}: {needs}"))
}

/// No record is before the year 1.
pub(super) fn before_all(engine: &Engine, window: &Window) -> Vec<Case> {
    let query = window.scoped(Query::by(&window.before, YEAR_ONE));
    vec![nothing(engine, &window.before, query)]
}
