//! What changed between two contracts, and whether it breaks the clients of the old one.
//!
//! Invariant: every difference between the two documents is in the result. A difference that no rule knows is breaking.

mod compare;
mod direction;
mod judge;
mod place;

use std::fmt::{self, Display};

use crate::Document;
use place::Place;

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
    /// What it does to clients.
    pub effect: Effect,
}

impl Document {
    /// What is different in `new`, breaking changes first, else in the order of the documents.
    pub fn changes(&self, new: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        compare::documents(self, new, &mut |place: &Place, difference, effect| {
            changes.push(Change {
                element: place.element(),
                difference: place.inside(&difference),
                effect,
            });
        });
        changes.sort_by_key(|change| change.effect);
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

/// Changes as Markdown: a list for each effect.
pub fn markdown(changes: &[Change]) -> String {
    let mut text = String::new();
    for (effect, heading) in [
        (Effect::Breaking, "Breaking"),
        (Effect::Compatible, "Compatible"),
        (Effect::Words, "Words only"),
    ] {
        let of_effect: Vec<_> = changes.iter().filter(|change| change.effect == effect).collect();
        if !of_effect.is_empty() {
            text += &format!("### {heading}\n\n");
            for change in of_effect {
                text += &format!("- {}: {}\n", code(&change.element), escaped(&change.difference));
            }
            text.push('\n');
        }
    }
    if text.is_empty() {
        text += "Nothing changed.\n";
    }
    text
}

/// A name as code, whatever it has in it.
fn code(name: &str) -> String {
    format!("`{}`", name.replace(['`', '\n'], " "))
}

/// A text in which Markdown finds no sign of its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push(' '),
            '*' | '_' | '`' | '[' | ']' | '<' | '>' | '|' | '\\' => escaped.extend(['\\', letter]),
            letter => escaped.push(letter),
        }
    }
    escaped
}
