//! Sends the queries of a plan, judges the answers, and shrinks each query whose answer is wrong to the smallest one that
//! shows it still.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::classify::{Shape, check};
use super::domain::survey;
use crate::case::Case;
use crate::checks::{HEADERS, PAGE, asking, find, preceding};
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::finding::{Clause, Finding};
use crate::listing::Listed;
use crate::moment;
use crate::oracle::{Aspect, Facts, judge};
use crate::outcome::{Settled, Tally};
use crate::plan::{Coverage, plan};
use crate::query::Query;
use crate::request::Request;
use crate::target::Trouble;

/// So many queries are planned for a list.
const QUERIES: usize = 200;
/// So many queries are sent before their answers are judged.
const WAVE: usize = 40;
/// So many violations of a list are shrunk: a target with more is mended step by step.
const VIOLATIONS: usize = 6;
/// The check that tells what looked wrong once.
const MOVED: &str = "K1";

/// What the exploration of all lists came to.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// What was found, with the number of the check that has failed.
    found: Vec<Revision>,
    /// How many queries each check of this section is about.
    queries: BTreeMap<&'static str, usize>,
    /// What looked wrong once.
    moved: Vec<String>,
    /// What the plans cover, list by list.
    pub(crate) coverage: Vec<(String, Coverage)>,
}

/// A violation that is of a check that may be done already.
#[derive(Clone, Debug)]
pub(crate) struct Revision {
    list: usize,
    minimal: Minimal,
    /// The number of the check.
    pub(crate) check: &'static str,
    /// The violation.
    pub(crate) finding: Finding,
}

/// A violation with the smallest query that shows it.
#[derive(Clone, Debug)]
struct Minimal {
    query: Query,
    aspect: Aspect,
    shape: Shape,
}

/// What the exploration came to; explores when it is asked for first.
pub(super) async fn of(context: &mut Context) -> Result<Arc<Explored>, Trouble> {
    if let Some(known) = &context.explored {
        return Ok(Arc::clone(known));
    }
    let mut explored = Explored::default();
    for list in context.readable() {
        explore(context, list, &mut explored).await?;
    }
    let own: BTreeSet<&str> = super::CHECKS.iter().map(|check| check.id).collect();
    let others = explored.found.iter().filter(|one| !own.contains(one.check));
    context.revisions.extend(others.cloned());
    let explored = Arc::new(explored);
    context.explored = Some(Arc::clone(&explored));
    Ok(explored)
}

impl Explored {
    /// Counts what was found for a check of this section.
    pub(super) fn tell(&self, id: &'static str, tally: &mut Tally) {
        tally.cases(self.queries.get(id).copied().unwrap_or_default());
        for one in self.found.iter().filter(|one| one.check == id) {
            tally.finding(one.finding.clone());
        }
        if id == MOVED {
            self.moved.iter().for_each(|what| tally.moved(what));
        }
    }
}

async fn explore(context: &mut Context, list: usize, explored: &mut Explored) -> Result<(), Trouble> {
    let (domain, facts) = survey(context, list).await?;
    let plan = plan(&domain, &mut context.choice("plan"), QUERIES);
    let name = context.list(list).subject.name().to_owned();
    explored.coverage.push((name, plan.coverage));
    let facts = Arc::new(facts);
    let trashed = context
        .list(list)
        .subject
        .with_trashed()
        .map(|(name, _)| name.to_owned());
    let hides_deleted = trashed.is_some_and(|name| context.failed(list, &name).is_none());
    let bare = Request::get(&context.list(list).subject.operation.path);
    let preceding = preceding(context, list, &bare);
    let mut known: Vec<Minimal> = Vec::new();
    let mut next = 0;
    for wave in plan.queries.chunks(WAVE) {
        let mut queries = wave.to_vec();
        for (index, query) in queries.iter_mut().enumerate() {
            // Every second query carries a header that must not matter, and a quarter of them is sent right after another.
            query.header = HEADERS.get(index % (HEADERS.len() * 2)).copied();
            if query.header.is_none() && index % 2 == 1 {
                query.after = Some(preceding[next % preceding.len()].clone());
                next += 1;
            }
            query.hides_deleted = hides_deleted && !concerns_deletion(context.list(list), query);
        }
        // What is sent right after another request is asked alone, so that nothing comes between.
        let wanted = queries
            .iter()
            .filter(|query| query.after.is_none())
            .map(|query| (list, query.request(context.list(list))));
        context.prefetch(wanted.collect()).await?;
        for query in queries {
            let answer = context.ask(list, &query.request(context.list(list))).await?;
            if rests_on_failed_pages(context, list, &answer) {
                continue;
            }
            let violations = judge(&facts, context.list(list), &query, &answer);
            if violations.is_empty() {
                count(context.list(list), &query, explored);
            }
            for violation in violations {
                let surveyed = context.list(list);
                let is_known = known
                    .iter()
                    .any(|known| known.explains(surveyed, &query, violation.aspect));
                if !is_known && known.len() < VIOLATIONS {
                    let minimal = settle(context, list, &facts, (&query, violation.aspect), explored).await?;
                    known.extend(minimal);
                }
            }
        }
    }
    // A query that could not be shrunk further may be explained by one that came later.
    let found = explored.found.clone();
    let surveyed = context.list(list);
    explored.found.retain(|one| {
        let minimal = &one.minimal;
        let mut others = found.iter().filter(|other| other.list == one.list);
        let is_explained = |other: &Revision| {
            other.minimal.size() < minimal.size()
                && other.minimal.explains(surveyed, &minimal.query, minimal.aspect)
        };
        one.list != list || !others.any(is_explained)
    });
    Ok(())
}

/// Whether a filter looks at the member that shows soft deletion: whether it lists soft-deleted records by itself is not
/// said.
fn concerns_deletion(list: &Surveyed, query: &Query) -> bool {
    let mark = list.subject.deletion_mark();
    let mut filters = query.filters.iter();
    filters.any(|(filter, _)| mark.is_some_and(|mark| filter.places.contains(mark)))
}

/// Whether an answer was read page by page, and paging has failed already.
fn rests_on_failed_pages(context: &Context, list: usize, answer: &Listed) -> bool {
    let is_paged = answer.reading().is_some_and(|reading| reading.asked > 1);
    is_paged && context.failed(list, PAGE).is_some()
}

/// Counts a query that was answered rightly for every check that it is about.
fn count(list: &Surveyed, query: &Query, explored: &mut Explored) {
    let shape = Shape::of(list, query);
    let conditions = shape.filters + shape.scopes;
    let dressed = [shape.sort, shape.include, shape.page]
        .iter()
        .filter(|part| **part > 0)
        .count();
    let is_empty = || crate::oracle::expected(list, query).is_empty();
    let about = [
        ("O7", conditions == 1 && shape.sort > 0),
        ("G5", conditions > 0 && shape.page > 0),
        ("K1", conditions > 1),
        ("K2", conditions > 2),
        ("K3", conditions > 1 && is_empty()),
        ("K4", conditions > 0 && dressed > 0),
        ("K5", conditions > 1 && dressed > 1),
        (
            "K6",
            shape.include > 0 && conditions + shape.sort + shape.page > 0,
        ),
        (
            "K7",
            shape.sort > 0 && conditions + shape.include + shape.page > 0,
        ),
    ];
    for (id, _) in about.into_iter().filter(|(_, is_about)| *is_about) {
        *explored.queries.entry(id).or_default() += 1;
    }
}

/// Looks at a violation again, and shrinks the query. None if it did not stay, or if its check has failed before.
async fn settle(
    context: &mut Context,
    list: usize,
    facts: &Arc<Facts>,
    (query, aspect): (&Query, Aspect),
    explored: &mut Explored,
) -> Result<Option<Minimal>, Trouble> {
    match context.judge(&case(context, list, facts, query, aspect)).await? {
        Settled::Right => return Ok(None),
        Settled::Moved(what) => {
            explored.moved.push(what);
            return Ok(None);
        }
        Settled::Wrong(_) => {}
    }
    let smallest = shrink(context, list, facts, (query, aspect)).await?;
    let mut shown = smallest;
    let mut settled = context.judge(&case(context, list, facts, &shown, aspect)).await?;
    if !matches!(settled, Settled::Wrong(_)) {
        shown = query.clone();
        settled = context.judge(&case(context, list, facts, &shown, aspect)).await?;
    }
    let Settled::Wrong(mut finding) = settled else {
        return Ok(None);
    };
    let minimal = Minimal {
        shape: Shape::of(context.list(list), &shown),
        aspect,
        query: shown,
    };
    let id = failed_check(context, list, facts, &minimal).await?;
    if !context.failing.contains(id) {
        finding.clause = match (minimal.query.filters.first(), minimal.shape.is_single()) {
            (Some((filter, _)), true) => filter.clause.clone(),
            _ => find(id).map_or(finding.clause, Clause::from),
        };
        explored.found.push(Revision {
            list,
            check: id,
            finding: *finding,
            minimal: minimal.clone(),
        });
    }
    Ok(Some(minimal))
}

/// The number of the check that a minimal query fails. Where the same question in another spelling is answered rightly, it
/// is the check of that spelling; where a second key has displaced the first, the check of their precedence.
async fn failed_check(
    context: &mut Context,
    list: usize,
    facts: &Facts,
    minimal: &Minimal,
) -> Result<&'static str, Trouble> {
    let id = check(context.list(list), &minimal.query, minimal.aspect);
    if id == "O4" && minimal.aspect == Aspect::Order {
        let answer = context
            .ask(list, &minimal.query.request(context.list(list)))
            .await?;
        let mut by_first = minimal.query.clone();
        by_first.sort.truncate(1);
        let violations = judge(facts, context.list(list), &by_first, &answer);
        let is_first_lost = violations.iter().any(|one| one.aspect == Aspect::Order);
        return Ok(if is_first_lost { "O5" } else { id });
    }
    let Some((respelled, check_of_spelling)) = respelled(id, &minimal.query) else {
        return Ok(id);
    };
    let request = respelled.request(context.list(list));
    let answer = context.ask(list, &request).await?;
    let violations = judge(facts, context.list(list), &respelled, &answer);
    let is_wrong = violations
        .iter()
        .any(|violation| violation.aspect.is_like(minimal.aspect));
    Ok(if is_wrong { id } else { check_of_spelling })
}

/// The same question in another spelling, with the check that says that both are the same: relations in the opposite order,
/// a timestamp in the form of ISO 8601.
fn respelled(id: &str, query: &Query) -> Option<(Query, &'static str)> {
    let mut other = query.clone();
    match id {
        "I8" if query.include.len() > 1 => {
            other.include.reverse();
            Some((other, "I9"))
        }
        "D1" | "D2" | "D3" => {
            let (_, value) = other.filters.first_mut()?;
            *value = moment::read(value)?.to_string();
            (other != *query).then_some((other, "D9"))
        }
        _ => None,
    }
}

/// The smallest query whose answer is wrong in the same way.
async fn shrink(
    context: &mut Context,
    list: usize,
    facts: &Arc<Facts>,
    (query, aspect): (&Query, Aspect),
) -> Result<Query, Trouble> {
    let mut smallest = query.clone();
    loop {
        let mut found = None;
        for smaller in smallest.smaller() {
            let request = smaller.request(context.list(list));
            let answer = context.ask(list, &request).await?;
            if rests_on_failed_pages(context, list, &answer) {
                continue;
            }
            let violations = judge(facts, context.list(list), &smaller, &answer);
            if violations
                .iter()
                .any(|violation| violation.aspect.is_like(aspect))
            {
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

/// A query whose answer is wrong in one way.
fn case(context: &Context, list: usize, facts: &Arc<Facts>, query: &Query, aspect: Aspect) -> Case {
    let request = query.request(context.list(list));
    let references: Vec<Look> = match aspect {
        Aspect::Relation(_) => facts.references.iter().flatten().cloned().collect(),
        _ => Vec::new(),
    };
    let looks = asking::looks(query).into_iter().chain(references);
    let page = query
        .page
        .map(|page| format!("page={}", context.list(list).paging.number(page)));
    let header = query.header.map(|(name, _)| format!("the header {name}"));
    let uses: Vec<String> = query.uses().into_iter().chain(page).chain(header).collect();
    let mut about = match uses.is_empty() {
        true => "without parameters".to_owned(),
        false => uses.join(" and "),
    };
    if let Some(preceding) = &query.after {
        about = format!("{about}, {}", preceding.what);
    }
    let (facts, query) = (Arc::clone(facts), query.clone());
    let judge = move |answers: &[Arc<Listed>], list: &Surveyed| {
        let violations = judge(&facts, list, &query, &answers[0]).into_iter();
        let mut like = violations.filter(|violation| violation.aspect.is_like(aspect));
        like.next().map(|violation| violation.accusation)
    };
    Case::new(list, about, vec![request], judge).seen_in(looks)
}

impl Minimal {
    /// How many parameters the query has.
    fn size(&self) -> usize {
        self.query.uses().len()
            + self.shape.page
            + usize::from(self.query.header.is_some())
            + usize::from(self.query.after.is_some())
    }

    /// Whether this violation explains another one, of a larger query: the query has all its parameters, or parameters of
    /// the same kinds where several of them are needed.
    fn explains(&self, list: &Surveyed, query: &Query, aspect: Aspect) -> bool {
        let uses: BTreeSet<String> = query.uses().into_iter().collect();
        let has_all = self.query.uses().iter().all(|one| uses.contains(one));
        let is_alike = !self.shape.is_single() && self.shape.is_in(Shape::of(list, query));
        let has_header = (self.query.header.is_none() || self.query.header == query.header)
            && (self.query.after.is_none() || self.query.after == query.after);
        self.aspect.is_like(aspect)
            && has_header
            && (has_all && self.shape.page <= usize::from(query.page.is_some()) || is_alike)
    }
}
