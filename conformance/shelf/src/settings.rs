//! What of the model can be set without code: mostly what the specification leaves open.

use std::time::Duration;

/// How the model behaves where others may behave differently.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Records on a page; none for 25, or 50 in a large directory.
    pub page_size: Option<usize>,
    /// Everything stands on one page, whatever `page` says.
    pub one_page: bool,
    /// The first page has the number 0.
    pub pages_from_zero: bool,
    /// What is answered to a page past the end; none for an empty list.
    pub past_end: Option<u16>,
    /// Lists link their next page.
    pub links_pages: bool,
    /// Links to the next page have the page and no other parameter.
    pub lossy_links: bool,
    /// Linked pages are called by an opaque word instead of a number.
    pub opaque_cursors: bool,
    /// Unknown parameters are ignored.
    pub ignores_unknown: bool,
    /// Which of two values of one parameter counts.
    pub repeated: Repeated,
    /// A filter without a value is ignored.
    pub ignores_empty: bool,
    /// A filter without a value finds nothing.
    pub takes_empty: bool,
    /// The most characters of a filter's value; none for 1,024.
    pub longest: Option<usize>,
    /// A word that is none of a filter's words finds nothing, instead of being refused.
    pub takes_any_word: bool,
    /// Exact filters ignore case.
    pub folds_case: bool,
    /// Partial filters mind case.
    pub minds_case: bool,
    /// A bound of a window belongs to it.
    pub includes_bounds: bool,
    /// The time of day of a bound does not count: whole days are compared.
    pub compares_days: bool,
    /// Nulls come first.
    pub nulls_first: bool,
    /// Nulls come first in ascending and last in descending order.
    pub nulls_lowest: bool,
    /// Texts are ordered by their bytes.
    pub sorts_bytes: bool,
    /// Accents do not matter in the order of texts.
    pub sorts_without_accents: bool,
    /// All people but one report to that one.
    pub one_manager: bool,
    /// A relation to many shows so many records at most.
    pub relation_size: Option<usize>,
    /// The order without `sort`, by the name of a sort field; none for the contract's.
    pub default_sort: Option<&'static str>,
    /// Without `sort` the order is another each time.
    pub random_order: bool,
    /// Soft-deleted people stand in relations to many, and count.
    pub relates_trashed: bool,
    /// Soft-deleted people do not stand in relations to one.
    pub hides_trashed: bool,
    /// Where counts and existence of a relation appear.
    pub counts_at: CountsAt,
    /// Relations without a record are left out instead of being null or empty.
    pub leaves_empty_out: bool,
    /// Several secondary users are shown as an array.
    pub secondaries_as_array: bool,
    /// Records can be activated.
    pub activates: bool,
    /// What is answered to requests that only the contract has; none if they are served.
    pub without_extensions: Option<u16>,
    /// The status of a write that succeeds.
    pub written: Option<u16>,
    /// A write is refused only after it was carried out.
    pub refuses_too_late: bool,
    /// Every so many requests something changes; 0 for never.
    pub moves_every: usize,
    /// How often something changes by the clock; zero for never.
    pub moves_each: Duration,
    /// Every so many requests one is answered with 429; 0 for never.
    pub busy_every: usize,
    /// How long every answer takes.
    pub latency: Duration,
}

/// Which of several values of one parameter counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeated {
    /// None: the request is refused.
    #[default]
    Neither,
    /// The first.
    First,
    /// The last.
    Last,
}

/// Where counts and existence of a relation appear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CountsAt {
    /// In `included`.
    #[default]
    Included,
    /// At the top level of the record.
    Top,
    /// In `count`.
    Count,
    /// Counts in `count` under the name of the relation alone, existence in an object `exists`.
    OwnObject,
}
