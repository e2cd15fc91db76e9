//! Pages that lead on by a cursor: none can be asked for by itself, so they are judged as one walk through a list.

use std::sync::Arc;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::query::{Query, sorting};
use rollcall_oracle::judge::Violation;

use super::paged::{Neighbours, Paged};
use crate::discovery::sorting::lists;
use crate::engine::case::Case;
use crate::engine::{Engine, PAGE};

/// The lists that have several pages, which lead on by a cursor.
pub(super) fn long(engine: &Engine) -> Vec<usize> {
    let is_long = |list: &usize| {
        let list_corpus = engine.list(*list);
        list_corpus.paging.cursor.is_some() && list_corpus.live().count() > list_corpus.paging.at_least
    };
    lists(engine).into_iter().filter(is_long).collect()
}

/// A cursor leads to further records, until there is none.
pub(super) fn leads_on(engine: &Engine, list: usize) -> Case {
    let request = Query::default().request(engine.list(list));
    let judge = |answers: &[Arc<ListResponse>], _: &ListCorpus| {
        let mut violation = Violation::of_answer("further records where a cursor leads", &answers[0]);
        violation.actual = "a page with records of earlier pages only".to_owned();
        answers[0].reading()?.goes_round.then_some(violation)
    };
    Case::new(list, "the cursor of the next page", vec![request], judge).invalidates([PAGE.to_owned()])
}

/// A rule about a page and the next, for all pages in one order.
pub(super) fn walk(engine: &Engine, paged: &Paged, descending: bool, judge: Neighbours) -> Case {
    let key = paged.key(descending);
    let request = Query::default().sorted(&[&key]).request(engine.list(paged.list));
    let field = paged.field.clone();
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let reading = answers[0].reading()?;
        let pages = (0..reading.pages.len()).map(|page| ListResponse::Records(reading.page(page)));
        let pages: Vec<_> = pages.map(Arc::new).collect();
        let mut pairs = pages.windows(2);
        pairs.find_map(|pair| judge(&field, pair, list, descending))
    };
    let about = format!("sort={key} page by page");
    Case::new(paged.list, about, vec![request], judge)
        .resting_on([sorting(&paged.field.name)])
        .invalidates([PAGE.to_owned()])
}
