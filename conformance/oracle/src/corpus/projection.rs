//! The ways to read a list.

use crate::corpus::membership::{ONLY, WITH};

/// A way to read a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Projection {
    /// Without parameters.
    Default,
    /// With soft-deleted records, if the list has them.
    Trashed,
    /// With a relation included, or with several.
    Including(String),
    /// With relations included, under a word that shows soft-deleted records.
    IncludingOfDeleted(DeletedScope, String),
}

/// The words that show soft-deleted records, §4.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeletedScope {
    /// Besides the others.
    With,
    /// Alone.
    Only,
}

impl DeletedScope {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::With => Self::Only,
            Self::Only => Self::With,
        }
    }

    /// Both.
    pub const ALL: [Self; 2] = [Self::With, Self::Only];

    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::With => WITH,
            Self::Only => ONLY,
        }
    }
}

impl Projection {
    /// What a target lacks if the list cannot be read in this way.
    pub fn needs(&self) -> String {
        match self {
            Self::Default => "a list that answers with records".to_owned(),
            Self::Trashed => "a list that shows soft-deleted records".to_owned(),
            Self::Including(relation) | Self::IncludingOfDeleted(_, relation) => {
                format!("a list that includes {relation}")
            }
        }
    }
}
