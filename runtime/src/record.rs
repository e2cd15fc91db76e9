//! How records and summaries are written as JSON: constant text with slots, generated from their schemas.

use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A record or summary of the contract.
pub trait Record: Serialize + DeserializeOwned + Send + 'static {
    /// The stored members of the record; a summary has some of those of its record.
    type Member: Copy + Debug + Eq + Hash + Send + Sync + 'static;
    /// A field of any list of the contract; counts refer to them.
    type AnyField: Copy + Debug + Eq + Hash + Send + Sync + 'static;
    /// Its JSON, in order. The first slot is the id.
    const PARTS: &'static [Part<Self::Member, Self::AnyField>];
}

/// A part of the JSON of a record.
#[derive(Clone, Copy, Debug)]
pub enum Part<M: 'static, F: 'static> {
    /// Text that all records have.
    Text(&'static str),
    /// The value of a stored member.
    Member {
        /// The member.
        member: M,
        /// How its value is written.
        shape: Shape,
        /// Whether the value may be null.
        is_nullable: bool,
    },
    /// A number of related records.
    Count(CountSpec<F>),
    /// An address without its quotes: the base address, this text, and the id of the record.
    Link(&'static str),
    /// The object of related records.
    Included,
    /// The array of the names of the relations asked for.
    IncludedNames,
}

/// How a stored value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As a string.
    Text,
    /// Microseconds since 1970, as a timestamp.
    Timestamp,
    /// As `true` or `false`.
    Boolean,
    /// As a number.
    Integer,
    /// Stored JSON, as it is.
    Json,
}

/// A member of a count object.
#[derive(Clone, Copy, Debug)]
pub struct CountSpec<F> {
    /// Its name.
    pub member: &'static str,
    /// What it counts.
    pub counted: Counted<F>,
}

/// What a count counts (L18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted<F> {
    /// The records a list gives when this field has the record's id.
    List(F),
    /// Resources outside this API, of the kind the member names (P4).
    External,
}
