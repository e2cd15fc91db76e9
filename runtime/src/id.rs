//! Identifiers: the prefix of a resource and a rest of lowercase letters and digits (§2).

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The kind of an identifier; the contract's patterns say which there are.
pub trait IdKind: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// The prefixes allowed, with their underscore.
    const PREFIXES: &'static [&'static str];
    /// What it identifies, in words.
    const RESOURCE: &'static str;
}

/// An identifier of kind `K`; it cannot hold one of another resource.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id<K: IdKind>(Box<str>, PhantomData<K>);

/// Text that is no identifier of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongId {
    /// What it should identify.
    pub resource: &'static str,
    /// How it would begin.
    pub prefixes: &'static [&'static str],
}

impl Display for WrongId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefixes = self.prefixes.join(" or ");
        write!(
            f,
            "not the id of a {}: that is {prefixes} followed by lowercase letters and digits",
            self.resource
        )
    }
}

impl std::error::Error for WrongId {}

impl<K: IdKind> Id<K> {
    /// The whole identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<K: IdKind> FromStr for Id<K> {
    type Err = WrongId;

    fn from_str(text: &str) -> Result<Self, WrongId> {
        Self::try_from(text.to_owned())
    }
}

impl<K: IdKind> TryFrom<String> for Id<K> {
    type Error = WrongId;

    fn try_from(text: String) -> Result<Self, WrongId> {
        let rest = K::PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix));
        match rest {
            Some(rest)
                if !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) =>
            {
                Ok(Self(text.into_boxed_str(), PhantomData))
            }
            _ => Err(WrongId {
                resource: K::RESOURCE,
                prefixes: K::PREFIXES,
            }),
        }
    }
}

impl<K: IdKind> TryFrom<&str> for Id<K> {
    type Error = WrongId;

    fn try_from(text: &str) -> Result<Self, WrongId> {
        text.parse()
    }
}

impl<K: IdKind> Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<K: IdKind> Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<K: IdKind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de, K: IdKind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
