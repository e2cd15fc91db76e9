//! The cases that most checks are made of: a question, and what its answer must hold.

pub(super) mod selective_query;

use std::collections::BTreeSet;

use rollcall_contract::Match;

use crate::corpus::Projection;
use crate::corpus::list_spec::JudgedFilter;
use crate::corpus::listing::ListResponse;
use crate::corpus::predicate::{ObservableFilter, folded};
use crate::corpus::query::Query;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;
use crate::oracle;
use crate::oracle::Violation;

/// The filters of one kind whose members can be seen, on lists that can be read. What cannot be looked at is a gap.
pub(super) async fn filters(
    engine: &mut Engine,
    matching: Match,
    result: &mut CheckResult,
) -> Result<Vec<ObservableFilter>, TargetError> {
    let mut filters = Vec::new();
    for list in engine.readable() {
        let judged: Vec<_> = engine.list(list).spec.matching(matching).cloned().collect();
        for judged in judged {
            let name = format!("{} {}", engine.list(list).spec.name(), judged.name);
            let Some(filter) = ObservableFilter::of(list, &judged) else {
                result.gap(format!("{name}: somewhere to see its member"));
                continue;
            };
            if filter.projection != Projection::Default {
                engine.snapshot(list, &filter.projection).await?;
            }
            match engine
                .seen(&filter)
                .map(|snapshot| snapshot.response.reading().is_some())
            {
                Some(true) => filters.push(filter),
                _ => result.gap(format!("{name}: {}", filter.projection.needs())),
            }
        }
    }
    if filters.is_empty() {
        result.gap("a list that answers with records");
    }
    Ok(filters)
}

/// The exact filters with their values among live records; those without any are a gap.
pub(super) async fn valued(
    engine: &mut Engine,
    result: &mut CheckResult,
    want: impl Fn(&Engine, &ObservableFilter) -> bool,
) -> Result<Vec<(ObservableFilter, Vec<String>)>, TargetError> {
    let mut valued = Vec::new();
    for filter in filters(engine, Match::Exact, result).await? {
        if !want(engine, &filter) {
            continue;
        }
        let values: Vec<String> = engine.values(&filter).into_keys().collect();
        match values.is_empty() {
            true => result.gap(format!(
                "{} {}: a record that shows a value",
                engine.list(filter.list).spec.name(),
                filter.name
            )),
            false => valued.push((filter, values)),
        }
    }
    Ok(valued)
}

/// Nothing comes back by a filter, or the question is refused.
pub(super) fn nothing(engine: &Engine, filter: &ObservableFilter, query: Query) -> Case {
    let about = (filter.name.clone(), filter.clause.clone());
    let request = query.request(engine.list(filter.list));
    let (uses, projections) = (query.uses(), projections(&query));
    Case::new(filter.list, about, vec![request], move |answers, _| {
        oracle::not_empty(&query, &answers[0])
    })
    .resting_on(uses)
    .invalidates([filter.name.clone()])
    .seen_in(projections)
}

/// The ways to read a list that a question's filters are seen in, besides the fullest.
pub(super) fn projections(query: &Query) -> Vec<Projection> {
    let projections = query.filters.iter().map(|(filter, _)| filter.projection.clone());
    projections
        .filter(|projection| *projection != Projection::Default)
        .collect()
}

/// The filter of a list that speaks of soft deletion.
pub(super) fn trashed(engine: &Engine, list: usize) -> Option<&JudgedFilter> {
    engine.list(list).spec.matching(Match::Trashed).next()
}

/// Whether what is missing in an answer of several pages is missing indeed.
pub(super) fn is_whole(engine: &Engine, list: usize) -> bool {
    let list = engine.list(list);
    let is_steady = list.paging.stable || list.is_read_whole();
    is_steady && (!list.paging.is_long || list.paging.by_id.is_some())
}

/// All values that any record has, soft-deleted or not, in folded form.
pub(super) fn known(engine: &Engine, filter: &ObservableFilter) -> BTreeSet<String> {
    let Some((snapshot, place)) = engine.seen(filter).zip(filter.places.first()) else {
        return BTreeSet::new();
    };
    snapshot
        .by(place)
        .groups()
        .map(|(value, _)| folded(value))
        .collect()
}

/// The records that stand in both answers.
pub(super) fn common(one: &ListResponse, other: &ListResponse) -> Option<Violation> {
    let (one, other) = (one.reading()?, other.reading()?);
    let (ours, theirs) = (one.ids(), other.ids());
    let common = ours.intersection(&theirs).map(|id| (*id).to_owned()).collect();
    Violation::of_records(common, "no record in both answers", |names| {
        format!("{names} in both")
    })
}
