//! One page and the next (G1, G3, G4).

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::Role;
use serde_json::Value;

use super::cursor;
use crate::case::{Accusation, Case};
use crate::checks::Looking;
use crate::checks::exact::sets::common;
use crate::checks::sort::sortable::{self, lists};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::{Listed, identity};
use crate::oracle::out_of_order_by;
use crate::order::{Key, SortField};
use crate::outcome::Tally;
use crate::query::{Query, sorting};
use crate::request::Request;
use crate::target::Trouble;

/// So many pages from the first are looked at; then the last two.
const FIRST: usize = 4;

/// A list that has several pages, with a field that gives it one order and no other.
pub(super) struct Paged {
    pub(super) list: usize,
    pub(super) field: SortField,
    pages: usize,
    /// Whether its pages lead on by a cursor, and cannot be asked for by number.
    pub(super) by_cursor: bool,
}

/// The lists that have several pages, which are asked for by number.
pub(super) async fn long(context: &mut Context, tally: &mut Tally) -> Result<Vec<usize>, Trouble> {
    let mut long = Vec::new();
    for list in lists(context) {
        let surveyed = context.list(list);
        let name = surveyed.subject.name().to_owned();
        if surveyed.paging.cursor.is_some() {
            continue;
        }
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

/// The lists that have several pages of either kind, and a field by which no two records are the same.
pub(super) async fn paged(context: &mut Context, tally: &mut Tally) -> Result<Vec<Paged>, Trouble> {
    let mut paged = Vec::new();
    let by_number = long(context, tally).await?.into_iter().map(|list| (list, false));
    let by_cursor = cursor::long(context).into_iter().map(|list| (list, true));
    for (list, by_cursor) in by_number.chain(by_cursor) {
        let sortable = sortable::of(context, list).await?;
        let surveyed = context.list(list);
        let live: Vec<&Value> = surveyed.live().map(|(_, record)| &**record).collect();
        let fields = sortable.sorting.iter().map(|(field, _)| field);
        let usable = fields.filter(|field| context.failed(list, &sorting(&field.name)).is_none());
        // Of a list that was not read to its end, the identifier alone is known to be different for every record.
        let is_known = |field: &&SortField| {
            surveyed.is_read_whole() || Some(field.name.as_str()) == surveyed.subject.sort_by_id()
        };
        let is_unique = |field: &&SortField| sortable::distinct(field, &live) == live.len();
        let mut unique = usable.filter(is_known).filter(is_unique);
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
            by_cursor,
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

    pub(super) fn key(&self, descending: bool) -> String {
        format!("{}{}", if descending { "-" } else { "" }, self.field.name)
    }

    pub(super) fn page(&self, context: &Context, descending: bool, page: usize) -> Request {
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
        let number = context.list(self.list).paging.number(page + 1);
        let about = format!("sort={} page={number}", self.key(descending));
        Case::new(self.list, about, pages.into(), judge)
            .resting_on([sorting(&self.field.name), PAGE.to_owned()])
            .discrediting([PAGE.to_owned()])
    }
}

/// How the account of what failed calls paging.
pub(crate) const PAGE: &str = "page";

pub(super) fn are_disjoint<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(neighbours(context, tally, |_, answers, _, _| {
        common(&answers[0], &answers[1])
    }))
}

pub(super) fn are_sorted<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(neighbours(context, tally, |field, answers, _, descending| {
        out_of_order_by(field, &shown(field, answers), descending)
    }))
}

pub(super) fn lose_nothing<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(neighbours(context, tally, |field, answers, list, descending| {
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

/// A rule about a page and the next, in an order by a field that is descending or not.
pub(super) type Neighbours = fn(&SortField, &[Arc<Listed>], &Surveyed, bool) -> Option<Accusation>;

/// Looks into a rule about every page and the next.
async fn neighbours(context: &mut Context, tally: &mut Tally, judge: Neighbours) -> Result<(), Trouble> {
    let mut cases = Vec::new();
    for paged in paged(context, tally).await? {
        if paged.by_cursor {
            cases.extend([false, true].map(|descending| cursor::walk(context, &paged, descending, judge)));
            continue;
        }
        for (descending, page) in paged.neighbours() {
            let field = paged.field.clone();
            cases.push(paged.case(context, (descending, page), move |answers, list| {
                judge(&field, answers, list, descending)
            }));
        }
    }
    context.settle(cases, tally).await?;
    Ok(())
}

/// The records of several answers, one after the other, with what they show of a field.
fn shown(field: &SortField, answers: &[Arc<Listed>]) -> Vec<(String, Key)> {
    let readings = answers.iter().filter_map(|answer| answer.reading());
    let records = readings.flat_map(|reading| &reading.records);
    records
        .filter_map(|record| Some((identity(record), field.key(record)?)))
        .collect()
}
