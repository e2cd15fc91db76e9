//! One thing to look at: some requests, and what would be wrong about their answers.
//!
//! Invariant: an accusation names the records it rests on, or is about the answer as such, so that it can be looked at
//! again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::corpus::listing::ListResponse;
use crate::corpus::{ListCorpus, Projection};
use crate::engine::finding::Clause;
use crate::http::request::Request;

/// What is wrong about some answers, in the order of the requests, on a list as it is now.
pub(crate) type Judge = dyn Fn(&[Arc<ListResponse>], &ListCorpus) -> Option<Violation> + Send + Sync;

/// One thing to look at.
pub(crate) struct Case {
    /// The list, as an index into the corpus.
    pub(crate) list: usize,
    /// The part of the list it is about, such as a parameter.
    pub(crate) about: String,
    /// The clause of the contract's element that would be violated; without one, the clause of the check.
    pub(crate) clause: Option<Clause>,
    /// The parameters it takes for granted: if one has failed already, nothing is judged.
    pub(crate) depends_on: Vec<String>,
    /// The parameters that a violation discredits for all that comes later.
    pub(crate) invalidates: Vec<String>,
    /// What is asked.
    pub(crate) requests: Vec<Request>,
    /// The ways to read the list that the judgement rests on, besides the answers.
    pub(crate) projections: Vec<Projection>,
    /// What is missing where an answer has no records, if that shows nothing; none if no records are fine.
    pub(crate) needs: Option<String>,
    /// What would be wrong.
    pub(crate) judge: Box<Judge>,
}

/// The part of a list that a case is about, with the clause of the contract's element where it is one.
pub(crate) struct About {
    part: String,
    clause: Option<Clause>,
}

impl From<&str> for About {
    fn from(part: &str) -> Self {
        Self::from(part.to_owned())
    }
}

impl From<String> for About {
    fn from(part: String) -> Self {
        Self { part, clause: None }
    }
}

impl From<(String, Clause)> for About {
    fn from((part, clause): (String, Clause)) -> Self {
        Self {
            part,
            clause: Some(clause),
        }
    }
}

/// What looks wrong about the answers to some requests.
#[derive(Debug)]
pub(crate) struct Violation {
    /// What should have come back.
    pub(crate) expected: String,
    /// What came back.
    pub(crate) actual: String,
    /// The records it rests on; none if it is about the answer as such.
    pub(crate) record_ids: Option<BTreeSet<String>>,
    /// Whether the culprits are missing from the answers: then a further request shows that they exist.
    pub(crate) absence: bool,
    /// The answers that show it, by their place among the requests; none for all.
    pub(crate) reproduction: Option<Vec<usize>>,
}

impl Case {
    /// A case about a part of a list.
    pub(crate) fn new(
        list: usize,
        about: impl Into<About>,
        requests: Vec<Request>,
        judge: impl Fn(&[Arc<ListResponse>], &ListCorpus) -> Option<Violation> + Send + Sync + 'static,
    ) -> Self {
        let About { part, clause } = about.into();
        Self {
            list,
            about: part,
            clause,
            depends_on: Vec::new(),
            invalidates: Vec::new(),
            requests,
            projections: Vec::new(),
            needs: None,
            judge: Box::new(judge),
        }
    }

    /// The case, taking these parameters for granted.
    #[must_use]
    pub(crate) fn resting_on(mut self, parameters: impl IntoIterator<Item = String>) -> Self {
        self.depends_on.extend(parameters);
        self
    }

    /// The case, which discredits these parameters if it is a violation.
    #[must_use]
    pub(crate) fn invalidates(mut self, parameters: impl IntoIterator<Item = String>) -> Self {
        self.invalidates.extend(parameters);
        self
    }

    /// The case, which shows nothing where an answer has no records.
    #[must_use]
    pub(crate) fn needing(mut self, what: impl Into<String>) -> Self {
        self.needs = Some(what.into());
        self
    }

    /// The case, judged by these ways to read the list.
    #[must_use]
    pub(crate) fn seen_in(mut self, projections: impl IntoIterator<Item = Projection>) -> Self {
        self.projections.extend(projections);
        self
    }
}

impl Violation {
    /// About an answer as such.
    pub(crate) fn of_answer(expected: impl Into<String>, answer: &ListResponse) -> Self {
        Self {
            expected: expected.into(),
            actual: answer.describe(),
            record_ids: None,
            absence: false,
            reproduction: None,
        }
    }

    /// About some records; none of them, no accusation.
    pub(crate) fn of_records(
        record_ids: BTreeSet<String>,
        expected: impl Into<String>,
        actual: impl FnOnce(&str) -> String,
    ) -> Option<Self> {
        let first = record_ids.first()?;
        let names = match record_ids.len() {
            1 => first.clone(),
            count => format!("{first} and {} more", count - 1),
        };
        Some(Self {
            expected: expected.into(),
            actual: actual(&names),
            record_ids: Some(record_ids),
            absence: false,
            reproduction: None,
        })
    }

    /// The accusation, whose records are missing from the answers.
    pub(crate) fn of_absence(mut self) -> Self {
        self.absence = true;
        self
    }

    /// The accusation, shown by some of the answers.
    pub(crate) fn shown_by(mut self, answers: impl Into<Vec<usize>>) -> Self {
        self.reproduction = Some(answers.into());
        self
    }

    /// The accusation, as far as it rests on records that the earlier one rests on too.
    pub(crate) fn confirm(mut self, earlier: &Self) -> Option<Self> {
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
