//! What was learned about the paging of a list.

use std::collections::HashSet;
use std::sync::Arc;

use rollcall_contract::Pointer;

use crate::corpus::id_order::IdOrder;
use crate::corpus::linked::LinkedRecords;
use crate::corpus::records::Records;
use crate::http::request::Request;

/// What was learned about the paging of a list, so that short answers need no second request.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    /// Where the records are in an answer.
    pub records: Pointer,
    /// The parameter that selects a page by its number.
    pub page: Option<String>,
    /// How a page is selected by a cursor, where that is how.
    pub cursor: Option<Cursor>,
    /// The parameter that takes an order.
    pub order: Option<String>,
    /// A page holds at least this many records if there are so many.
    pub at_least: usize,
    /// The identities of all records, soft-deleted ones included, once all were read: an answer with all of them has no next
    /// page.
    pub all: Option<Arc<HashSet<String>>>,
    /// Whether the target links to the next page where there is one.
    pub links: bool,
    /// Whether nothing leads beyond the first page, though the list may go on: then a full page is never the whole answer.
    pub cut_off: bool,
    /// Whether the same request gives the same order.
    pub stable: bool,
    /// The parameter and field that make the order stable where it is not without.
    pub sort: Option<(String, String)>,
    /// Whether the first page has the number 0 (L2).
    pub from_zero: bool,
    /// Whether the list is too long for every query to be read to its end.
    pub is_long: bool,
    /// How a long list is sorted by the identifier, if it can be sorted so.
    pub by_id: Option<SortById>,
    /// Gives the records their related ones, where answers have these at their top.
    pub linked: Option<Arc<LinkedRecords>>,
    /// Reads the records of its answers.
    pub reader: Arc<Records>,
}

/// How a list is sorted by the identifier.
#[derive(Clone, Debug)]
pub struct SortById {
    /// The parameter that takes an order.
    pub parameter: String,
    /// The field that is the identifier.
    pub field: String,
    /// The order.
    pub order: IdOrder,
}

/// How a page is selected by a cursor.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The parameter that takes the cursor.
    pub parameter: String,
    /// Where an answer shows the cursor of the next page.
    pub next: Pointer,
}

impl Paging {
    /// The same for a reading that ends at the last page, however long the list is.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self {
            is_long: false,
            ..self.clone()
        }
    }

    /// The number that selects a page; the first page is the first, however the target numbers it.
    pub fn number(&self, page: usize) -> usize {
        page - usize::from(self.from_zero)
    }

    /// Whether a request selects a page.
    pub(super) fn is_selected(&self, request: &Request) -> bool {
        let cursor = self.cursor.as_ref().map(|cursor| &cursor.parameter);
        self.page.iter().chain(cursor).any(|name| request.has(name))
    }
}
