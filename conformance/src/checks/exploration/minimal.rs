//! A violation and the smallest query that shows it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::classify::{Shape, check};
use super::domain::Known;
use super::explore::rests_on_failed_pages;
use super::one_filter::of_shown_value;
use crate::case::Case;
use crate::checks::{asking, find};
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::finding::{Clause, Finding};
use crate::listing::{Listed, Reading};
use crate::moment;
use crate::oracle::{Aspect, Facts, judge};
use crate::outcome::Settled;
use crate::query::Query;
use crate::sample::is_plain;
use crate::target::Trouble;

/// So many values that tell much are tried in the place of one that tells less.
const TELLING: usize = 3;

/// A violation with the smallest query that shows it.
#[derive(Clone, Debug)]
pub(super) struct Minimal {
    pub(super) list: usize,
    pub(super) query: Query,
    pub(super) aspect: Aspect,
    shape: Shape,
    /// The number of the check that has failed.
    pub(super) check: &'static str,
    pub(super) finding: Finding,
}

/// Looks at a violation again, and shrinks the query. None if it did not stay, or if its check has failed before.
pub(super) async fn settle(
    context: &mut Context,
    list: usize,
    known: &Known,
    (query, aspect): (&Query, Aspect),
    moved: &mut Vec<String>,
) -> Result<Option<Minimal>, Trouble> {
    let facts = &known.facts;
    match context.judge(&case(context, list, facts, query, aspect)).await? {
        Settled::Right => return Ok(None),
        Settled::Moved(what) => {
            moved.push(what);
            return Ok(None);
        }
        Settled::Wrong(_) => {}
    }
    let smallest = shrink(context, list, facts, (query, aspect)).await?;
    let (mut shown, aspect) = by_telling_value(context, list, known, (smallest, aspect)).await?;
    let mut settled = context.judge(&case(context, list, facts, &shown, aspect)).await?;
    if !matches!(settled, Settled::Wrong(_)) {
        shown = query.clone();
        settled = context.judge(&case(context, list, facts, &shown, aspect)).await?;
    }
    let Settled::Wrong(mut finding) = settled else {
        return Ok(None);
    };
    let check = failed_check(context, list, known, (&shown, aspect)).await?;
    let shape = Shape::of(context.list(list), &shown);
    finding.clause = match (shown.filters.first(), shape.is_single()) {
        (Some((filter, _)), true) => filter.clause.clone(),
        _ => find(check).map_or(finding.clause, |check| Clause::of_check(check.clause)),
    };
    if shape.is_single() && shown.header.is_none() && shown.after.is_none() {
        for parameter in shown.uses() {
            context.discredit(list, &parameter, check);
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

/// The number of the check that a minimal query fails. Where the same question in another spelling is answered rightly, it
/// is the check of that spelling; where a second key has displaced the first, the check of their precedence; where an order
/// has displaced a filter, the check of both.
async fn failed_check(
    context: &mut Context,
    list: usize,
    known: &Known,
    (query, aspect): (&Query, Aspect),
) -> Result<&'static str, Trouble> {
    let facts = &known.facts;
    let request = query.request(context.list(list));
    let answer = context.ask(list, &request).await?;
    let id = check(context.list(list), &known.domain, (query, aspect), &answer);
    if id == "O4" && aspect == Aspect::Order {
        let mut by_first = query.clone();
        by_first.sort.truncate(1);
        let violations = judge(facts, context.list(list), &by_first, &answer);
        let is_first_lost = violations.iter().any(|one| one.aspect == Aspect::Order);
        return Ok(if is_first_lost { "O5" } else { id });
    }
    if id == "G5" && query.page.is_none() {
        let mut unfiltered = query.clone();
        unfiltered.filters.clear();
        let request = unfiltered.request(context.list(list));
        let others = context.ask(list, &request).await?;
        let is_lost = |(one, other): (&Reading, &Reading)| one.ids() == other.ids();
        let is_lost = answer.reading().zip(others.reading()).is_some_and(is_lost);
        return Ok(if is_lost { "O7" } else { id });
    }
    let Some((respelled, if_wrong, if_right)) = respelled(context.list(list), id, query) else {
        return Ok(id);
    };
    let request = respelled.request(context.list(list));
    let answer = context.ask(list, &request).await?;
    let violations = judge(facts, context.list(list), &respelled, &answer);
    let is_wrong = violations
        .iter()
        .any(|violation| violation.aspect.is_like(aspect));
    Ok(if is_wrong { if_wrong } else { if_right })
}

/// A query that tells two checks apart, the check that has failed if its answer is wrong, and the check that has failed if
/// its answer is right. The
/// same question in another spelling (relations in the opposite order, a timestamp in the form of ISO 8601), or one for a
/// value without sense.
fn respelled(
    list: &Surveyed,
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
        "I8" if query.include.len() > 1 => {
            other.include.reverse();
            Some((other, id, "I9"))
        }
        "D1" | "D2" | "D3" => {
            let (_, value) = other.filters.first_mut()?;
            *value = moment::read(value)?.to_string();
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
        let has_pages = context.list(list).paging.page.is_some();
        let smaller = smallest.smaller().into_iter();
        for smaller in smaller.filter(|query| has_pages || query.page.is_none()) {
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

/// The same question for a value of its only filter that tells more, if the answer to that is wrong in the same way.
async fn by_telling_value(
    context: &mut Context,
    list: usize,
    known: &Known,
    (query, aspect): (Query, Aspect),
) -> Result<(Query, Aspect), Trouble> {
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
        let answer = context.ask(list, &other.request(context.list(list))).await?;
        let violations = judge(&known.facts, context.list(list), &other, &answer);
        let mut aspects = violations.iter().map(|one| one.aspect);
        if let Some(like) = aspects.find(|one| one.is_like(aspect)) {
            return Ok((other, like));
        }
    }
    Ok((query, aspect))
}

/// A query whose answer is wrong in one way.
fn case(context: &Context, list: usize, facts: &Arc<Facts>, query: &Query, aspect: Aspect) -> Case {
    let request = query.request(context.list(list));
    let references: Vec<Look> = match aspect {
        Aspect::Relation(_) => {
            let references = facts.references.iter().chain([&facts.with_deleted]);
            references.flatten().cloned().collect()
        }
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
    pub(super) fn size(&self) -> usize {
        self.query.uses().len()
            + self.shape.page
            + usize::from(self.query.header.is_some())
            + usize::from(self.query.after.is_some())
    }

    /// Whether this violation explains another one, of a larger query: the query has all its parameters, or parameters of
    /// the same kinds where several of them are needed.
    pub(super) fn explains(&self, list: &Surveyed, query: &Query, aspect: Aspect) -> bool {
        let uses: BTreeSet<String> = query.uses().into_iter().collect();
        let has_all = self.query.uses().iter().all(|one| uses.contains(one));
        let is_alike = !self.shape.is_single() && self.shape.is_in(Shape::of(list, query));
        let has_header = (self.query.header.is_none() || self.query.header == query.header)
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
