//! Suggests the annotations of a document from the names and shapes of its elements, for a person to confirm.
//!
//! `answer.rs` finds the records in the answer of a list, `members.rs` the members of a record. `rules.rs` is the table of
//! what is recognised in a parameter. `lists.rs` brings the readings of all lists together: one parameter may belong to several.
//!
//! Invariants: an element that has an annotation is left as it is. A parameter of a list is either annotated, suggested, or
//! named with the reason why it is not.

mod answer;
mod filters;
mod identifier;
mod lists;
mod members;
mod name;
mod order;
mod question;
mod relations;
mod rules;
mod words;

use serde_json::Value;

use crate::{Document, Pointer};

pub use rules::{RULES, Rule};

/// What is suggested for a document, and what is not understood, in document order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// The annotations.
    pub made: Vec<Suggestion>,
    /// The elements that need one and for which none is suggested.
    pub unclear: Vec<Unclear>,
}

/// An annotation for one element.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The element.
    pub at: Pointer,
    /// The annotation, such as `x-filter`.
    pub annotation: &'static str,
    /// What it says.
    pub value: Value,
    /// What in the document suggests it.
    pub why: String,
}

/// An element that needs an annotation and for which none is suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// The element.
    pub at: Pointer,
    /// Its name: that of a parameter, or the path of an operation.
    pub name: String,
    /// Why nothing is suggested.
    pub why: String,
}

/// Suggests annotations for a document of any API.
pub fn suggest(document: &Document) -> Suggestions {
    let mut suggestions = Suggestions::default();
    let lists = lists::find(document, &mut suggestions.unclear);
    suggestions.made.extend(identifier::suggest(document, &lists));
    lists::suggest(&lists, &mut suggestions);
    suggestions
}
