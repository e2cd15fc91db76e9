//! One write: what it means, what came back, and the record before and after it.

use std::sync::Arc;

use jiff::Timestamp;

use super::body::FieldKind;
use super::observer::{RecordSnapshot, differ};
use super::write_target::WriteTarget;
use crate::http::exchange::Exchange;

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
    /// The record it went to; of a write to an unknown id, the record of the writes around it.
    pub(crate) target: Arc<WriteTarget>,
    /// What it means.
    pub(crate) intent: WriteIntent,
    /// What was sent, in words.
    pub(crate) what: String,
    /// What came back.
    pub(crate) exchange: Exchange,
    /// When it was sent.
    pub(crate) at: Timestamp,
    /// The record before it.
    pub(crate) before: Option<RecordSnapshot>,
    /// The record after it.
    pub(crate) after: Option<RecordSnapshot>,
    /// Whether the specification demands that a valid write of this kind is granted: always for a write that makes a record
    /// end; for one that brings a record back, if the record was seen soft-deleted or expired before (O7).
    pub(crate) certain: bool,
}

impl Attempt {
    /// Whether the record looked different before and after.
    pub(crate) fn has_changed_the_record(&self) -> bool {
        differ(self.before.as_ref(), self.after.as_ref())
    }
}

/// What a write means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WriteIntent {
    /// To a record that does not exist.
    UnknownId,
    /// With a value that its member does not take.
    Wrong(FieldKind),
    /// With a body that is no JSON.
    Malformed,
    /// The record ends after so many days.
    Days(i64),
    /// The record ends at a moment ahead.
    Moment(Timestamp),
    /// One of two members is null.
    Null,
    /// A deprecated record comes back.
    BringBack(bool),
    /// What comes of it is left open.
    Open(Open),
}

impl WriteIntent {
    /// Whether a target that conforms refuses it, so that nothing changes.
    pub(crate) fn is_to_be_refused(self) -> bool {
        matches!(self, Self::UnknownId | Self::Wrong(_) | Self::Malformed)
    }
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

/// What a check says of one attempt.
#[derive(Debug)]
pub(crate) enum Ruling {
    /// It is as it has to be.
    Holds,
    /// It shows nothing; the text says what is missing.
    Missing(String),
    /// It violates the specification.
    Violated(Box<WriteViolation>),
}

/// How an attempt violates the specification.
#[derive(Debug)]
pub(crate) struct WriteViolation {
    /// What should have come back.
    pub(crate) expected: String,
    /// What came back.
    pub(crate) actual: String,
    /// A further answer that shows it.
    pub(crate) further: Option<Exchange>,
}

impl Ruling {
    /// A violation that the answer to the attempt shows.
    pub(crate) fn violated(expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Self::Violated(Box::new(WriteViolation {
            expected: expected.into(),
            actual: actual.into(),
            further: None,
        }))
    }

    /// A violation that a further answer shows too.
    pub(crate) fn violated_afterwards(
        expected: impl Into<String>,
        actual: impl Into<String>,
        further: &Exchange,
    ) -> Self {
        Self::Violated(Box::new(WriteViolation {
            expected: expected.into(),
            actual: actual.into(),
            further: Some(further.clone()),
        }))
    }
}
