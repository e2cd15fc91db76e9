//! What conforming models answer to a question: the model that is mutated, and its variants at the open points.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use super::answer::{Answer, answer, ask, digest, read};
use super::compare::difference;
use super::question::{Look, Question};
use super::shown::Shown;
use crate::model::Rows;
use crate::mutation::Sample;
use crate::{Hooks, Model, Variant, benign};

/// The digests of the model's replies to questions that were asked before.
static KNOWN: LazyLock<Mutex<HashMap<String, u64>>> = LazyLock::new(Mutex::default);

/// Models that conform, with the records that a target shows.
pub(super) struct Expected {
    model: Model,
    rows: Rows,
    /// Whether the records are those of the sample, so that answers are the same for every target.
    is_sample: bool,
}

/// In what two answers differ.
pub(super) enum Difference {
    /// In nothing that is compared.
    Same,
    /// In what an open point leaves.
    Open,
    /// In what the specification fixes.
    Fixed(String),
}

impl Expected {
    /// What is expected of a target: answers that go with the records that it shows when it is asked in a plain way.
    pub(super) fn of(target: &Model) -> Result<Self, String> {
        let Shown { rows, is_sample } = Shown::by(target)?;
        Ok(Self {
            model: Model::of(rows.clone(), Hooks::default()),
            rows,
            is_sample,
        })
    }

    /// In what the answer of a target differs from that of the model.
    pub(super) fn difference(&self, question: &Question, target: &Model) -> Difference {
        let replies = ask(target, question);
        if digest(&replies) == self.digest(question) {
            return Difference::Same;
        }
        match difference(question, &whole(&self.model, question), &read(replies)) {
            Some(difference) => Difference::Fixed(difference),
            // The windows over timestamps that no record shows are only looked at for being answered (L17).
            None if question.look == Look::Status => Difference::Open,
            None => Difference::Same,
        }
    }

    /// Whether some accepted answer to an open point explains the answer of a target.
    pub(super) fn is_allowed(&self, question: &Question, target: &Model) -> bool {
        let got = answer(target, question);
        let explains = |model: &Model| difference(question, &whole(model, question), &got).is_none();
        match self.is_sample {
            true => models().iter().any(explains),
            false => accepted()
                .iter()
                .any(|variant| explains(&Model::of(self.rows.clone(), variant.hooks()))),
        }
    }

    fn digest(&self, question: &Question) -> u64 {
        let key = self.is_sample.then(|| question.to_string());
        let known = key
            .as_ref()
            .and_then(|key| KNOWN.lock().unwrap().get(key).copied());
        known.unwrap_or_else(|| {
            let digest = digest(&ask(&self.model, question));
            key.map(|key| KNOWN.lock().unwrap().insert(key, digest));
            digest
        })
    }
}

/// The variants that conform, with the records of the sample.
fn models() -> &'static [Model] {
    static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| {
        let rows = &Sample::get().rows;
        let variants = accepted().iter();
        variants
            .map(|variant| Model::of(rows.clone(), variant.hooks()))
            .collect()
    });
    &MODELS
}

/// The whole list that a question is about: a page is compared with its part of it.
fn whole(model: &Model, question: &Question) -> Answer {
    let whole = Question {
        look: if question.look == Look::Status {
            Look::Status
        } else {
            Look::Walk
        },
        before: Vec::new(),
        ..question.clone()
    };
    answer(model, &whole)
}

/// The variants of the shelf that answer an open point otherwise and have the same records.
pub(super) fn accepted() -> &'static [Variant] {
    static ACCEPTED: LazyLock<Vec<Variant>> = LazyLock::new(|| {
        let variants = benign::variants().into_iter();
        variants
            .filter(|variant| {
                variant.answer.is_some_and(|answer| {
                    MATTERING.contains(&answer.0) && !EXPLAINS_NOTHING.contains(&answer)
                })
            })
            .collect()
    });
    &ACCEPTED
}

/// Answers that explain no single answer: a field that cannot be sorted by is refused everywhere, and pages of another size
/// or an order of no kind show in every list.
const EXPLAINS_NOTHING: [(&str, &str); 3] = [("L5", "fewer-fields"), ("L5", "no-order"), ("L3", "any-size")];

/// The open points about which questions are asked. Every other one is met by what is not asked or not compared.
const MATTERING: [&str; 13] = [
    "R1", "R9", "R10", "R11", "R14", "R15", "L5", "L6", "L9", "L10", "L16", "L19", "L3",
];
