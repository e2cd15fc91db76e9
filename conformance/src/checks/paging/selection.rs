//! A page by its number, asked for once and again (G2, G6).

use std::sync::Arc;

use super::cursor;
use super::pages::{PAGE, Paged, long, paged};
use crate::case::{Accusation, Case};
use crate::checks::Looking;
use crate::checks::sort::sortable;
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::Listed;
use crate::next_page::next_link;
use crate::outcome::{Settled, Tally};
use crate::query::Query;
use crate::target::Trouble;

/// How often a page is asked for again.
const TIMES: usize = 4;

pub(super) fn select<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in long(context, tally).await? {
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
        let by_cursor = cursor::long(context).into_iter();
        cases.extend(by_cursor.map(|list| cursor::leads_on(context, list)));
        context.settle(cases, tally).await?;
        Ok(())
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
        format!("{}page={}", keys.concat(), surveyed.paging.number(page))
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
    let (base, paging) = (&context.target.config().base_url, &context.list(list).paging);
    let Some(next) = next_link(answer.exchange(), paging, base).filter(|link| link.repeats) else {
        return Ok(None);
    };
    let next = next.request.for_one_page();
    let second = Query::default().on_page(2).request(context.list(list));
    let judge = |answers: &[Arc<Listed>], _: &Surveyed| unlike(answers, "the second page, as by its number");
    let case = Case::new(list, "the link to the next page", vec![second, next], judge);
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

pub(super) fn repeat<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for paged in paged(context, tally).await? {
            if paged.by_cursor {
                continue;
            }
            if let Some(check) = context.failed(paged.list, PAGE) {
                tally.failed_before(format!("{PAGE} failed {check}"));
                continue;
            }
            let settled = again(context, &paged).await?;
            tally.settle(settled);
        }
        Ok(())
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
    let list = context.list(paged.list);
    let about = format!("{} page={}", list.subject.name(), list.paging.number(2));
    let evidence = pair.iter().map(|answer| context.evidence(answer)).collect();
    let told = (accusation.expected, accusation.actual);
    Ok(Settled::Wrong(Box::new(context.finding(about, told, evidence))))
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
