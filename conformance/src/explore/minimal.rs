//! A violation and the smallest query that shows it.

use std::collections::BTreeSet;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::listing::{ListResponse, Pages};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::request::Spelling;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Aspect, Facts, judge};
use rollcall_oracle::plan::sample::is_plain;

use super::Unsteady;
use super::counts::ParameterCounts;
use super::domain::Known;
use super::now_and_then;
use super::shrink::{after_another, by_telling_value, case, shrink};
use super::verdict::failed_check;
use crate::engine::check::Check;
use crate::engine::finding::Finding;
use crate::engine::outcome::CaseResult;
use crate::engine::suspect::of_deletion;
use crate::engine::{Engine, PAGE, TOGETHER};

/// So many violations that did not stay are searched for the request before that makes them stay.
const SEARCHES: usize = 12;

/// A violation with the smallest query that shows it.
#[derive(Clone, Debug)]
pub(super) struct Minimal {
    pub(super) list: usize,
    pub(super) query: Query,
    pub(super) aspect: Aspect,
    shape: ParameterCounts,
    /// Whether nothing is wrong on the first page of the answer.
    pub(super) is_on_later_pages: bool,
    /// The check that has failed.
    pub(super) check: &'static Check,
    pub(super) finding: Finding,
}

/// Looks at a violation again, and shrinks the query. None if it did not stay, or if its check has failed before.
pub(super) async fn minimised(
    engine: &mut Engine,
    list: usize,
    known: &Known,
    (query, aspect): (&Query, Aspect),
    unsteady: &mut Unsteady,
) -> Result<Option<Minimal>, TargetError> {
    let facts = &known.facts;
    let mut query = query.clone();
    let mut keeps_after = false;
    match engine.judge(&case(engine, list, facts, &query, aspect)).await? {
        CaseResult::Pass => return Ok(None),
        CaseResult::Moving(what, places) => {
            unsteady.seen.push(what);
            unsteady.moving.extend(places);
            return Ok(None);
        }
        CaseResult::Flaky(what) if unsteady.seen.len() < SEARCHES => {
            let Some(after) = after_another(engine, list, facts, (&query, aspect)).await? else {
                let finding = now_and_then::finding(engine, list, facts, (&query, aspect)).await?;
                if finding.is_none() {
                    unsteady.seen.push(what);
                }
                return Ok(finding.map(|finding| Minimal {
                    list,
                    shape: ParameterCounts::of(engine.list(list), &query),
                    is_on_later_pages: false,
                    query,
                    aspect,
                    check: engine.catalogue.of_disturbance(),
                    finding,
                }));
            };
            query = after;
            keeps_after = true;
        }
        CaseResult::Flaky(_) => return Ok(None),
        CaseResult::Fail(_) => {}
    }
    let smallest = shrink(engine, list, facts, (&query, aspect), keeps_after).await?;
    let (mut shown, aspect) = by_telling_value(engine, list, known, (smallest, aspect)).await?;
    let mut case_result = engine.judge(&case(engine, list, facts, &shown, aspect)).await?;
    if !matches!(case_result, CaseResult::Fail(_)) {
        shown.clone_from(&query);
        case_result = engine.judge(&case(engine, list, facts, &shown, aspect)).await?;
    }
    let CaseResult::Fail(mut finding) = case_result else {
        return Ok(None);
    };
    let check = failed_check(engine, list, known, (&shown, aspect)).await?;
    let shape = ParameterCounts::of(engine.list(list), &shown);
    invalidate(engine, list, (&shown, aspect, shape), check).await?;
    finding.clause = match (shown.filters.first(), shape.is_single()) {
        (Some((filter, _)), true) => filter.clause.clone(),
        _ => Clause::of_check(check.clause),
    };
    if aspect == Aspect::Deleted {
        finding.suspects = of_deletion(&engine.list(list).spec);
    }
    Ok(Some(Minimal {
        list,
        is_on_later_pages: is_on_later_pages(engine, list, facts, (&shown, aspect)).await?,
        query: shown,
        aspect,
        shape,
        check,
        finding: *finding,
    }))
}

/// Whether nothing is wrong on the first page of an answer that has several.
async fn is_on_later_pages(
    engine: &mut Engine,
    list: usize,
    facts: &Facts,
    (query, aspect): (&Query, Aspect),
) -> Result<bool, TargetError> {
    let answer = engine.ask(list, &query.request(engine.list(list))).await?;
    let Some(first) = answer.reading().and_then(Pages::first_page) else {
        return Ok(false);
    };
    let violations = judge(facts, engine.list(list), query, &ListResponse::Records(first));
    Ok(violations
        .iter()
        .all(|violation| !violation.aspect.is_like(aspect)))
}

/// Notes what other checks cannot rely on where a violation shows that: a parameter, pages, filters together.
async fn invalidate(
    engine: &mut Engine,
    list: usize,
    (query, aspect, shape): (&Query, Aspect, ParameterCounts),
    check: &'static Check,
) -> Result<(), TargetError> {
    let forgets_filters =
        check.id == engine.catalogue.of_filtered_pages().id && query.page.is_none() && query.sort.is_empty();
    let is_bare = query.uses().is_empty() && query.page.is_none();
    let loses_records = is_bare && aspect == Aspect::Missing && {
        let answer = engine.ask(list, &query.request(engine.list(list))).await?;
        answer.reading().is_some_and(|reading| reading.asked > 1)
    };
    if forgets_filters || loses_records {
        engine.invalidate(list, PAGE, check.id);
    }
    if shape.filters > 1 && aspect == Aspect::Alien && shape.sort + shape.include + shape.page == 0 {
        engine.invalidate(list, TOGETHER, check.id);
    }
    if shape.is_single() && !query.is_disturbed() {
        // The filter or the member may be wrong.
        let filters = query.filters.iter().map(|(filter, _)| filter);
        let filters = filters.filter(|filter| !filter.is_identifier());
        let places = filters.flat_map(|filter| &filter.places).map(ToString::to_string);
        for one in query.uses().into_iter().chain(places) {
            engine.invalidate(list, &one, check.id);
        }
    }
    Ok(())
}

impl Minimal {
    /// How many parameters the query has.
    pub(super) fn size(&self) -> usize {
        self.query.uses().len()
            + self.shape.page
            + self.query.headers.len()
            + usize::from(self.query.spelling != Spelling::Usual)
            + usize::from(self.query.after.is_some())
    }

    /// Whether this violation explains another one, of a larger query: the query has all its parameters, or parameters of
    /// the same kinds where several of them are needed.
    pub(super) fn explains(&self, list: &ListCorpus, query: &Query, aspect: Aspect) -> bool {
        let uses: BTreeSet<String> = query.uses().into_iter().collect();
        let has_all = self.query.uses().iter().all(|one| uses.contains(one));
        let is_alike = !self.shape.is_single() && self.shape.is_in(ParameterCounts::of(list, query));
        let has_header = self
            .query
            .headers
            .iter()
            .all(|header| query.headers.contains(header))
            && (self.query.spelling == Spelling::Usual || self.query.spelling == query.spelling)
            && (self.query.after.is_none() || self.query.after == query.after);
        // What goes wrong with an odd value tells nothing of a plain one.
        let is_plain_too = self.query.filters.iter().all(|(filter, value)| {
            let mut others = query
                .filters
                .iter()
                .filter(|(other, _)| other.name == filter.name);
            is_plain(value) || others.all(|(_, other)| !is_plain(other))
        });
        self.aspect.is_like(aspect)
            && has_header
            && is_plain_too
            && (has_all && self.shape.page <= usize::from(query.page.is_some()) || is_alike)
    }
}
