//! Date windows, asked for and held against the records and against each other (D1 to D11).

use std::sync::Arc;

use crate::corpus::records::Record;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::bounds::{self, Window};
use crate::checks::CheckFuture;
use crate::checks::cases::{complete, exact, nothing, sound};
use crate::checks::exact::repeats::difference_among;
use crate::corpus::ListCorpus;
use crate::corpus::listing::ListResponse;
use crate::corpus::predicate::{MemberValue, Membership, ObservableFilter};
use crate::corpus::query::Query;
use crate::corpus::timestamp::{self, forms, iso};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::oracle::Violation;

/// The earliest moment there is in the calendar.
const YEAR_ONE: &str = "0001-01-01T00:00:00Z";
/// A bound this far from a record is on the same day, and not so near that it matters whether it is included.
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Makes cases of every timestamp, and judges them.
async fn each(
    engine: &mut Engine,
    result: &mut CheckResult,
    hidden: bool,
    mut cases: impl FnMut(&Engine, &Window, &mut CheckResult) -> Vec<Case>,
) -> Result<(), crate::http::target::TargetError> {
    let mut all = Vec::new();
    for window in bounds::windows(engine, hidden, result).await? {
        all.extend(cases(engine, &window, result));
    }
    engine.run_cases(all, result).await?;
    Ok(())
}

/// Of a list with more pages than this, one page tells whether a bound is accepted; of a shorter one all are read, which
/// other checks do anyhow.
const LONG: usize = 4;

pub(super) fn accepted<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, true, |engine, window, _| {
        let before = forms(window.early.at)
            .into_iter()
            .map(|form| window.query_before(&form));
        let after = forms(window.late.at)
            .into_iter()
            .map(|form| window.query_after(&form));
        before.chain(after).map(|query| answered(engine, query)).collect()
    }))
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

pub(super) fn sound_before<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, false, |engine, window, _| {
        vec![sound(engine, window.query_before(&iso(window.early.at)))]
    }))
}

pub(super) fn sound_after<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, false, |engine, window, _| {
        vec![sound(engine, window.query_after(&iso(window.late.at)))]
    }))
}

pub(super) fn complete_both<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, false, |engine, window, _| {
        vec![
            complete(engine, window.query_before(&iso(window.early.at))),
            complete(engine, window.query_after(&iso(window.late.at))),
        ]
    }))
}

pub(super) fn growing_before<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, true, |engine, window, _| {
        growing(engine, &window.before, &window.rising, |at| {
            window.query_before(&iso(at))
        })
    }))
}

pub(super) fn growing_after<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, true, |engine, window, _| {
        growing(engine, &window.after, &window.falling, |at| {
            window.query_after(&iso(at))
        })
    }))
}

/// Of each two bounds, what the first finds is found by the second.
fn growing(
    engine: &Engine,
    filter: &ObservableFilter,
    bounds: &[Timestamp],
    query: impl Fn(Timestamp) -> Query,
) -> Vec<Case> {
    let cases = bounds.windows(2).map(|pair| {
        let requests = pair
            .iter()
            .map(|at| query(*at).request(engine.list(filter.list)))
            .collect();
        let about = (filter.name.clone(), filter.clause.clone());
        let needs = format!("{}: a record that {} finds", filter.name, iso(pair[0]));
        Case::new(filter.list, about, requests, |answers, _| {
            let expected = "all that the narrower bound finds, found by the wider one";
            lost(&answers[0], &answers[1], expected)
        })
        .invalidates([filter.name.clone()])
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

pub(super) fn apart<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, true, |engine, window, _| {
        // Where moments are shown, what is early and what is late is known.
        let known = [window.early.at, window.late.at];
        let bounds = if window.is_shown {
            &known
        } else {
            window.rising.as_slice()
        };
        let pairs = bounds.windows(2).filter(|pair| pair[0] <= pair[1]);
        let cases = pairs.map(|pair| {
            let queries = [
                window.query_before(&iso(pair[0])),
                window.query_after(&iso(pair[1])),
            ];
            let requests = queries.map(|query| query.request(engine.list(window.list)));
            let about = (window.name(), window.before.clause.clone());
            let needs = format!(
                "{}: a record before {} and one after {}",
                window.name(),
                iso(pair[0]),
                iso(pair[1])
            );
            Case::new(window.list, about, requests.into(), |answers, _| {
                crate::checks::exact::sets::common(&answers[0], &answers[1])
            })
            .invalidates([window.before.name.clone(), window.after.name.clone()])
            .needing(needs)
        });
        cases.collect()
    }))
}

pub(super) fn between<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, true, |engine, window, _| {
        if window.is_shown {
            let query = window.query_between(&iso(window.early.at), &iso(window.next));
            return vec![exact(engine, query).resting_on([window.before.name.clone()])];
        }
        let pairs = window.rising.windows(3).map(|cuts| (iso(cuts[0]), iso(cuts[2])));
        pairs
            .map(|(from, to)| intersection(engine, window, &from, &to))
            .collect()
    }))
}

/// Two bounds together find what stands in the answers to both.
fn intersection(engine: &Engine, window: &Window, from: &str, to: &str) -> Case {
    let queries = [
        window.query_between(from, to),
        window.query_after(from),
        window.query_before(to),
    ];
    let requests = queries.map(|query| query.request(engine.list(window.list)));
    let about = (window.name(), window.before.clause.clone());
    let needs = format!("{}: a record after {from} and before {to}", window.name());
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
        let says = "between two bounds what is found by each of them";
        Violation::of_records(wrong.collect(), says, |names| format!("not so of {names}"))
    })
    .invalidates([window.before.name.clone(), window.after.name.clone()])
    .needing(needs)
}

pub(super) fn agreeing<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, false, |engine, window, result| {
        let mut cases = Vec::new();
        let sides = [(&window.before, window.early), (&window.after, window.late)];
        for (filter, bound) in sides {
            if !bound.clear {
                result.gap(format!("{}: a bound with no record within two days", filter.name));
                continue;
            }
            let mut forms = forms(bound.at).into_iter();
            let first = forms.next().unwrap_or_default();
            for form in forms {
                cases.push(agreement(engine, window, filter, [&first, &form]));
            }
        }
        cases
    }))
}

/// The same bound in two forms finds the same.
fn agreement(engine: &Engine, window: &Window, filter: &ObservableFilter, forms: [&str; 2]) -> Case {
    let queries = forms.map(|form| window.scoped(Query::by(filter, form)));
    let requests = queries
        .each_ref()
        .map(|query| query.request(engine.list(filter.list)));
    let about = (filter.name.clone(), filter.clause.clone());
    Case::new(filter.list, about, requests.into(), move |answers, list| {
        // Records of a long list that were not read before may lie near the bound.
        let is_far = |record: &Record| {
            queries
                .iter()
                .all(|query| query.membership(list, record) != Membership::Unspecified)
        };
        difference_among(answers, "the same under either form of the bound", is_far)
    })
    .invalidates([filter.name.clone()])
}

pub(super) fn before_all<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, true, |engine, window, _| {
        vec![nothing(engine, window.query_before(YEAR_ONE))]
    }))
}

pub(super) fn hours<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(each(engine, result, false, |engine, window, result| {
        let chosen = by_day(engine, window);
        let Some((id, at)) = chosen else {
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
    }))
}

/// A record that the filters can find, at least two hours from midnight, and its moment.
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
    Some(case.resting_on([by_id.name]).invalidates([filter.name.clone()]))
}
