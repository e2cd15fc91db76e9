//! What changed between two contracts, and whether it breaks the clients of the old one.
//!
//! Invariant: every difference between the two documents is in the result. A difference that no rule knows is breaking.

mod compare;
mod direction;
mod judge;
mod place;
mod reason;
mod report;

use std::fmt::{self, Display};

use crate::{Document, Pointer};

pub use reason::Reason;
pub use report::Report;

/// What a change does to a client that was made from the old contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// A request that was right can be refused or mean something else, or an answer can be what the client does not know.
    Breaking,
    /// The API can do more or demands less; what was right stays right.
    Compatible,
    /// Descriptions and examples, and where an element comes from.
    Words,
}

/// A difference between two contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The element, such as `GET /directory/users, filter[email]`.
    pub element: String,
    /// What is different about it, such as `x-filter/match: exact → contains`.
    pub difference: String,
    /// Why it breaks a client or a server, or breaks neither.
    pub reason: Reason,
    /// The operations that it touches, in either document, as `GET /directory/users`.
    pub operations: Vec<String>,
    /// Where it is in the new document; a part that is gone has the place where it would be.
    pub at: Pointer,
}

impl Change {
    /// What it does to clients.
    pub fn effect(&self) -> Effect {
        self.reason.effect()
    }
}

impl Document {
    /// What is different in `new`, breaking changes first, else in the order of the documents.
    pub fn changes(&self, new: &Self) -> Vec<Change> {
        let mut changes = compare::documents(self, new);
        changes.sort_by_key(Change::effect);
        changes
    }
}

impl Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Breaking => "breaking",
            Self::Compatible => "compatible",
            Self::Words => "words",
        })
    }
}
