//! One page and the next (G1 to G6).

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Match, Role};
use serde_json::Value;

use super::Looking;
use super::asking::filters;
use super::directions::out_of_order;
use super::sets::common;
use super::sortable::{self, lists};
use super::values::chosen;
use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::finding::Finding;
use crate::listing::{Listed, identity, next_link};
use crate::oracle;
use crate::order::{Key, SortField};
use crate::outcome::{Settled, Tally};
use crate::query::{Query, sorting};
use crate::request::Request;
use crate::target::Trouble;

/// So many pages from the first are looked at; then the last two.
const FIRST: usize = 4;
/// How often a page is asked for again.
const TIMES: usize = 4;

/// A list that has several pages, with a field that gives it one order and no other.
struct Paged {
    list: usize,
    field: SortField,
    pages: usize,
}

/// The lists that have several pages, which are asked for by number.
async fn long(context: &mut Context, tally: &mut Tally) -> Result<Vec<usize>, Trouble> {
    let mut long = Vec::new();
    for list in lists(context) {
        let surveyed = context.list(list);
        let name = surveyed.subject.name().to_owned();
        if surveyed.live().count() <= surveyed.paging.at_least
            || surveyed.subject.parameter(Role::Page).is_none()
        {
            tally.gap(format!("{name}: more records than fit on a page"));
            continue;
        }
        let second = Query::default().on_page(2).request(surveyed);
        match context.ask(list, &second).await?.as_ref() {
            Listed::Refused(exchange) if exchange.is_refusal() => {
                tally.absent(format!("{name}: pages by number"));
            }
            _ => long.push(list),
        }
    }
    Ok(long)
}

/// Those of them that have a field by which no two records are the same.
async fn paged(context: &mut Context, tally: &mut Tally) -> Result<Vec<Paged>, Trouble> {
    let mut paged = Vec::new();
    for list in long(context, tally).await? {
        let sortable = sortable::of(context, list).await?;
        let surveyed = context.list(list);
        let live: Vec<&Value> = surveyed.live().map(|(_, record)| record).collect();
        let fields = sortable.sorting.iter().map(|(field, _)| field);
        let usable = fields.filter(|field| context.failed(list, &sorting(&field.name)).is_none());
        let mut unique = usable.filter(|field| sortable::distinct(field, &live) == live.len());
        let Some(field) = unique
            .clone()
            .find(|field| field.is_strict())
            .or_else(|| unique.next())
        else {
            let name = surveyed.subject.name();
            tally.gap(format!("{name}: a sort field that is different for every record"));
            continue;
        };
        paged.push(Paged {
            list,
            field: field.clone(),
            pages: live.len().div_ceil(surveyed.paging.at_least),
        });
    }
    Ok(paged)
}

impl Paged {
    /// Each page that is looked at together with the next, in both directions.
    fn neighbours(&self) -> Vec<(bool, usize)> {
        let last = self.pages.saturating_sub(1);
        let first = (1..=last).filter(|page| *page < FIRST || *page == last);
        first.flat_map(|page| [(false, page), (true, page)]).collect()
    }

    fn key(&self, descending: bool) -> String {
        format!("{}{}", if descending { "-" } else { "" }, self.field.name)
    }

    fn page(&self, context: &Context, descending: bool, page: usize) -> Request {
        let query = Query::default().sorted(&[&self.key(descending)]).on_page(page);
        query.request(context.list(self.list))
    }

    /// A rule about a page and the next.
    fn case(
        &self,
        context: &Context,
        (descending, page): (bool, usize),
        judge: impl Fn(&[Arc<Listed>], &Surveyed) -> Option<Accusation> + Send + Sync + 'static,
    ) -> Case {
        let pages = [page, page + 1].map(|page| self.page(context, descending, page));
        let about = format!("sort={} page={}", self.key(descending), page + 1);
        Case::new(self.list, (about, "§4.4.8"), pages.into(), judge)
            .resting_on([sorting(&self.field.name), PAGE.to_owned()])
            .discrediting([PAGE.to_owned()])
    }
}

/// How the account of what failed calls paging.
const PAGE: &str = "page";

pub(super) fn select(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        let mut cases = Vec::new();
        for list in long(context, &mut tally).await? {
            let sortable = sortable::of(context, list).await?;
            let mut queries = Vec::new();
            if context.list(list).paging.stable {
                queries.push(Query::default());
            }
            queries.extend(
                sortable
                    .sorting
                    .first()
                    .map(|(field, _)| Query::default().sorted(&[&field.name])),
            );
            for query in queries {
                cases.extend(selected(context, list, &query));
            }
            if context.list(list).paging.stable {
                cases.extend(linked(context, list).await?);
            }
        }
        context.settle(cases, &mut tally).await?;
        Ok(tally)
    })
}

/// The first page is what comes without a page, and the second is not the first.
fn selected(context: &Context, list: usize, query: &Query) -> [Case; 2] {
    let surveyed = context.list(list);
    let whole = Query {
        first_page: true,
        ..query.clone()
    };
    let [none, first, second] =
        [whole, query.clone().on_page(1), query.clone().on_page(2)].map(|query| query.request(surveyed));
    let size = surveyed.paging.at_least;
    let same = |answers: &[Arc<Listed>], _: &Surveyed| {
        let expected = "the first page, as without a page";
        unlike(answers, expected)
    };
    let other = move |answers: &[Arc<Listed>], list: &Surveyed| {
        let (one, other) = (answers[0].reading()?, answers[1].reading());
        let left = list.live().filter(|(id, _)| !one.ids().contains(id)).count();
        if left == 0 || one.records.len() > size {
            return None;
        }
        let expected = format!("a second page: the first leaves out {left} records");
        match other {
            Some(other) if other.records.is_empty() || other.ids().is_subset(&one.ids()) => {
                let mut accusation = Accusation::of_answer(expected, &answers[1]);
                accusation.actual = format!("{}, all of them from the first page", answers[1].describe());
                Some(accusation)
            }
            Some(_) => None,
            None => Some(Accusation::of_answer(expected, &answers[1])),
        }
    };
    let about = |page: usize| {
        let keys: Vec<_> = query.sort.iter().map(|key| format!("sort={key} ")).collect();
        (format!("{}page={page}", keys.concat()), "§4.4.8")
    };
    [
        Case::new(list, about(1), vec![none, first.clone()], same),
        Case::new(list, about(2), vec![first, second], other),
    ]
    .map(|case| case.resting_on(query.uses()).discrediting([PAGE.to_owned()]))
}

/// Where the first page links to the next, that is the second.
async fn linked(context: &mut Context, list: usize) -> Result<Option<Case>, Trouble> {
    let first = Query {
        first_page: true,
        ..Query::default()
    }
    .request(context.list(list));
    let answer = context.ask(list, &first).await?;
    let base = &context.target.config().base_url;
    let Some(next) = next_link(answer.exchange(), base).map(Request::for_one_page) else {
        return Ok(None);
    };
    let second = Query::default().on_page(2).request(context.list(list));
    let judge = |answers: &[Arc<Listed>], _: &Surveyed| unlike(answers, "the second page, as by its number");
    let case = Case::new(
        list,
        ("the link to the next page", "§4.4.8"),
        vec![second, next],
        judge,
    );
    Ok(Some(case.resting_on([PAGE.to_owned()])))
}

/// Two answers that do not hold the same records.
fn unlike(answers: &[Arc<Listed>], expected: &str) -> Option<Accusation> {
    let one = answers[0].reading()?;
    let Some(other) = answers[1].reading() else {
        return Some(Accusation::of_answer(expected, &answers[1]));
    };
    let (ours, theirs) = (one.ids(), other.ids());
    let different = ours
        .symmetric_difference(&theirs)
        .map(|id| (*id).to_owned())
        .collect();
    Accusation::of_records(different, expected, |names| format!("{names} in one answer only"))
}

pub(super) fn are_disjoint(context: &mut Context) -> Looking<'_> {
    Box::pin(neighbours(context, |_, answers, _, _| {
        common(&answers[0], &answers[1])
    }))
}

pub(super) fn are_sorted(context: &mut Context) -> Looking<'_> {
    Box::pin(neighbours(context, |field, answers, _, descending| {
        out_of_order(field, &shown(field, answers), descending)
    }))
}

pub(super) fn lose_nothing(context: &mut Context) -> Looking<'_> {
    Box::pin(neighbours(context, |field, answers, list, descending| {
        let shown = shown(field, answers);
        let ids: BTreeSet<&str> = shown.iter().map(|(id, _)| id.as_str()).collect();
        let ((_, first), (_, last)) = (shown.first()?, shown.last()?);
        let (low, high) = if descending { (last, first) } else { (first, last) };
        let within = |record: &Value| {
            let key = field.key(record);
            key.is_some_and(|key| {
                low.order(&key) == Some(Ordering::Less) && key.order(high) == Some(Ordering::Less)
            })
        };
        let live = list
            .live()
            .filter(|(id, record)| !ids.contains(id) && within(record));
        let lost = live.map(|(id, _)| id.to_owned()).collect();
        Accusation::of_records(
            lost,
            "every record between the first and the last of two pages",
            |names| format!("neither page has {names}"),
        )
        .map(Accusation::of_absence)
    }))
}

/// Looks into a rule about every page and the next.
async fn neighbours(
    context: &mut Context,
    judge: fn(&SortField, &[Arc<Listed>], &Surveyed, bool) -> Option<Accusation>,
) -> Result<Tally, Trouble> {
    let mut tally = Tally::default();
    let mut cases = Vec::new();
    for paged in paged(context, &mut tally).await? {
        for (descending, page) in paged.neighbours() {
            let field = paged.field.clone();
            cases.push(paged.case(context, (descending, page), move |answers, list| {
                judge(&field, answers, list, descending)
            }));
        }
    }
    context.settle(cases, &mut tally).await?;
    Ok(tally)
}

/// The records of several answers, one after the other, with what they show of a field.
fn shown(field: &SortField, answers: &[Arc<Listed>]) -> Vec<(String, Key)> {
    let readings = answers.iter().filter_map(|answer| answer.reading());
    let records = readings.flat_map(|reading| &reading.records);
    records
        .filter_map(|record| Some((identity(record), field.key(record)?)))
        .collect()
}

pub(super) fn keep_filters(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        let mut gaps = Tally::default();
        let mut cases = Vec::new();
        for paged in paged(context, &mut tally).await? {
            let list = context.list(paged.list);
            let size = list.paging.at_least;
            let mut queries: Vec<Query> = Vec::new();
            for matching in [Match::Exact, Match::Contains] {
                for filter in filters(context, matching, &mut gaps).await? {
                    let list = context.list(paged.list);
                    let values = chosen(context, &filter).into_iter();
                    let mut asked = values.map(|value| Query::by(&filter, value));
                    let long = asked.find(|query| oracle::expected(list, query).len() > size);
                    queries.extend(long.filter(|_| filter.list == paged.list));
                }
            }
            queries.truncate(3);
            if queries.is_empty() {
                tally.gap("a filter that finds more records than fit on a page");
            }
            for query in queries {
                let descending = query.clone().sorted(&[&paged.key(true)]);
                for query in [query, descending] {
                    cases.push(filtered(context, paged.list, query));
                }
            }
        }
        context.settle(cases, &mut tally).await?;
        Ok(tally)
    })
}

/// The second page of what a filter finds.
fn filtered(context: &Context, list: usize, query: Query) -> Case {
    let query = query.on_page(2);
    let request = query.request(context.list(list));
    let (uses, looks) = (query.uses(), super::asking::looks(&query));
    let about = format!("{} page=2", query.uses().join(" "));
    let judge = move |answers: &[Arc<Listed>], list: &Surveyed| oracle::strangers(list, &query, &answers[0]);
    Case::new(list, (about.clone(), "§4.4.8"), vec![request], judge)
        .resting_on(uses)
        .discrediting([about])
        .seen_in(looks)
        .needing("a filter that finds more records than fit on a page")
}

pub(super) fn repeat(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for paged in paged(context, &mut tally).await? {
            if let Some(check) = context.failed(paged.list, PAGE) {
                tally.failed_before(format!("{PAGE} failed {check}"));
                continue;
            }
            let settled = again(context, &paged).await?;
            tally.settle(settled);
        }
        Ok(tally)
    })
}

/// Asks for a page again and again. Data that moves may change it once, and not every time.
async fn again(context: &Context, paged: &Paged) -> Result<Settled, Trouble> {
    let request = paged.page(context, false, 2);
    let mut last = None;
    for round in 0..3 {
        let mut answers = Vec::new();
        for _ in 0..TIMES {
            answers.push(context.ask_again(paged.list, &request).await?);
        }
        let changed = answers
            .windows(2)
            .find_map(|pair| Some((unlike(pair, "the same records on the same page")?, pair.to_vec())));
        match changed {
            None if round == 0 => return Ok(Settled::Right),
            None => return Ok(Settled::Moved("a page changed once".to_owned())),
            Some(changed) => last = Some(changed),
        }
    }
    // What comes and goes elsewhere too is data that moves.
    let (Some((accusation, pair)), true) = (last, is_quiet(context, paged.list).await?) else {
        return Ok(Settled::Moved(
            "a page changes all the time, and so do others".to_owned(),
        ));
    };
    Ok(Settled::Wrong(Box::new(Finding {
        about: format!("{} page=2", context.list(paged.list).subject.name()),
        clause: "§4.4.8".to_owned(),
        expected: accusation.expected,
        actual: accusation.actual,
        evidence: pair.iter().map(|answer| context.evidence(answer)).collect(),
    })))
}

/// Whether the list without pages stays as it is.
async fn is_quiet(context: &Context, list: usize) -> Result<bool, Trouble> {
    let first = Query {
        first_page: true,
        ..Query::default()
    }
    .request(context.list(list));
    let mut answers = Vec::new();
    for _ in 0..TIMES {
        answers.push(context.ask_again(list, &first).await?);
    }
    let records = |answer: &Listed| answer.reading().map(|reading| reading.records.clone());
    Ok(answers
        .windows(2)
        .all(|pair| records(&pair[0]) == records(&pair[1])))
}
