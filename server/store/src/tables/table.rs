//! What a table of records is to the store: where the members of its records are stored.

use std::any::TypeId;
use std::cell::RefCell;

use rollcall::Timestamp;
use rollcall::lists::AnyField;
use rollcall::record::{Part, Record, Shape};

use crate::memory::Memory;
use crate::sql::Name;
use crate::tables::column::Column;
use crate::tables::count::CountColumn;
use crate::tables::state::EXPIRY_IS_RECORDED;

/// What reading depends on besides the rows.
#[derive(Clone, Debug)]
pub struct ReadContext<'s> {
    /// The timestamp the answer speaks of.
    pub now: Timestamp,
    /// The public base address, for links.
    pub base: &'s str,
    /// Whether a manifest entry has lapsed that is not recorded yet, so that kept counts may be too high.
    pub lapsed: bool,
    /// Whether a record has expired that is not recorded as expired yet.
    pub overdue: bool,
    /// What the reader remembers of this state of the store, if it remembers anything.
    pub memory: Option<&'s RefCell<Memory>>,
}

impl ReadContext<'_> {
    /// Whether a record of this table may be stored as expiring although it has expired.
    pub fn is_behind<R: Stored>(&self) -> bool {
        self.overdue || !EXPIRY_IS_RECORDED.contains(&R::TABLE)
    }
}

/// The table of a record, by the members of the record.
pub trait Table: Copy + 'static {
    /// Its name.
    const NAME: &'static str;
    /// The columns that its search index covers; empty without one.
    const SEARCHED: &'static [Name] = &[];
    /// Where a member is stored. One arm for each: a member that the table does not have does not compile.
    fn column(self) -> Column;
}

/// A record or summary that the store has a table of.
pub trait Stored: Record<Member: Table, AnyField = AnyField> {
    /// The name of the table.
    const TABLE: &'static str = <Self::Member as Table>::NAME;
}

impl<R: Record<Member: Table, AnyField = AnyField>> Stored for R {}

/// A part of the JSON of a record, with the column that it is stored in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StoredPart {
    /// Text that all records have.
    Text(&'static str),
    /// The value of a member.
    Member {
        /// Where it is stored.
        column: Column,
        /// How it is written.
        shape: Shape,
        /// Whether it may be null.
        is_nullable: bool,
    },
    /// A kept count.
    Count(CountColumn),
    /// An address: the base address, this text, and the id.
    Link(&'static str),
    /// What stands under `included`.
    Included,
}

/// A type of record, for code that serves all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordType {
    /// Tells it from others.
    pub(crate) id: fn() -> TypeId,
    part: fn(usize) -> Option<StoredPart>,
}

impl RecordType {
    /// The type of these records.
    pub(crate) const fn of<R: Stored>() -> Self {
        Self {
            id: TypeId::of::<R>,
            part: part::<R>,
        }
    }

    /// The parts of its JSON, in order.
    pub(crate) fn parts(self) -> impl Iterator<Item = StoredPart> {
        (0..).map_while(self.part)
    }
}

fn part<R: Stored>(place: usize) -> Option<StoredPart> {
    Some(match R::PARTS.get(place)? {
        Part::Text(text) => StoredPart::Text(text),
        Part::Member {
            member,
            shape,
            is_nullable,
        } => StoredPart::Member {
            column: member.column(),
            shape: *shape,
            is_nullable: *is_nullable,
        },
        Part::Count(spec) => StoredPart::Count(CountColumn::of(R::TABLE, spec)),
        Part::Link(path) => StoredPart::Link(path),
        Part::Included | Part::IncludedNames => StoredPart::Included,
    })
}
