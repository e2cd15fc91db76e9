//! Which check has failed, by the smallest query that shows a violation and, where a check demands it, by a simpler one.

use rollcall_oracle::corpus::listing::{ListResponse, Pages};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Aspect, judge};

use super::asked::Asked;
use super::domain::Known;
use crate::engine::Engine;
use crate::engine::check::Check;

/// The check that the smallest query fails. Where the simpler question of this check is answered wrongly as well, it is the
/// check which that question fails.
pub(super) async fn failed_check(
    engine: &mut Engine,
    list: usize,
    known: &Known,
    (query, aspect): (&Query, Aspect),
) -> Result<&'static Check, TargetError> {
    let facts = (&*known.domain, &*known.facts);
    let answer = engine.ask(list, &query.request(engine.list(list))).await?;
    let unfiltered = match may_lack_filters(query, &answer) {
        true => {
            let mut unfiltered = query.clone();
            unfiltered.filters.clear();
            Some(engine.ask(list, &unfiltered.request(engine.list(list))).await?)
        }
        false => None,
    };
    let asked = Asked::of(engine.list(list), facts, query, &answer);
    let check = engine
        .catalogue
        .failed_by(asked.beside(unfiltered.as_deref()), aspect);
    let simpler = check.region.unless.as_ref();
    let simpler = simpler.and_then(|simpler| simpler.question(engine.list(list), query, aspect));
    let Some((simpler, made_as)) = simpler else {
        return Ok(check);
    };
    let answer = engine.ask(list, &simpler.request(engine.list(list))).await?;
    let violations = judge(&known.facts, engine.list(list), &simpler, &answer).into_iter();
    // A record may be one too many because it is soft-deleted.
    let is_like = |one: &Aspect| one.is_like(aspect) || *one == Aspect::Deleted && aspect == Aspect::Alien;
    let wrong = violations.map(|violation| violation.aspect).find(is_like);
    Ok(wrong.map_or(check, |aspect| {
        let asked = Asked::of(engine.list(list), facts, &simpler, &answer);
        engine.catalogue.failed_by(asked.made_as(made_as), aspect)
    }))
}

/// Whether an answer has several pages, which a target may have read without the filters.
fn may_lack_filters(query: &Query, answer: &ListResponse) -> bool {
    let is_paged = |reading: &Pages| reading.asked > 1;
    !query.filters.is_empty() && answer.reading().is_some_and(is_paged)
}
