//! A list as the store serves it: where its fields are stored, which rows it shows, what its relations show.

use rollcall::list::{Form, List, Source};
use rollcall::record::{Part, Record as _, Shape};

use crate::tables::column::{Column, RowScope, RowSet};
use crate::tables::table::{RecordType, Stored, Table as _};

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

/// The most records that a relation to many shows of one record; its count and its list have all of them (L3).
pub const MOST_RELATED: i64 = 200;

/// The records that a relation shows.
#[derive(Clone, Copy)]
pub struct Related {
    /// Their rows, by the id of the record they belong to.
    pub(crate) rows: RowSet,
    /// Whether it shows an array.
    pub(crate) is_many: bool,
    /// Whether soft-deleted ones are shown: to-one relations do, to-many ones do not (R15).
    pub(crate) shows_trashed: bool,
    /// The most that are shown of one record: those with the smallest ids.
    pub(crate) most: i64,
    /// What they are shown as.
    pub(crate) record: RecordType,
    /// What each of them includes.
    pub(crate) including: Option<fn() -> Vec<Inclusion>>,
}

/// A relation in one form, and the member of `included` that it belongs to.
#[derive(Clone, Copy)]
pub struct Inclusion {
    /// The member that has its records.
    pub member: &'static str,
    /// Records, their number, or whether there are any.
    pub form: Form,
    /// The records.
    pub related: Related,
    /// The place of the count of the record that equals their number.
    pub count: Option<usize>,
}

impl Related {
    /// A relation to one record.
    pub fn one<S: Stored>(rows: RowSet) -> Self {
        Self {
            is_many: false,
            shows_trashed: true,
            most: 1,
            ..Self::many::<S>(rows)
        }
    }

    /// A relation to many records.
    pub fn many<S: Stored>(rows: RowSet) -> Self {
        Self {
            rows,
            is_many: true,
            shows_trashed: false,
            most: MOST_RELATED,
            record: RecordType::of::<S>(),
            including: None,
        }
    }

    /// A relation to many records that shows the first of them.
    pub fn first<S: Stored>(rows: RowSet) -> Self {
        Self {
            is_many: false,
            most: 1,
            ..Self::many::<S>(rows)
        }
    }

    /// The same, each record with all relations of the list `L`.
    pub fn including<L: Resource>(self) -> Self {
        fn all<L: Resource>() -> Vec<Inclusion> {
            let related = <L as List>::RELATIONS.iter().filter_map(|spec| {
                Some(Inclusion {
                    member: spec.member,
                    form: Form::Records,
                    related: L::relation(spec.relation)?,
                    count: None,
                })
            });
            related.collect()
        }
        Self {
            including: Some(all::<L>),
            ..self
        }
    }
}
