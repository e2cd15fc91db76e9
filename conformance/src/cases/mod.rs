//! The cases that most checks are made of: a question, and what its answer must hold.

pub(crate) mod preceding;
pub(crate) mod selective_query;
pub(crate) mod writes;

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Match, Role};
use rollcall_oracle::corpus::list_spec::{JudgedFilter, ListSpec};
use rollcall_oracle::corpus::listing::{ListResponse, Pages};
use rollcall_oracle::corpus::predicate::{ObservableFilter, folded};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::again::TIMES;
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::{Request, segment};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge;

use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

/// The filters of one kind whose members can be seen, on lists that can be read. What cannot be looked at is a gap.
pub(crate) async fn filters(
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
            let snapshot = engine.seen(&filter);
            match snapshot.and_then(|snapshot| snapshot.response.reading()) {
                Some(_) => filters.push(filter),
                None => result.gap(format!("{name}: {}", filter.projection.needs())),
            }
        }
    }
    if filters.is_empty() {
        result.gap("a list that answers with records");
    }
    Ok(filters)
}

/// Nothing comes back by a filter, or the question is refused.
pub(crate) fn nothing(engine: &Engine, filter: &ObservableFilter, query: Query) -> Case {
    let about = (filter.name.clone(), filter.clause.clone());
    let request = query.request(engine.list(filter.list));
    let (uses, projections) = (query.uses(), projections(&query));
    Case::new(filter.list, about, vec![request], move |answers, _| {
        judge::not_empty(&query, &answers[0])
    })
    .resting_on(uses)
    .invalidates([filter.name.clone()])
    .seen_in(projections)
}

/// A request with the parameters of a list that play some roles; an empty value is left out.
pub(crate) fn with_roles(spec: &ListSpec, request: Request, values: &[(Role, &str)]) -> Request {
    let values = values.iter().filter(|(_, value)| !value.is_empty());
    let parameters = values.filter_map(|(role, value)| Some((spec.parameter(*role)?, value)));
    parameters.fold(request, |request, (name, value)| request.with(name, value))
}

/// The request for one record alone, where a list has one.
pub(crate) fn single(spec: &ListSpec, id: &str) -> Option<Request> {
    spec.single.as_ref()?;
    Some(Request::get(format!("{}/{}", spec.operation.path, segment(id))))
}

/// What was read of a list in one way, if that was records.
pub(crate) fn read<'l>(list: &'l ListCorpus, projection: &Projection) -> Option<&'l Pages> {
    list.snapshot(projection)?.response.reading()
}

/// The ways to read a list that a question's filters are seen in, besides the fullest.
pub(crate) fn projections(query: &Query) -> Vec<Projection> {
    let projections = query.filters.iter().map(|(filter, _)| &filter.projection);
    let others = projections.filter(|projection| **projection != Projection::Default);
    others.cloned().collect()
}

/// Counts a case about one answer of a list. An answer that is wrong every time it is asked for again is a finding.
/// `wrong` gives what was expected of an answer and what came; `once` tells of an answer that was wrong and is so no more.
pub(crate) async fn judge_answer(
    engine: &Engine,
    list: usize,
    answer: &Exchange,
    wrong: impl Fn(&Exchange) -> Option<(String, String)>,
    once: &str,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    if wrong(answer).is_none() {
        result.count_case();
        return Ok(());
    }
    let is_wrong = |answer: &Exchange| wrong(answer).is_some();
    let again = engine.stays_wrong(&answer.request, is_wrong).await?;
    match again.and_then(|again| Some((wrong(&again)?, again))) {
        None => result.moved(format!("{} {once}", answer.request.line())),
        Some((told, again)) => {
            let evidence = vec![again.evidence(&engine.target.config().base_url)];
            result.finding(engine.finding(engine.list(list).spec.name(), told, evidence));
        }
    }
    Ok(())
}

/// The answers to a request that is sent several times in a row.
pub(crate) async fn in_a_row(
    engine: &Engine,
    list: usize,
    request: &Request,
) -> Result<Vec<Arc<ListResponse>>, TargetError> {
    let mut answers = Vec::new();
    for _ in 0..TIMES {
        answers.push(engine.ask_again(list, request).await?);
    }
    Ok(answers)
}

/// The filter of a list that speaks of soft deletion.
pub(crate) fn trashed(engine: &Engine, list: usize) -> Option<&JudgedFilter> {
    engine.list(list).spec.matching(Match::Trashed).next()
}

/// Whether what is missing in an answer of several pages is missing indeed.
pub(crate) fn is_whole(engine: &Engine, list: usize) -> bool {
    let list = engine.list(list);
    let is_steady = list.paging.stable || list.is_read_whole();
    is_steady && (!list.paging.is_long || list.paging.by_id.is_some())
}

/// The question for the first page of a list.
pub(crate) fn first_page() -> Query {
    Query {
        first_page: true,
        ..Query::default()
    }
}

/// All values that any record has, soft-deleted or not, in folded form.
pub(crate) fn known(engine: &Engine, filter: &ObservableFilter) -> BTreeSet<String> {
    let Some((snapshot, place)) = engine.seen(filter).zip(filter.places.first()) else {
        return BTreeSet::new();
    };
    let index = snapshot.by(place);
    index.groups().map(|(value, _)| folded(value)).collect()
}
