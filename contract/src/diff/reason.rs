//! Why a change breaks a client or a server, or breaks neither.

use std::fmt::{self, Display};

use super::Effect;
use super::direction::Direction;

/// What a change does to clients that were made from the old contract, and to servers that conform to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// An operation is gone.
    OperationGone,
    /// A parameter is gone.
    ParameterGone,
    /// A parameter, or a value of one, is demanded that was not.
    ParameterRequired,
    /// A relation or a sort field is gone.
    ChoiceGone,
    /// The schema of a value that clients send takes less.
    RequestRefused,
    /// The schema of a value that clients receive takes more.
    ValueUnknown,
    /// A value that clients receive can be null.
    NullPossible,
    /// A member that clients receive can be missing.
    MemberOptional,
    /// A member is gone.
    MemberGone,
    /// A header of an answer is gone.
    HeaderGone,
    /// The status of success is another.
    StatusChanged,
    /// A value has another type or form.
    FormChanged,
    /// A filter, a field or a count refers to something else.
    MeaningChanged,
    /// A token needs another scope.
    ScopeChanged,
    /// Generated code has other names.
    NamesChanged,
    /// Fewer answers conform.
    ConformanceNarrower,
    /// No rule knows the change.
    Unknown,
    /// Clients may send more.
    AcceptsMore,
    /// Clients receive less.
    AnswersLess,
    /// A part is new that a client need not know.
    Added,
    /// A component; a client meets it only where it is used.
    Component,
    /// More answers conform.
    ConformanceWider,
    /// A part that clients do not depend on.
    Incidental,
    /// Descriptions and examples, and where an element comes from.
    ReadersOnly,
}

impl Reason {
    /// Whether the change breaks.
    pub fn effect(self) -> Effect {
        match self {
            Self::ReadersOnly => Effect::Words,
            Self::AcceptsMore
            | Self::AnswersLess
            | Self::Added
            | Self::Component
            | Self::ConformanceWider
            | Self::Incidental => Effect::Compatible,
            _ => Effect::Breaking,
        }
    }

    /// Who sends the values that the change is about; operations that use a component otherwise are not touched.
    pub(super) fn direction(self) -> Direction {
        Direction {
            is_sent: !matches!(
                self,
                Self::ValueUnknown | Self::NullPossible | Self::MemberOptional | Self::AnswersLess
            ),
            is_received: !matches!(
                self,
                Self::RequestRefused | Self::ParameterRequired | Self::AcceptsMore
            ),
        }
    }

    /// Of a schema that takes more values: `unknown` if clients receive them.
    pub(super) fn wider(direction: Direction, unknown: Self) -> Self {
        match direction.is_received {
            true => unknown,
            false => Self::AcceptsMore,
        }
    }

    /// Of a schema that takes fewer values: `refused` if clients send them.
    pub(super) fn narrower(direction: Direction, refused: Self) -> Self {
        match direction.is_sent {
            true => refused,
            false => Self::AnswersLess,
        }
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OperationGone => "Clients that call the operation get an error.",
            Self::ParameterGone => "The server refuses clients that send the parameter.",
            Self::ParameterRequired => "The server refuses clients that do not send it.",
            Self::ChoiceGone => "The server refuses clients that ask for it.",
            Self::RequestRefused => "The server refuses values that clients could send.",
            Self::ValueUnknown => "Clients receive values that they do not know.",
            Self::NullPossible => "Clients receive null where they expect a value.",
            Self::MemberOptional => "Clients do not receive a member that they expect.",
            Self::MemberGone => "Clients that read or send the member fail.",
            Self::HeaderGone => "Clients that read the header do not find it.",
            Self::StatusChanged => "Clients receive a status of success that they do not expect.",
            Self::FormChanged => "Clients send or expect another form of the value.",
            Self::MeaningChanged => "The same request or answer means something else.",
            Self::ScopeChanged => "The server refuses clients whose token does not have the scope.",
            Self::NamesChanged => "Code that clients generate has other names.",
            Self::ConformanceNarrower => "Servers that conformed can fail.",
            Self::Unknown => "No rule knows the change, so it counts as breaking.",
            Self::AcceptsMore => "The server accepts more; old requests stay right.",
            Self::AnswersLess => "Clients receive only values that they know.",
            Self::Added => "Clients need not know it.",
            Self::Component => "It counts where an operation uses it.",
            Self::ConformanceWider => "More servers conform.",
            Self::Incidental => "No client depends on it.",
            Self::ReadersOnly => "Only readers see it.",
        })
    }
}
