//! Mutation operators: what a mutant does otherwise than the model, one file for each kind.

mod access;
mod body;
mod effect;
mod include;
mod member;
mod membership;
mod order;
mod paging;
mod predicate;
mod response;
mod trashed;
mod unknown_id;
mod value;

use std::sync::Arc;

use super::{Condition, Draw, Sample, ValueClass};
use crate::{Asked, Hooks};

/// When an operator is at work.
pub type When = Arc<Condition>;

type Apply = Box<dyn Fn(&mut Hooks, &When) + Send + Sync>;

/// One change to the model.
pub struct Operator {
    /// The kind of change, for tables.
    pub kind: &'static str,
    /// The change, in words that tell it from every other.
    pub text: String,
    /// What its condition can be about.
    pub scope: Scope,
    /// The parameters that it is about, each with a word of its value; no word stands for any value.
    pub about: Vec<(String, String)>,
    /// The class of values that it is about, if it is about one.
    pub class: Option<ValueClass>,
    /// Makes it so.
    pub apply: Apply,
}

/// What the condition of an operator can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One record of an answer.
    Record,
    /// One record held against a filter.
    Filter,
    /// The value of a filter.
    Value,
    /// A reading request as a whole.
    Query,
    /// A write.
    Write,
    /// Whether a request is granted.
    Access,
}

impl Operator {
    fn new(
        kind: &'static str,
        scope: Scope,
        text: impl Into<String>,
        apply: impl Fn(&mut Hooks, &When) + Send + Sync + 'static,
    ) -> Self {
        Self {
            kind,
            text: text.into(),
            scope,
            about: Vec::new(),
            class: None,
            apply: Box::new(apply),
        }
    }

    /// Says which parameter it is about.
    fn about(mut self, name: &str, word: &str) -> Self {
        self.about.push((name.to_owned(), word.to_owned()));
        self
    }
}

/// Draws an operator. How often each kind is drawn is about how much of the specification it is about.
pub(super) fn draw(draw: &mut Draw, sample: &Sample) -> Operator {
    match draw.below(100) {
        0..14 => member::draw(draw, sample),
        14..34 => membership::draw(draw, sample),
        34..44 => value::draw(draw, sample),
        44..49 => trashed::draw(draw),
        49..60 => order::draw(draw, sample),
        60..69 => paging::draw(draw),
        69..83 => include::draw(draw, sample),
        83..87 => response::draw(draw),
        87..90 => access::draw(draw),
        90..95 => body::draw(draw),
        _ => effect::draw(draw),
    }
}

/// Whether a reading request for the list of users meets the condition.
fn is_meant(asked: &Asked, when: &When) -> bool {
    asked.on(crate::model::USERS) && when.asked(asked)
}
