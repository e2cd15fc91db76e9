//! One write: what it means, what came back, and the record before and after it.

use jiff::Timestamp;

use super::body::Takes;
use super::witness::Sight;
use crate::exchange::Exchange;

/// A write that only the contract has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extension {
    /// It makes a record end.
    End,
    /// It makes a record active.
    Activate,
}

/// A write that was sent.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// What it means.
    pub(crate) meaning: Meaning,
    /// What was sent, in words.
    pub(crate) what: String,
    /// What came back.
    pub(crate) exchange: Exchange,
    /// When it was sent.
    pub(crate) at: Timestamp,
    /// The record before it.
    pub(crate) before: Option<Sight>,
    /// The record after it.
    pub(crate) after: Option<Sight>,
    /// Whether the record was one that can be brought back beyond doubt.
    pub(crate) certain: bool,
}

/// What a write means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    /// To a record that does not exist.
    Stranger,
    /// With a value that its member does not take.
    Wrong(Takes),
    /// With a body that is no JSON.
    Malformed,
    /// The record ends after so many days.
    Days(i64),
    /// The record ends at a moment ahead.
    Moment(Timestamp),
    /// One of two members is null.
    Null,
    /// The record comes back.
    Back(bool),
    /// What comes of it is left open.
    Open(Open),
}

/// A write whose outcome the specification leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// Two members that say the same in different ways.
    Both,
    /// No member at all.
    Neither,
    /// A moment that has passed.
    Past,
    /// A member that there is not.
    Unknown,
}
