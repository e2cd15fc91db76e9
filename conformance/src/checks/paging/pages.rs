//! One page and the next (G1, G3, G4).

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::Role;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::order::SortField;
use rollcall_oracle::corpus::query::{Query, sorting};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Law, Violation};
use serde_json::Value;

use super::cursor;
use super::paged::{Neighbours, Paged};
use crate::checks::CheckFuture;
use crate::discovery::sorting::{self, disorder, lists, sort_keys};
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::engine::{Engine, PAGE};

/// So many pages from the first are looked at; then the last two.
const FIRST: usize = 4;

/// The lists that have several pages, which are asked for by number.
pub(super) async fn long(engine: &mut Engine, result: &mut CheckResult) -> Result<Vec<usize>, TargetError> {
    let mut long = Vec::new();
    for list in lists(engine) {
        let list_corpus = engine.list(list);
        let name = list_corpus.spec.name().to_owned();
        if list_corpus.paging.cursor.is_some() {
            continue;
        }
        if list_corpus.paging.cut_off {
            continue; // G2 tells.
        }
        if list_corpus.live().count() <= list_corpus.paging.at_least
            || list_corpus.spec.parameter(Role::Page).is_none()
        {
            result.gap(format!("{name}: more records than fit on a page"));
            continue;
        }
        let second = Query::default().on_page(2).request(list_corpus);
        match engine.ask(list, &second).await?.is_refused() {
            true => result.absent(format!("{name}: pages by number")),
            false => long.push(list),
        }
    }
    Ok(long)
}

/// The lists that have several pages of either kind, and a field by which no two records are the same.
pub(super) async fn paged(engine: &mut Engine, result: &mut CheckResult) -> Result<Vec<Paged>, TargetError> {
    let mut paged = Vec::new();
    let by_number = long(engine, result).await?.into_iter().map(|list| (list, false));
    let by_cursor = cursor::long(engine).into_iter().map(|list| (list, true));
    for (list, by_cursor) in by_number.chain(by_cursor) {
        let sortable = sorting::of(engine, list).await?;
        let list_corpus = engine.list(list);
        let live: Vec<&Value> = list_corpus.live().map(|(_, record)| &**record).collect();
        let fields = sortable.sorting.iter().map(|(field, _)| field);
        let usable = fields.filter(|field| engine.failed(list, &sorting(&field.name)).is_none());
        // Of a list that was not read to its end, the identifier alone is known to be different for every record.
        let is_known = |field: &&SortField| {
            list_corpus.is_read_whole() || Some(field.name.as_str()) == list_corpus.spec.sort_by_id()
        };
        let is_unique = |field: &&SortField| sorting::distinct(field, &live) == live.len();
        let mut unique = usable.filter(is_known).filter(is_unique);
        let strict = unique.clone().find(|field| field.is_strict());
        let Some(field) = strict.or_else(|| unique.next()) else {
            let name = list_corpus.spec.name();
            result.gap(format!("{name}: a sort field that is different for every record"));
            continue;
        };
        paged.push(Paged {
            list,
            by_cursor,
            field: field.clone(),
            pages: live.len().div_ceil(list_corpus.paging.at_least),
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

    /// A rule about a page and the next.
    fn case(&self, engine: &Engine, (descending, page): (bool, usize), judge: Neighbours) -> Case {
        let pages = [page, page + 1].map(|page| self.page(engine, descending, page));
        let number = engine.list(self.list).paging.number(page + 1);
        let about = format!("sort={} page={number}", self.key(descending));
        let field = self.field.clone();
        let judge =
            move |answers: &[Arc<ListResponse>], list: &ListCorpus| judge(&field, answers, list, descending);
        Case::new(self.list, about, pages.into(), judge)
            .resting_on([sorting(&self.field.name), PAGE.to_owned()])
            .invalidates([PAGE.to_owned()])
    }
}

pub(super) fn are_disjoint<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(neighbours(engine, result, |_, answers, _, _| {
        let pages = [answers[0].reading()?, answers[1].reading()?];
        Law::Disjoint.violation(&pages, "no record in both answers")
    }))
}

pub(super) fn are_sorted<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(neighbours(engine, result, |field, answers, _, descending| {
        disorder(field, answers, descending)
    }))
}

pub(super) fn lose_nothing<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(neighbours(engine, result, |field, answers, list, descending| {
        let shown = sort_keys(field, answers);
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
        let expected = "every record between the first and the last of two pages";
        let lost = Violation::of_records(lost, expected, |names| format!("neither page has {names}"));
        lost.map(Violation::of_absence)
    }))
}

/// Looks into a rule about every page and the next.
async fn neighbours(
    engine: &mut Engine,
    result: &mut CheckResult,
    judge: Neighbours,
) -> Result<(), TargetError> {
    let mut cases = Vec::new();
    for paged in paged(engine, result).await? {
        if paged.by_cursor {
            cases.extend([false, true].map(|descending| cursor::walk(engine, &paged, descending, judge)));
            continue;
        }
        let neighbours = paged.neighbours().into_iter();
        cases.extend(neighbours.map(|first| paged.case(engine, first, judge)));
    }
    engine.run_cases(cases, result).await
}
