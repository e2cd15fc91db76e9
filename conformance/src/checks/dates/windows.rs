//! Date windows, asked for and held against each other: of a timestamp that no record shows the records tell nothing, so
//! only answers can be compared (D4 to D8, D10). And the time of day, of timestamps that records show (D11).

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::bounds::{Window, windows};
use crate::checks::CheckFuture;
use crate::checks::cases::{common, nothing};
use crate::checks::exploration::planned_values;
use crate::corpus::ListCorpus;
use crate::corpus::listing::ListResponse;
use crate::corpus::predicate::{MemberValue, ObservableFilter};
use crate::corpus::query::Query;
use crate::corpus::timestamp::{self, forms, iso};
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::engine::{Engine, TOGETHER};
use crate::oracle::Violation;
use crate::plan::YEAR_ONE;

/// A bound this far from a record is on the same day, and not so near that it matters whether it is included.
const HOUR: SignedDuration = SignedDuration::from_hours(1);

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
        planned_values(engine, result).await
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
    growing(
        engine,
        pairs.map(|pair| pair.map(|bound| window.query_before(bound))),
    )
}

/// An earlier bound finds all that a later one finds.
pub(super) fn growing_after(engine: &Engine, window: &Window) -> Vec<Case> {
    let pairs = window.bounds.windows(2).map(|pair| [pair[1], pair[0]]);
    growing(
        engine,
        pairs.map(|pair| pair.map(|bound| window.query_after(bound))),
    )
}

/// Of each two questions, what the first finds is found by the second.
fn growing(engine: &Engine, questions: impl Iterator<Item = [Query; 2]>) -> Vec<Case> {
    let cases = questions.map(|queries| {
        let (filter, narrow) = queries[0].filters[0].clone();
        let requests = queries.map(|query| query.request(engine.list(filter.list)));
        let needs = format!("{}: a record that {narrow} finds", filter.name);
        let name = filter.name.clone();
        Case::new(
            filter.list,
            (filter.name, filter.clause),
            requests.into(),
            |answers, _| {
                let expected = "all that the narrower bound finds, found by the wider one";
                lost(&answers[0], &answers[1], expected)
            },
        )
        .invalidates([name])
        .needing(needs)
    });
    cases.collect()
}

/// The records of the first answer that the second lacks.
fn lost(one: &ListResponse, other: &ListResponse, expected: &str) -> Option<Violation> {
    let (one, other) = (one.reading()?, other.reading()?);
    let (ours, theirs) = (one.ids(), other.ids());
    let lost = ours.difference(&theirs).filter(|id| other.reaches(id));
    let lost = lost.map(|id| (*id).to_owned()).collect();
    Violation::of_records(lost, expected, |names| {
        format!("{names} by the first question only")
    })
}

/// No record is before a bound and after a later one.
pub(super) fn apart(engine: &Engine, window: &Window) -> Vec<Case> {
    let pairs = window.bounds.windows(2).map(|pair| {
        let queries = [window.query_before(pair[0]), window.query_after(pair[1])];
        let requests = queries.map(|query| query.request(engine.list(window.list)));
        let about = (window.name(), window.before.clause.clone());
        let needs = format!(
            "{}: a record before {} and one after {}",
            window.name(),
            iso(pair[0]),
            iso(pair[1])
        );
        Case::new(window.list, about, requests.into(), |answers, _| {
            common(&answers[0], &answers[1])
        })
        .invalidates([window.before.name.clone(), window.after.name.clone()])
        .needing(needs)
    });
    pairs.collect()
}

/// Two bounds together find what both find.
pub(super) fn between(engine: &Engine, window: &Window) -> Vec<Case> {
    let pairs = window.bounds.windows(3).map(|cuts| (cuts[0], cuts[2]));
    let cases = pairs.map(|(from, to)| intersection(engine, window, from, to));
    cases.collect()
}

/// Two bounds together find what stands in the answers to both.
fn intersection(engine: &Engine, window: &Window, from: Timestamp, to: Timestamp) -> Case {
    let queries = [
        window.query_between(from, to),
        window.query_after(from),
        window.query_before(to),
    ];
    let requests = queries.map(|query| query.request(engine.list(window.list)));
    let about = (window.name(), window.before.clause.clone());
    let needs = format!(
        "{}: a record after {} and before {}",
        window.name(),
        iso(from),
        iso(to)
    );
    Case::new(window.list, about, requests.into(), |answers, _| {
        let [Some(both), Some(after), Some(before)] =
            [0, 1, 2].map(|index| answers.get(index).and_then(|answer| answer.reading()))
        else {
            return None;
        };
        let reached = |id: &&str| [both, after, before].iter().all(|reading| reading.reaches(id));
        let (both, after, before) = (both.ids(), after.ids(), before.ids());
        let expected: std::collections::HashSet<_> = after.intersection(&before).copied().collect();
        let wrong = both.symmetric_difference(&expected).copied().filter(reached);
        let wrong = wrong.map(str::to_owned);
        let says = "between two bounds the records that each bound finds";
        Violation::of_records(wrong.collect(), says, |names| format!("not so of {names}"))
    })
    .invalidates([window.before.name.clone(), window.after.name.clone()])
    .needing(needs)
}

/// No record is before the year 1.
pub(super) fn before_all(engine: &Engine, window: &Window) -> Vec<Case> {
    let query = window.scoped(Query::by(&window.before, YEAR_ONE));
    vec![nothing(engine, &window.before, query)]
}

pub(super) fn hours<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for window in windows(engine, true) {
            cases.extend(by_the_hour(engine, &window, result));
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a record in the middle hours of its day");
        Ok(())
    })
}

/// One record, with bounds an hour before and after it.
fn by_the_hour(engine: &Engine, window: &Window, result: &mut CheckResult) -> Vec<Case> {
    let Some((id, at)) = by_day(engine, window) else {
        result.gap(format!(
            "{}: a record in the middle hours of its day",
            window.name()
        ));
        return Vec::new();
    };
    let (earlier, later) = (at.checked_sub(HOUR), at.checked_add(HOUR));
    let (Ok(earlier), Ok(later)) = (earlier, later) else {
        return Vec::new();
    };
    let sides = [
        (&window.before, [later, earlier]),
        (&window.after, [earlier, later]),
    ];
    let cases = sides.map(|(filter, bounds)| hour(engine, window, filter, &id, bounds));
    cases.into_iter().flatten().collect()
}

/// A record that the filters can find, at least two hours from midnight, and its timestamp.
fn by_day(engine: &Engine, window: &Window) -> Option<(String, Timestamp)> {
    let list = engine.list(window.list);
    let mut records = list
        .widest_snapshot()
        .into_iter()
        .flat_map(|snapshot| snapshot.records());
    records.find_map(|(id, record)| {
        let at = at(window, record)?;
        let second = at.as_second().rem_euclid(86_400);
        let findable = window.scope.is_some() || !list.spec.is_deleted(record);
        (findable && (7_200..79_200).contains(&second)).then(|| (id.to_owned(), at))
    })
}

fn at(window: &Window, record: &Value) -> Option<Timestamp> {
    match window.before.shown(record) {
        MemberValue::Value(text) => timestamp::read(&text),
        MemberValue::Null | MemberValue::Unknown => None,
    }
}

/// One record is found under the first bound and not under the second, which is on the same day.
fn hour(
    engine: &Engine,
    window: &Window,
    filter: &ObservableFilter,
    id: &str,
    bounds: [Timestamp; 2],
) -> Option<Case> {
    let by_id = engine.list(window.list).spec.by_identifier()?;
    let by_id = ObservableFilter::of(window.list, by_id)?;
    let queries = bounds.map(|bound| window.scoped(Query::by(filter, iso(bound)).and(&by_id, id)));
    let requests = queries.map(|query| query.request(engine.list(window.list)));
    let about = (filter.name.clone(), filter.clause.clone());
    let (id, window) = (id.to_owned(), window.clone());
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        // The record may have moved away from the bounds.
        let now = at(&window, list.widest_snapshot()?.record(&id)?)?;
        if now < bounds[0].min(bounds[1]) || now > bounds[0].max(bounds[1]) {
            return None;
        }
        let found = |answer: &ListResponse| {
            answer
                .reading()
                .is_some_and(|reading| reading.ids().contains(id.as_str()))
        };
        if found(&answers[0]) && !found(&answers[1]) {
            return None;
        }
        let [inside, outside] = bounds.map(iso);
        Some(Violation {
            expected: format!("{id}, which has {now}, under the bound {inside} and not under {outside}"),
            actual: format!("found: {} and {}", found(&answers[0]), found(&answers[1])),
            record_ids: Some([id.clone()].into()),
            absence: false,
            reproduction: None,
        })
    };
    let case = Case::new(filter.list, about, requests.into(), judge);
    Some(
        case.resting_on([by_id.name, TOGETHER.to_owned()])
            .invalidates([filter.name.clone()]),
    )
}
