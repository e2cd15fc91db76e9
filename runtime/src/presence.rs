//! A member that may be absent, null, or a value, kept apart (an absent relation was not asked for; a null one is empty).
//! The functions read a member of a generated object: `#[serde(deserialize_with = …)]`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What stands for a member of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Presence<T> {
    /// The member is not there.
    #[default]
    Absent,
    /// The member is there and null.
    Null,
    /// The member has a value.
    Value(T),
}

impl<T> Presence<T> {
    /// Whether the member is not there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, where absent and null mean the same.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

impl<T> From<Option<T>> for Presence<T> {
    /// A member that is there, null without a value.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl<T: Serialize> Serialize for Presence<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Absent | Self::Null => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Presence<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}

/// Reads a member that is required and may be null: serde alone would take an absent one for null.
///
/// # Errors
/// The value is no `T`.
pub fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// Reads a member that may be absent but not null: serde alone would take null for absent.
///
/// # Errors
/// The value is null or no `T`.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
