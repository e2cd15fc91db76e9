//! The list dialect (§4.4): tables of what a list can do, and the query that asks for it.
//!
//! Way of a request: query text → [`pairs`] → [`ListQuery`] (checked against the list's tables) → the server's store.
//! Invariant: a [`ListQuery`] holds nothing the list does not offer, and nothing of the text was ignored on the way.

mod pairs;
mod parse;
mod print;
mod words;

use std::fmt::Debug;
use std::hash::Hash;

pub use pairs::{Pairs, pairs};
#[cfg(feature = "server")]
pub(crate) use words::abridged;
pub use words::unknown;

use crate::Timestamp;
use crate::record::Record;
pub use crate::record::{CountSpec, Counted};

/// The most faults that one answer names: each comes with all that is allowed, so that a long query could ask for megabytes.
pub(crate) const MOST_FAULTS: usize = 20;

/// A list of the contract, with its tables.
pub trait List: Copy + Debug + Send + Sync + 'static {
    /// Members that filters or the order look at.
    type Field: Copy + Debug + Eq + Hash + Send + Sync + 'static;
    /// Fields that no member of the record shows.
    type Hidden: Copy + Debug + Eq + Hash + Send + Sync + 'static;
    /// Relations that can be included.
    type Relation: Copy + Debug + Eq + Hash + Send + Sync + 'static;
    /// What the list is a list of.
    type Record: Record;
    /// The operation's id.
    const OPERATION: &'static str;
    /// The list's path below the base address.
    const PATH: &'static str;
    /// Parameters that are no filters.
    const ROLES: &'static [(&'static str, Role)];
    /// How many records a page has.
    const PAGE_SIZES: PageSizes;
    /// The filters.
    const FILTERS: &'static [Filter<Self::Field>];
    /// Words of `sort`.
    const SORT: &'static [(&'static str, Self::Field)];
    /// The order without `sort`.
    const DEFAULT_SORT: &'static [SortKey<Self::Field>];
    /// Words of `include`.
    const RELATIONS: &'static [RelationSpec<Self::Relation>];
    /// Where a field comes from.
    fn source(field: Self::Field) -> Source<<Self::Record as Record>::Member, Self::Hidden>;
    /// The field among those of all lists.
    fn any(field: Self::Field) -> <Self::Record as Record>::AnyField;
}

/// Where a field of a list comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<M, H> {
    /// A member of the record shows it.
    Member(M),
    /// No member shows it.
    Hidden(H),
}

/// What a parameter that is no filter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Relations to load, count or test.
    Include,
    /// The order.
    Sort,
    /// Which page.
    Page {
        /// The most characters of a page number or cursor.
        max_length: usize,
    },
    /// How many records on it.
    PageSize,
    /// Whether to count them all.
    PageTotal,
}

/// How many records a page has (L3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSizes {
    /// Without `page[size]`.
    pub default: u16,
    /// At most; at least it is one.
    pub maximum: u16,
}

/// A filter: which members it looks at, and how.
#[derive(Debug)]
pub struct Filter<F: 'static> {
    /// The parameter.
    pub name: &'static str,
    /// One of these must match; empty where `all` says more.
    pub any_of: &'static [F],
    /// For a flag that stands for several conditions.
    pub all: &'static [(F, Test)],
    /// How it matches.
    pub matching: Match,
    /// What it takes.
    pub value: ValueKind,
}

/// A condition of a compound flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The member has this value.
    Is(&'static str),
    /// The member is (not) null.
    Present(bool),
}

/// How a filter matches (§4.4.2–§4.4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The whole value, byte by byte (L9).
    Exact,
    /// Any part of the value, letters folded (L10).
    Contains,
    /// Strictly before a timestamp (L16).
    Before,
    /// Strictly after a timestamp (L16).
    After,
    /// A boolean.
    Flag,
    /// Whether soft-deleted records are listed.
    Trashed,
}

/// What a filter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Text of some characters at most (L20).
    Text {
        /// The most characters.
        max_length: usize,
    },
    /// One of some words (L13).
    Word(&'static [&'static str]),
    /// `true` or `false` (L14).
    Boolean,
    /// A date or date-time (L15).
    Timestamp {
        /// The most characters.
        max_length: usize,
    },
    /// `with`, `only`, or anything else for neither (§4.1).
    Trashed {
        /// The most characters.
        max_length: usize,
    },
}

/// A relation as `include` names it.
#[derive(Clone, Copy, Debug)]
pub struct RelationSpec<R: 'static> {
    /// Its word in `include`.
    pub name: &'static str,
    /// Its member in `included`.
    pub member: &'static str,
    /// Whether it holds several records.
    pub many: bool,
    /// The relation.
    pub relation: R,
    /// The member of `/count` that equals its size, where one does.
    pub count: Option<&'static str>,
}

/// The three forms a relation can be asked for in (§4.4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// `R`: the related records.
    Records,
    /// `R-count`: their number.
    Count,
    /// `R-exists`: whether there are any.
    Exists,
}

impl Form {
    /// What is put behind the relation's name.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Records => "",
            Self::Count => "-count",
            Self::Exists => "-exists",
        }
    }

    /// All three.
    pub const ALL: [Self; 3] = [Self::Records, Self::Count, Self::Exists];
}

/// A key of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey<F> {
    /// What is compared.
    pub field: F,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// Which soft-deleted records are listed (§4.4.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trashed {
    /// None of them.
    #[default]
    Without,
    /// They too.
    With,
    /// They alone.
    Only,
}

/// Which page (L2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The n-th, from 1.
    Number(u64),
    /// What comes behind or before a record: a text the server has made up, starting with `c_`.
    Cursor(String),
}

/// The value of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text or one of some words.
    Text(String),
    /// A boolean.
    Flag(bool),
    /// A timestamp.
    Timestamp(Timestamp),
}

/// A filter with its value.
#[derive(Clone, Debug)]
pub struct Condition<F: 'static> {
    /// The filter.
    pub filter: &'static Filter<F>,
    /// What was asked for.
    pub value: Value,
}

/// What a list is asked for; made by [`ListQuery::parse`].
#[derive(Clone, Debug)]
pub struct ListQuery<L: List> {
    /// All of them must hold.
    pub conditions: Vec<Condition<L::Field>>,
    /// Whether soft-deleted records are listed.
    pub trashed: Trashed,
    /// The order asked for; empty means the default.
    pub sort: Vec<SortKey<L::Field>>,
    /// The relations asked for, none twice, in the order of the contract.
    pub include: Vec<(L::Relation, Form)>,
    /// Which page.
    pub page: Selector,
    /// Records on a page.
    pub size: u16,
    /// Whether to count all records found.
    pub total: bool,
}

impl<L: List> Default for ListQuery<L> {
    fn default() -> Self {
        Self {
            conditions: Vec::new(),
            trashed: Trashed::default(),
            sort: Vec::new(),
            include: Vec::new(),
            page: Selector::Number(1),
            size: L::PAGE_SIZES.default,
            total: false,
        }
    }
}

impl<L: List> ListQuery<L> {
    /// The order in force.
    pub fn order(&self) -> &[SortKey<L::Field>] {
        if self.sort.is_empty() {
            L::DEFAULT_SORT
        } else {
            &self.sort
        }
    }
}
