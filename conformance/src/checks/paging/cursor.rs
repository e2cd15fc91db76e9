//! Pages that lead on by a cursor: none can be asked for by itself, so they are judged as one walk through a list.

use std::sync::Arc;

use super::pages::{Neighbours, PAGE, Paged};
use crate::case::{Accusation, Case};
use crate::checks::sort::sortable::lists;
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::Listed;
use crate::query::{Query, sorting};

/// The lists that have several pages, which lead on by a cursor.
pub(super) fn long(context: &Context) -> Vec<usize> {
    let is_long = |list: &usize| {
        let surveyed = context.list(*list);
        surveyed.paging.cursor.is_some() && surveyed.live().count() > surveyed.paging.at_least
    };
    lists(context).into_iter().filter(is_long).collect()
}

/// A cursor leads to further records, until there is none.
pub(super) fn leads_on(context: &Context, list: usize) -> Case {
    let request = Query::default().request(context.list(list));
    let judge = |answers: &[Arc<Listed>], _: &Surveyed| {
        let mut accusation = Accusation::of_answer("further records where a cursor leads", &answers[0]);
        accusation.actual = "a page with records of earlier pages only".to_owned();
        answers[0].reading()?.goes_round.then_some(accusation)
    };
    Case::new(list, "the cursor of the next page", vec![request], judge).discrediting([PAGE.to_owned()])
}

/// A rule about a page and the next, for all pages in one order.
pub(super) fn walk(context: &Context, paged: &Paged, descending: bool, judge: Neighbours) -> Case {
    let key = paged.key(descending);
    let request = Query::default().sorted(&[&key]).request(context.list(paged.list));
    let field = paged.field.clone();
    let judge = move |answers: &[Arc<Listed>], list: &Surveyed| {
        let reading = answers[0].reading()?;
        let pages = 0..reading.pages.len();
        let pages: Vec<_> = pages
            .map(|page| Arc::new(Listed::Records(reading.page(page))))
            .collect();
        let mut pairs = pages.windows(2);
        pairs.find_map(|pair| judge(&field, pair, list, descending))
    };
    Case::new(
        paged.list,
        format!("sort={key} page by page"),
        vec![request],
        judge,
    )
    .resting_on([sorting(&paged.field.name)])
    .discrediting([PAGE.to_owned()])
}
