//! A violation and what shows it.

use std::collections::BTreeSet;

use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::http::exchange::Evidence;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::suspect::Suspect;

/// One violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The list, filter or member concerned.
    pub about: String,
    /// The clause of the specification that is violated.
    #[schemars(with = "String")]
    pub clause: Clause,
    /// What should have come back.
    pub expected: String,
    /// What came back.
    pub actual: String,
    /// The requests that show it.
    pub evidence: Vec<Evidence>,
    /// The filters that have no effect: the answer is the same without them.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub ignored: BTreeSet<String>,
    /// What may be at fault: findings that share a suspect are told as one cause.
    #[serde(skip)]
    pub suspects: BTreeSet<Suspect>,
}

impl Finding {
    /// A violation of which no suspect is known.
    pub fn new(
        about: impl Into<String>,
        clause: Clause,
        (expected, actual): (impl Into<String>, impl Into<String>),
        evidence: Vec<Evidence>,
    ) -> Self {
        Self {
            about: about.into(),
            clause,
            expected: expected.into(),
            actual: actual.into(),
            evidence,
            ignored: BTreeSet::new(),
            suspects: BTreeSet::new(),
        }
    }

    /// The same violation, with what may be at fault.
    #[must_use]
    pub(crate) fn suspecting(mut self, suspects: impl IntoIterator<Item = Suspect>) -> Self {
        self.suspects.extend(suspects);
        self
    }
}
