//! A violation and the smallest query that shows it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::classify::{ParameterCounts, check};
use super::domain::Known;
use super::explore::rests_on_failed_pages;
use super::one_filter::of_shown_value;
use crate::checks::{cases, find, preceding};
use crate::corpus::clause::Clause;
use crate::corpus::listing::{ListResponse, Pages, identity};
use crate::corpus::query::Query;
use crate::corpus::timestamp;
use crate::corpus::{ListCorpus, Projection};
use crate::engine::case::Case;
use crate::engine::finding::Finding;
use crate::engine::outcome::CaseResult;
use crate::engine::{Engine, PAGE, TOGETHER};
use crate::http::request::Request;
use crate::http::target::TargetError;
use crate::oracle::{Aspect, Facts, judge};
use crate::plan::sample::is_plain;

/// So many values that tell much are tried in the place of one that tells less.
const TELLING: usize = 3;

/// So many violations that did not stay are searched for the request before that makes them stay.
const SEARCHES: usize = 12;

/// A violation with the smallest query that shows it.
#[derive(Clone, Debug)]
pub(super) struct Minimal {
    pub(super) list: usize,
    pub(super) query: Query,
    pub(super) aspect: Aspect,
    shape: ParameterCounts,
    /// The number of the check that has failed.
    pub(super) check: &'static str,
    pub(super) finding: Finding,
}

/// Looks at a violation again, and shrinks the query. None if it did not stay, or if its check has failed before.
pub(super) async fn run_cases(
    engine: &mut Engine,
    list: usize,
    known: &Known,
    (query, aspect): (&Query, Aspect),
    moved: &mut Vec<String>,
) -> Result<Option<Minimal>, TargetError> {
    let facts = &known.facts;
    let mut query = query.clone();
    let mut keeps_after = false;
    match engine.judge(&case(engine, list, facts, &query, aspect)).await? {
        CaseResult::Pass => return Ok(None),
        CaseResult::Flaky(what) if moved.len() < SEARCHES => {
            let Some(after) = after_another(engine, list, facts, (&query, aspect)).await? else {
                moved.push(what);
                return Ok(None);
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
    invalidate_for_others(engine, list, (&shown, aspect, shape), check).await?;
    finding.clause = match (shown.filters.first(), shape.is_single()) {
        (Some((filter, _)), true) => filter.clause.clone(),
        _ => find(check).map_or(finding.clause, |check| Clause::of_check(check.clause)),
    };
    if shape.is_single() && shown.headers.is_empty() && shown.after.is_none() {
        for parameter in shown.uses() {
            engine.invalidate(list, &parameter, check);
        }
    }
    Ok(Some(Minimal {
        list,
        query: shown,
        aspect,
        shape,
        check,
        finding: *finding,
    }))
}

/// Notes that other checks cannot rely on pages or on filters together, where a violation shows that.
async fn invalidate_for_others(
    engine: &mut Engine,
    list: usize,
    (query, aspect, shape): (&Query, Aspect, ParameterCounts),
    check: &'static str,
) -> Result<(), TargetError> {
    let forgets_filters = check == "G5" && query.page.is_none() && query.sort.is_empty();
    let is_bare = query.uses().is_empty() && query.page.is_none();
    let loses_records = is_bare && aspect == Aspect::Missing && {
        let answer = engine.ask(list, &query.request(engine.list(list))).await?;
        answer.reading().is_some_and(|reading| reading.asked > 1)
    };
    if forgets_filters || loses_records {
        engine.invalidate(list, PAGE, check);
    }
    if shape.filters > 1 && aspect == Aspect::Alien && shape.sort + shape.include + shape.page == 0 {
        engine.invalidate(list, TOGETHER, check);
    }
    Ok(())
}

/// A query that was answered wrongly and then was not, sent right after another request that makes its answer wrong every
/// time.
async fn after_another(
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

/// The number of the check that a minimal query fails. Where the same question in another spelling is answered rightly, it
/// is the check of that spelling; where a second key has displaced the first, the check of their precedence; where an order
/// has displaced a filter, the check of both.
async fn failed_check(
    engine: &mut Engine,
    list: usize,
    known: &Known,
    (query, aspect): (&Query, Aspect),
) -> Result<&'static str, TargetError> {
    let facts = &known.facts;
    let request = query.request(engine.list(list));
    let answer = engine.ask(list, &request).await?;
    let id = check(engine.list(list), &known.domain, (query, aspect), &answer);
    if aspect == Aspect::Alien && forgets_filters(engine, list, query, &answer).await? {
        return Ok("G5");
    }
    if id == "T2" && aspect == Aspect::Alien {
        // The list without the word has the same soft-deleted records: it behaves as the default.
        let bare = engine
            .ask(list, &Query::default().request(engine.list(list)))
            .await?;
        let ids = |answer: &ListResponse| -> BTreeSet<String> {
            let records = answer.reading().into_iter().flat_map(|reading| &reading.records);
            records.map(|record| identity(record)).collect()
        };
        return Ok(if ids(&bare).is_superset(&ids(&answer)) {
            "T1"
        } else {
            id
        });
    }
    if id == "O4" && aspect == Aspect::Order {
        let mut by_first = query.clone();
        by_first.sort.truncate(1);
        let violations = judge(facts, engine.list(list), &by_first, &answer);
        let is_first_lost = violations.iter().any(|one| one.aspect == Aspect::Order);
        return Ok(if is_first_lost { "O5" } else { id });
    }
    // Keys in mixed directions cannot be right where keys in one direction are wrong.
    let is_mixed = id == "O6";
    let mut basic = ["O4", "O5"].into_iter();
    if let Some(basic) = basic.find(|basic| is_mixed && engine.failing.contains(basic)) {
        return Ok(basic);
    }
    if id == "G5" && query.page.is_none() {
        let mut unfiltered = query.clone();
        unfiltered.filters.clear();
        let request = unfiltered.request(engine.list(list));
        let others = engine.ask(list, &request).await?;
        let is_lost = |(one, other): (&Pages, &Pages)| one.ids() == other.ids();
        let is_lost = answer.reading().zip(others.reading()).is_some_and(is_lost);
        return Ok(if is_lost { "O7" } else { id });
    }
    let Some((respelled, if_wrong, if_right)) = respelled(engine.list(list), id, query) else {
        return Ok(id);
    };
    let request = respelled.request(engine.list(list));
    let answer = engine.ask(list, &request).await?;
    let violations = judge(facts, engine.list(list), &respelled, &answer);
    // Of two relations the other one may be lost now, in another form.
    let is_relation = |aspect| matches!(aspect, Aspect::Relation(_));
    let is_wrong = violations.iter().any(|violation| {
        violation.aspect.is_like(aspect) || is_relation(violation.aspect) && is_relation(aspect)
    });
    Ok(if is_wrong { if_wrong } else { if_right })
}

/// Whether the pages of an answer after the first are the last ones of the same list without filters.
async fn forgets_filters(
    engine: &mut Engine,
    list: usize,
    query: &Query,
    answer: &ListResponse,
) -> Result<bool, TargetError> {
    let Some(reading) = answer.reading() else {
        return Ok(false);
    };
    let first_page = reading.on_first_page().count();
    if query.filters.is_empty() || first_page == reading.records.len() {
        return Ok(false);
    }
    let mut unfiltered = query.clone();
    unfiltered.filters.clear();
    let others = engine.ask(list, &unfiltered.request(engine.list(list))).await?;
    let ids = reading.ids_in_order().unwrap_or_default();
    let all = others.reading().and_then(Pages::ids_in_order).unwrap_or_default();
    Ok(ids.len() > first_page && all.ends_with(&ids[first_page..]))
}

/// A query that tells two checks apart, the check that has failed if its answer is wrong, and the check that has failed if
/// its answer is right. The same question in another spelling (relations in the opposite order, a timestamp in the form of
/// ISO 8601), keys in one direction in place of two, or a value without sense.
fn respelled(
    list: &ListCorpus,
    id: &'static str,
    query: &Query,
) -> Option<(Query, &'static str, &'static str)> {
    let mut other = query.clone();
    match id {
        "E4" => {
            let (filter, value) = other.filters.first_mut()?;
            let shown = of_shown_value(list, filter, true);
            *value = without_sense(value);
            Some((other, id, shown))
        }
        "O6" => {
            let descending = other.sort.first()?.descending;
            other.sort.iter_mut().for_each(|key| key.descending = descending);
            Some((other, "O4", id))
        }
        "I8" if query.include.len() > 1 => {
            other.include.reverse();
            Some((other, id, "I9"))
        }
        "D1" | "D2" | "D3" => {
            let (_, value) = other.filters.first_mut()?;
            *value = timestamp::read(value)?.to_string();
            (other != *query).then_some((other, id, "D9"))
        }
        "E3" | "E10" | "X6" => {
            let (_, value) = other.filters.first_mut()?;
            *value = without_sense(value);
            Some((other, if id == "X6" { "X5" } else { "E4" }, id))
        }
        _ => None,
    }
}

/// A value of the same form that nobody has: the beginning up to a low line, and letters without sense.
fn without_sense(value: &str) -> String {
    let parts = value
        .split_once('_')
        .filter(|(prefix, _)| prefix.chars().all(char::is_alphanumeric));
    let (prefix, rest) = parts.unwrap_or(("", value));
    let letters = "qxzjvq7xkwzq".chars().cycle();
    let prefix = if prefix.is_empty() {
        String::new()
    } else {
        format!("{prefix}_")
    };
    prefix + &letters.take(rest.chars().count().max(12)).collect::<String>()
}

/// The smallest query whose answer is wrong in the same way. With `keeps_after` it is sent right after the same request:
/// without it the answer is right, whatever came first.
async fn shrink(
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
            let request = smaller.request(engine.list(list));
            let answer = engine.ask(list, &request).await?;
            if rests_on_failed_pages(engine, list, &answer) {
                continue;
            }
            let violations = judge(facts, engine.list(list), &smaller, &answer);
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

/// The same question for a value of its only filter that tells more, if the answer to that is wrong in the same way.
async fn by_telling_value(
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

/// A query whose answer is wrong in one way.
fn case(engine: &Engine, list: usize, facts: &Arc<Facts>, query: &Query, aspect: Aspect) -> Case {
    let request = query.request(engine.list(list));
    let references: Vec<Projection> = match aspect {
        Aspect::Relation(_) => {
            let references = facts.references.iter().chain([&facts.with_deleted]);
            references.flatten().cloned().collect()
        }
        _ => Vec::new(),
    };
    let projections = cases::projections(query).into_iter().chain(references);
    let page = query
        .page
        .map(|page| format!("page={}", engine.list(list).paging.number(page)));
    let headers = query.headers.iter().map(|(name, _)| format!("the header {name}"));
    let uses: Vec<String> = query.uses().into_iter().chain(page).chain(headers).collect();
    let mut about = match uses.is_empty() {
        true => "without parameters".to_owned(),
        false => uses.join(" and "),
    };
    if let Some(preceding) = &query.after {
        about = format!("{about}, {}", preceding.what);
    }
    let (facts, query) = (Arc::clone(facts), query.clone());
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let violations = judge(&facts, list, &query, &answers[0]).into_iter();
        let mut like = violations.filter(|violation| violation.aspect.is_like(aspect));
        like.next().map(|violation| violation.violation)
    };
    Case::new(list, about, vec![request], judge).seen_in(projections)
}

impl Minimal {
    /// How many parameters the query has.
    pub(super) fn size(&self) -> usize {
        self.query.uses().len()
            + self.shape.page
            + self.query.headers.len()
            + usize::from(self.query.after.is_some())
    }

    /// The odd characters of the values of the query, each with its filter: none that ids, addresses and timestamps have; and
    /// a zero that a value begins with.
    pub(super) fn signs(&self) -> impl Iterator<Item = (char, String)> + '_ {
        self.query.filters.iter().flat_map(|(filter, value)| {
            let is_odd = |sign: &char| !sign.is_alphanumeric() && !" -_.@:/".contains(*sign);
            let zero = value
                .strip_prefix('0')
                .filter(|rest| !rest.is_empty())
                .map(|_| '0');
            let odd = value.chars().filter(is_odd).chain(zero);
            odd.map(|sign| (sign, filter.name.clone()))
        })
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
