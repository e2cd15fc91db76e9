//! Targets that do the very same as an accepted variant, whatever questions make of it: all pages in an envelope, for one.

use std::sync::LazyLock;

use super::Class;
use super::answer::{ask, digest};
use super::question::{Question, general};
use crate::mutation::{Sample, original};
use crate::{Hooks, Model, Variant, benign};

/// So many questions are asked to tell two targets apart.
const QUESTIONS: usize = 30;

/// A violation, unless an accepted variant gives the same reply to every question and to the one that shows the violation.
pub(super) fn unless_accepted(
    hooks: &dyn Fn() -> Hooks,
    question: Option<&Question>,
    shown: String,
) -> Class {
    let own = digests(hooks(), question);
    let is_same = |(variant, known): &&(Variant, Vec<u64>)| {
        own.starts_with(known) && own == digests(variant.hooks(), question)
    };
    match variants().iter().find(is_same) {
        Some(_) => Class::Undecided("it does what an accepted variant does"),
        None => Class::Violates(shown),
    }
}

/// The variants that are told from the model by these questions, with the digests of their replies.
fn variants() -> &'static [(Variant, Vec<u64>)] {
    static VARIANTS: LazyLock<Vec<(Variant, Vec<u64>)>> = LazyLock::new(|| {
        let model = digests(original().hooks(), None);
        let sections = [
            benign::records::variants(),
            benign::lists::variants(),
            benign::operations::variants(),
            benign::access::variants(),
        ];
        let variants = sections.into_iter().flatten();
        let known = variants.map(|variant| {
            let digests = digests(variant.hooks(), None);
            (variant, digests)
        });
        known.filter(|(_, digests)| *digests != model).collect()
    });
    &VARIANTS
}

fn digests(hooks: Hooks, question: Option<&Question>) -> Vec<u64> {
    let target = Model::of(Sample::get().rows.clone(), hooks);
    let questions = general().iter().take(QUESTIONS).chain(question);
    questions
        .map(|question| digest(&ask(&target, question)))
        .collect()
}
