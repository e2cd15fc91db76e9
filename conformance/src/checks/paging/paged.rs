//! A list with several pages, in one order.

use std::sync::Arc;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::order::SortField;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::judge::Violation;

use crate::engine::Engine;

/// A list that has several pages, with a field that gives it one order and no other.
pub(super) struct Paged {
    pub(super) list: usize,
    pub(super) field: SortField,
    pub(super) pages: usize,
    /// Whether its pages lead on by a cursor, and cannot be asked for by number.
    pub(super) by_cursor: bool,
}

/// A rule about a page and the next, in an order by a field that is descending or not.
pub(super) type Neighbours = fn(&SortField, &[Arc<ListResponse>], &ListCorpus, bool) -> Option<Violation>;

impl Paged {
    /// What sorts by the field.
    pub(super) fn key(&self, descending: bool) -> String {
        format!("{}{}", if descending { "-" } else { "" }, self.field.name)
    }

    /// The request for one page.
    pub(super) fn page(&self, engine: &Engine, descending: bool, page: usize) -> Request {
        let query = Query::default().sorted(&[&self.key(descending)]).on_page(page);
        query.request(engine.list(self.list))
    }
}
