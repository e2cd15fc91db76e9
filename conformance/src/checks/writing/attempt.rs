//! One write: what it means, what came back, and the record before and after it.

use std::sync::Arc;

use jiff::Timestamp;

use super::body::FieldKind;
use super::observer::{RecordObserver, RecordSnapshot, differ};
use super::views::Agreement;
use super::write_target::WriteTarget;
use crate::http::exchange::Exchange;
use crate::http::request::Credentials;

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
    /// What other places show of the record after it was granted; none if it was not looked at, or not shown.
    pub(crate) agreement: Option<Agreement>,
    /// Another record, which was written to before.
    pub(crate) other: Option<Other>,
}

/// A record that a write does not go to.
#[derive(Debug)]
pub(crate) struct Other {
    /// What shows it.
    pub(crate) observer: RecordObserver,
    /// The record before the write.
    pub(crate) before: RecordSnapshot,
    /// The record after the write.
    pub(crate) after: RecordSnapshot,
}

impl Attempt {
    /// Whether it was granted, and is no write that has to be refused.
    pub(crate) fn is_granted(&self) -> bool {
        self.exchange.is_success() && !self.intent.is_to_be_refused()
    }

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
    /// Without the right to write.
    Unauthorized(Credentials),
    /// The record ends after so many days.
    Days(i64),
    /// The record ends at a timestamp ahead.
    Timestamp(Timestamp),
    /// The record ends at a later timestamp. It has an offset from UTC, so it may be refused: timestamps are UTC (§4.3).
    WithOffset(Timestamp),
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
        matches!(
            self,
            Self::UnknownId | Self::Wrong(_) | Self::Malformed | Self::Unauthorized(_)
        )
    }
}

/// A write whose outcome the specification leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// Two members that say the same in different ways.
    Both,
    /// No member at all.
    Neither,
    /// A timestamp that has passed.
    Past,
    /// A member that there is not.
    Unknown,
    /// A body that is no object, where no member is required.
    NoObject,
    /// A record is brought back that was brought back before.
    Again,
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
