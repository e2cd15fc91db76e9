//! What a table of records is to the store: where its members are stored, which rows its lists show, what relates to them.

use std::cell::RefCell;

use rollcall::Timestamp;
use rollcall::list::{List, Source};
use rollcall::lists::AnyField;
use rollcall::record::{Part, Record, Shape};

use crate::store::query::related::Related;
use crate::store::remembered::Remembered;
use crate::store::sql::Name;
use crate::store::tables::column::{Column, EXPIRY_IS_RECORDED, RowScope, RowSet};

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
    pub remembered: Option<&'s RefCell<Remembered>>,
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

/// A list as the store serves it.
pub trait Resource: List<Record: Stored> {
    /// Which rows of the table it shows.
    const SCOPE: RowScope = RowScope::All;
    /// Where a field is stored that no member shows.
    fn hidden(field: Self::Hidden) -> Column;
    /// The records that a relation shows; `None` where `included` has the names of relations.
    fn relation(_relation: Self::Relation) -> Option<Related> {
        None
    }
    /// Where a field is stored.
    fn column(field: Self::Field) -> Column {
        match Self::source(field) {
            Source::Member(member) => member.column(),
            Source::Hidden(field) => Self::hidden(field),
        }
    }
    /// Whether a field may be without a value.
    fn is_nullable(field: Self::Field) -> bool {
        shown::<Self>(field).is_none_or(|(_, is_nullable)| is_nullable)
    }
    /// How a field is written. Fields that no member shows are texts.
    fn shape(field: Self::Field) -> Shape {
        shown::<Self>(field).map_or(Shape::Text, |(shape, _)| shape)
    }
    /// The rows a field of this list finds.
    fn row_set(field: Self::Field) -> RowSet {
        RowSet {
            table: Self::Record::TABLE,
            scope: Self::SCOPE,
            column: Self::column(field),
        }
    }
}

/// The shape of the member that shows a field, and whether it may be null.
fn shown<R: Resource>(field: R::Field) -> Option<(Shape, bool)> {
    let Source::Member(wanted) = R::source(field) else {
        return None;
    };
    R::Record::PARTS.iter().find_map(|part| match part {
        Part::Member {
            member,
            shape,
            is_nullable,
        } if *member == wanted => Some((*shape, *is_nullable)),
        _ => None,
    })
}
