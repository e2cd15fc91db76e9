//! What is wrong about some answers.
//!
//! Invariant: a violation names the records it rests on, or is about the answer as such, so that it can be confirmed.

use std::collections::BTreeSet;

use rollcall_contract::Pointer;

use crate::corpus::listing::ListResponse;

/// What looks wrong about the answers to some requests.
#[derive(Debug)]
pub struct Violation {
    /// What should have come back.
    pub expected: String,
    /// What came back.
    pub actual: String,
    /// The records it rests on; none if it is about the answer as such.
    pub record_ids: Option<BTreeSet<String>>,
    /// Whether the records are missing from the answers: then a further request shows that they exist.
    pub absence: bool,
    /// If records show members otherwise than in another answer, the places that were not compared: all else must stay as it is
    /// while it is looked at again.
    pub compares: Option<BTreeSet<Pointer>>,
    /// The members of records that are wrong, where it is about some.
    pub places: BTreeSet<Pointer>,
    /// The answers that show it, by their place among the requests; none for all.
    pub reproduction: Option<Vec<usize>>,
}

/// The first of some records, and how many more there are; none if there are none.
pub(super) fn named(record_ids: &BTreeSet<String>) -> Option<String> {
    let first = record_ids.first()?;
    Some(match record_ids.len() {
        1 => first.clone(),
        count => format!("{first} and {} more", count - 1),
    })
}

impl Violation {
    /// About an answer as such.
    pub fn of_answer(expected: impl Into<String>, answer: &ListResponse) -> Self {
        Self {
            expected: expected.into(),
            actual: answer.describe(),
            record_ids: None,
            absence: false,
            compares: None,
            places: BTreeSet::new(),
            reproduction: None,
        }
    }

    /// About some records; none of them, no violation.
    pub fn of_records(
        record_ids: BTreeSet<String>,
        expected: impl Into<String>,
        actual: impl FnOnce(&str) -> String,
    ) -> Option<Self> {
        let names = named(&record_ids)?;
        Some(Self {
            expected: expected.into(),
            actual: actual(&names),
            record_ids: Some(record_ids),
            absence: false,
            compares: None,
            places: BTreeSet::new(),
            reproduction: None,
        })
    }

    /// The violation, whose records are missing from the answers.
    pub fn of_absence(mut self) -> Self {
        self.absence = true;
        self
    }

    /// The violation, shown by some of the answers.
    pub fn shown_by(mut self, answers: impl Into<Vec<usize>>) -> Self {
        self.reproduction = Some(answers.into());
        self
    }

    /// The violation, as far as it rests on records that the earlier one rests on too.
    pub fn confirm(mut self, earlier: &Self) -> Option<Self> {
        match (&mut self.record_ids, &earlier.record_ids) {
            (None, None) => Some(self),
            (Some(now), Some(then)) => {
                now.retain(|id| then.contains(id));
                (!now.is_empty()).then_some(self)
            }
            _ => None,
        }
    }
}
