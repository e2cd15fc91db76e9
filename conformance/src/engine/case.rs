//! One thing to look at: some requests, and what would be wrong about their answers.

use std::sync::Arc;

use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::judge::Violation;

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
pub(crate) struct About(String, Option<Clause>);

impl From<&str> for About {
    fn from(part: &str) -> Self {
        Self(part.to_owned(), None)
    }
}

impl From<String> for About {
    fn from(part: String) -> Self {
        Self(part, None)
    }
}

impl From<(String, Clause)> for About {
    fn from((part, clause): (String, Clause)) -> Self {
        Self(part, Some(clause))
    }
}

impl Case {
    /// A case about a part of a list.
    pub(crate) fn new(
        list: usize,
        about: impl Into<About>,
        requests: Vec<Request>,
        judge: impl Fn(&[Arc<ListResponse>], &ListCorpus) -> Option<Violation> + Send + Sync + 'static,
    ) -> Self {
        let About(about, clause) = about.into();
        Self {
            list,
            about,
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
