//! One write: what it means, what came back, and the record before and after it.

use std::sync::Arc;

use jiff::Timestamp;
use rollcall_contract::{Contract, Pointer};
use rollcall_oracle::corpus::records::unwrapped;
use rollcall_oracle::http::credentials::Credentials;
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::judge::Ruling;
use rollcall_oracle::open_points::converted_value::ConvertedValue;
use serde_json::Value;

use super::body::FieldKind;
use super::observer::{RecordObserver, RecordSnapshot, differ};
use super::write_target::WriteTarget;

/// The status of a write that is carried out later. Its answer may show the record as it was before (O10).
pub(super) const ACCEPTED: u16 = 202;

/// A write that only the contract has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extension {
    /// It makes a record end.
    End,
    /// It makes a record active.
    Activate,
}

/// A write that can be sent.
#[derive(Clone, Debug)]
pub(super) struct Write {
    /// What it means.
    pub(super) intent: WriteIntent,
    /// The parameters of the write, as a report names them.
    pub(super) what: String,
    /// The request.
    pub(super) request: Request,
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
    /// end; for one that brings a record back, if the record was seen soft-deleted before (O7).
    pub(crate) certain: bool,
    /// Whether other places show the record as it is after it was granted; not applicable if they were not read, or do
    /// not show it.
    pub(crate) agreement: WriteRuling,
    /// Whether it was refused and, sent again right away, refused each time. Later it may not be possible to send it again: what is
    /// granted next may bring the record back.
    pub(crate) is_refused_again: bool,
    /// Another record, which was written to before: what shows it, and whether this write leaves it alone.
    pub(crate) other: Option<(RecordObserver, WriteRuling)>,
}

impl Attempt {
    /// The same write, to be sent again.
    pub(super) fn write(&self) -> Write {
        Write {
            intent: self.intent,
            what: self.what.clone(),
            request: self.exchange.request.clone(),
        }
    }

    /// Whether it was granted, and is no write that has to be refused.
    pub(crate) fn is_granted(&self) -> bool {
        self.exchange.is_success() && !self.intent.is_to_be_refused()
    }

    /// Whether it was refused although it brings back a record that was seen soft-deleted.
    pub(super) fn is_to_be_granted(&self) -> bool {
        matches!(self.intent, WriteIntent::BringBack(_)) && self.certain && !self.exchange.is_success()
    }

    /// The record as the write left it: that of the answer, or the one read afterwards where the answer has the record as it was
    /// before and says that the write is carried out later. `None` if there is none.
    pub(super) fn result(&self, contract: &Contract) -> Option<Value> {
        let answer = unwrapped(&self.exchange, &contract.identifier)?;
        let is_as_before = |before: &RecordSnapshot| {
            let mut decided = contract.frame.of_life();
            decided.all(|place| place.find(&before.record) == place.find(&answer))
        };
        let is_later = self.exchange.status == ACCEPTED && self.before.as_ref().is_some_and(is_as_before);
        match &self.after {
            Some(after) if is_later => Some(after.record.clone()),
            _ => Some(answer),
        }
    }

    /// Whether the record looked different before and after.
    pub(crate) fn has_changed_the_record(&self) -> bool {
        differ(self.before.as_ref(), self.after.as_ref())
    }
}

/// How an identifier that no record has looks beside those that records have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdForm {
    /// One character is another one, so that any record might have it.
    Known,
    /// It may be none that a record of this target can have.
    Any,
}

/// What a write means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WriteIntent {
    /// To a record that does not exist.
    UnknownId(IdForm),
    /// With a value that nothing makes one of its member.
    Wrong(FieldKind),
    /// With a value of another type or form, which may be refused or taken for the value that is meant (O12).
    Converted(FieldKind, ConvertedValue),
    /// With a body that is no JSON.
    Malformed,
    /// Without the right to write.
    Unauthorized(Credentials),
    /// The record ends after so many days.
    Days(i64),
    /// The record ends at a timestamp ahead.
    Timestamp(Timestamp),
    /// The record ends at a later timestamp, which may be refused: it has an offset, and timestamps are UTC (§4.3); or it is so far
    /// ahead that a target may have a limit.
    MayEndAt(Timestamp),
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
            Self::UnknownId(_) | Self::Wrong(_) | Self::Malformed | Self::Unauthorized(_)
        )
    }

    /// Whether a target that conforms may refuse it for its body.
    pub(crate) fn may_be_refused(self) -> bool {
        self.is_to_be_refused() || matches!(self, Self::Converted(..))
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
pub(crate) type WriteRuling = Ruling<Box<WriteViolation>>;

/// How an attempt violates the specification.
#[derive(Clone, Debug)]
pub(crate) struct WriteViolation {
    /// What should have come back.
    pub(crate) expected: String,
    /// What came back.
    pub(crate) actual: String,
    /// The member of the record that is wrong, if it is one.
    pub(crate) place: Option<Pointer>,
    /// A further answer that shows it.
    pub(crate) further: Option<Exchange>,
}

impl WriteViolation {
    /// A violation that the answer to the attempt shows.
    pub(super) fn new(expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Self {
            expected: expected.into(),
            actual: actual.into(),
            place: None,
            further: None,
        }
    }

    /// A violation by the status of the answer.
    pub(super) fn of_status(expected: impl Into<String>, status: u16) -> Self {
        Self::new(expected, format!("status {status}"))
    }

    /// The violation, by a member of the record.
    pub(super) fn at(mut self, place: Option<Pointer>) -> Self {
        self.place = place;
        self
    }

    /// The violation, which a further answer shows too.
    pub(super) fn shown_by(mut self, further: &Exchange) -> Self {
        self.further = Some(further.clone());
        self
    }

    /// What a check says of an attempt that shows the violation.
    pub(super) fn ruling(self) -> WriteRuling {
        Ruling::Violated(Box::new(self))
    }
}
