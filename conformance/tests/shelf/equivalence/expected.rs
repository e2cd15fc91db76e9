//! What conforming models answer to a question: the model that is mutated, and its variants at the open points.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use super::answer::{Answer, answer, ask, canonical, digest, read};
use super::compare::difference;
use super::invariant;
use super::question::{Look, Question};
use crate::shelf::model::{Rows, USERS};
use crate::shelf::mutation::Sample;
use crate::shelf::{Hooks, Model, TOKEN, Variant, benign};

/// The digests of the model's replies to questions that were asked before.
static KNOWN: LazyLock<Mutex<HashMap<String, u64>>> = LazyLock::new(Mutex::default);

/// Models that conform, with the records that a target shows.
pub(super) struct Expected {
    model: Model,
    rows: Rows,
    /// Whether the records are those of the sample, so that answers are the same for every target.
    is_sample: bool,
}

impl Expected {
    /// What is expected of a target that shows these records when asked for all of them in a plain way. What it always shows
    /// is its data: another email is no violation as long as every other answer goes with it. A record that contradicts
    /// itself or the specification is one.
    pub(super) fn of(target: &Model) -> Result<Self, String> {
        let sample = Sample::get();
        let mut rows = sample.rows.clone();
        let everything = Question::of(USERS, &[("filter[trashed]", "with"), ("sort", "id")], Look::Walk);
        let Answer::List { records, .. } = answer(target, &everything) else {
            return Err("the list of all users cannot be read".to_owned());
        };
        let mut is_sample = true;
        for record in records {
            let Some(row) = rows
                .of(USERS)
                .iter_mut()
                .find(|row| record["id"] == row.record["id"])
            else {
                return Err(format!("an unknown record is listed: {}", record["id"]));
            };
            if canonical(&row.record) != canonical(&record) {
                if let Some(broken) = invariant::broken(&row.record, &record) {
                    return Err(format!("{}: {broken}", row.id()));
                }
                is_sample = false;
                row.record = record;
            }
        }
        Ok(Self {
            model: Model::of(rows.clone(), Hooks::default()),
            rows,
            is_sample,
        })
    }

    /// In what the answer of a target differs from that of the model.
    pub(super) fn difference(&self, question: &Question, target: &Model) -> Option<String> {
        let replies = ask(target, question);
        if digest(&replies) == self.digest(question) {
            return None;
        }
        difference(question, &whole(&self.model, question), &read(replies))
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

/// Keeps the token out of questions.
pub(super) const GRANTED: &str = TOKEN;
