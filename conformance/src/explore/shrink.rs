//! The smallest query that shows a violation.

use std::sync::Arc;

use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::request::{Request, Spelling};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{self, Aspect, Facts, Seen, Violation, judge};

use super::domain::Known;
use super::suspicion::differs_from_whole;
use crate::cases;
use crate::cases::preceding::preceding;
use crate::engine::case::Case;
use crate::engine::outcome::CaseResult;
use crate::engine::{Engine, PAGE};

/// So many values that tell much are tried in the place of one that tells less.
const TELLING: usize = 3;

/// The smallest query whose answer is wrong in the same way. With `keeps_after` it is sent right after the same request:
/// without it the answer is right, whatever came first.
pub(super) async fn shrink(
    engine: &mut Engine,
    list: usize,
    facts: &Arc<Facts>,
    (query, aspect): (&Query, Aspect),
    keeps_after: bool,
) -> Result<Query, TargetError> {
    let mut smallest = query.clone();
    loop {
        let mut found = None;
        let has_pages = engine.list(list).paging.page.is_some();
        let smaller = smallest.smaller().into_iter();
        let smaller = smaller.filter(|one| !keeps_after || one.after == query.after);
        for smaller in smaller.filter(|query| has_pages || query.page.is_none()) {
            if shows(engine, list, facts, (&smaller, aspect)).await? {
                found = Some(smaller);
                break;
            }
        }
        match found {
            Some(smaller) => smallest = smaller,
            None => return Ok(smallest),
        }
    }
}

/// Whether the answer to a query is wrong in one way.
pub(super) async fn shows(
    engine: &mut Engine,
    list: usize,
    facts: &Facts,
    (query, aspect): (&Query, Aspect),
) -> Result<bool, TargetError> {
    let answer = engine.ask(list, &query.request(engine.list(list))).await?;
    if rests_on_failed_pages(engine, list, &answer) {
        return Ok(false);
    }
    if aspect == Aspect::Page {
        return differs_from_whole(engine, list, facts, query).await;
    }
    let violations = judge(facts, engine.list(list), query, &answer);
    Ok(violations
        .iter()
        .any(|violation| violation.aspect.is_like(aspect)))
}

/// The same question for a value of its only filter that tells more, if the answer to that is wrong in the same way.
pub(super) async fn by_telling_value(
    engine: &mut Engine,
    list: usize,
    known: &Known,
    (query, aspect): (Query, Aspect),
) -> Result<(Query, Aspect), TargetError> {
    let [(filter, value)] = &query.filters[..] else {
        return Ok((query, aspect));
    };
    let telling = known.domain.telling_values(&filter.name).into_iter();
    let telling: Vec<String> = telling.take(TELLING).map(str::to_owned).collect();
    if telling.contains(value) {
        return Ok((query, aspect));
    }
    for value in telling {
        let mut other = query.clone();
        other.filters[0].1 = value;
        let answer = engine.ask(list, &other.request(engine.list(list))).await?;
        let violations = judge(&known.facts, engine.list(list), &other, &answer);
        let mut aspects = violations.iter().map(|one| one.aspect);
        if let Some(like) = aspects.find(|one| one.is_like(aspect)) {
            return Ok((other, like));
        }
    }
    Ok((query, aspect))
}

/// A query that was answered wrongly and then was not, sent right after another request that makes its answer wrong every
/// time.
pub(super) async fn after_another(
    engine: &mut Engine,
    list: usize,
    facts: &Arc<Facts>,
    (query, aspect): (&Query, Aspect),
) -> Result<Option<Query>, TargetError> {
    if query.after.is_some() {
        return Ok(None);
    }
    let bare = Request::get(&engine.list(list).spec.operation.path);
    for preceding in preceding(engine, list, &bare) {
        let query = Query {
            headers: Vec::new(),
            spelling: Spelling::Usual,
            after: Some(preceding),
            ..query.clone()
        };
        let request = query.request(engine.list(list));
        let answer = engine.ask_again(list, &request).await?;
        let violations = judge(facts, engine.list(list), &query, &answer);
        let is_wrong = violations.iter().any(|one| one.aspect.is_like(aspect));
        if !is_wrong {
            continue;
        }
        let case = case(engine, list, facts, &query, aspect);
        if matches!(engine.judge(&case).await?, CaseResult::Fail(_)) {
            return Ok(Some(query));
        }
    }
    Ok(None)
}

/// Whether an answer was read page by page, and paging has failed already.
pub(super) fn rests_on_failed_pages(engine: &Engine, list: usize, answer: &ListResponse) -> bool {
    let is_paged = answer.reading().is_some_and(|reading| reading.asked > 1);
    is_paged && engine.failed(list, PAGE).is_some()
}

/// A query whose answer is wrong in one way.
pub(super) fn case(engine: &Engine, list: usize, facts: &Arc<Facts>, query: &Query, aspect: Aspect) -> Case {
    let request = query.request(engine.list(list));
    let references: Vec<Projection> = match aspect {
        Aspect::Relation(_) => {
            let references = facts.references.iter().flatten();
            let references = references.chain(facts.of_deleted.values());
            let found = facts.relations.iter();
            let found = found.filter_map(|relation| facts.inverse.projection(relation));
            references.chain(found).cloned().collect()
        }
        _ => Vec::new(),
    };
    let projections = cases::projections(query).into_iter().chain(references);
    let page = query
        .page
        .map(|page| format!("page={}", engine.list(list).paging.number(page)));
    let headers = query.headers.iter().map(|(name, _)| format!("the header {name}"));
    let uses: Vec<String> = query.parts().into_iter().chain(page).chain(headers).collect();
    let mut about = match uses.is_empty() {
        true => "without parameters".to_owned(),
        false => uses.join(" and "),
    };
    if query.spelling == Spelling::SmallLetters {
        about = format!("{about}, percent-encoded with small letters");
    }
    if let Some(preceding) = &query.after {
        about = format!("{about}, {}", preceding.what);
    }
    let told = matches!(aspect, Aspect::Relation(_)).then(|| facts.seen.only().cloned());
    let beside = match (aspect, told.flatten()) {
        (Aspect::Page, _) => Some(query.whole()),
        (_, told) => told.map(|sight| Query::clone(&sight.query)),
    };
    let beside_request = beside.iter().map(|beside| beside.request(engine.list(list)));
    let requests = [request].into_iter().chain(beside_request).collect();
    let query = query.clone();
    // The answers beside are read anew, and what was seen before them does not count.
    let facts = match beside {
        Some(_) => Arc::new(Facts {
            seen: Seen::default(),
            ..Facts::clone(facts)
        }),
        None => Arc::clone(facts),
    };
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| match (&beside, answers) {
        (Some(_), [page, whole]) if aspect == Aspect::Page => {
            judge::differs_from_whole(&facts, list, &query, (page, whole))
        }
        (Some(beside), [_, told]) => {
            let mut facts = Facts::clone(&facts);
            facts.seen.note(list, beside, told.reading()?);
            violation(&facts, list, (&query, aspect), &answers[0])
        }
        _ => violation(&facts, list, (&query, aspect), &answers[0]),
    };
    Case::new(list, about, requests, judge).seen_in(projections)
}

/// What is wrong about an answer in one way.
fn violation(
    facts: &Facts,
    list: &ListCorpus,
    (query, aspect): (&Query, Aspect),
    answer: &ListResponse,
) -> Option<Violation> {
    let violations = judge(facts, list, query, answer).into_iter();
    let mut like = violations.filter(|violation| violation.aspect.is_like(aspect));
    like.next().map(|violation| violation.violation)
}
