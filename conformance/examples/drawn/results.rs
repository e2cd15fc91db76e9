//! The results of the mutants.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::shared::kept::Kept;

/// A mutant with what came out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The seed it was drawn from.
    pub(crate) seed: u64,
    /// Its place among the mutants of the seed.
    pub(crate) index: usize,
    /// What it does. Two mutants of one name do the same.
    pub(crate) name: String,
    /// The kind of its operator.
    pub(crate) kind: String,
    /// The kind of its condition.
    pub(crate) condition: String,
    /// What it is.
    pub(crate) class: Class,
    /// The question that shows it, or why it cannot be said what it is.
    pub(crate) shown: String,
    /// How the runner judged it; none if it was not asked.
    pub(crate) judged: Option<Judged>,
}

/// What a mutant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    /// It breaks the specification.
    Violates,
    /// No answer tells it from the model.
    Equivalent,
    /// It cannot be said.
    Undecided,
}

/// What a run of the runner has come to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Judged {
    /// The checks that failed.
    pub(crate) failed: Vec<String>,
    /// How many roots were told.
    pub(crate) roots: usize,
    /// What the run came to, in a word.
    pub(crate) verdict: String,
    /// How many requests it sent.
    pub(crate) requests: usize,
    /// How long it took.
    pub(crate) seconds: f64,
}

impl Line {
    /// Whether the runner found something.
    pub(crate) fn is_found(&self) -> bool {
        self.judged
            .as_ref()
            .is_some_and(|judged| !judged.failed.is_empty())
    }
}

/// All results so far.
pub(crate) type Results = Kept<Line>;

impl Results {
    /// The places of the mutants of a seed that are done.
    pub(crate) fn done(&self, seed: u64) -> HashSet<usize> {
        let lines = self.lines().iter().filter(|line| line.seed == seed);
        lines.map(|line| line.index).collect()
    }

    /// The first so many mutants of a seed, in their order.
    pub(crate) fn of(&self, seed: u64, count: usize) -> Vec<&Line> {
        let lines = self.lines().iter();
        let mut lines: Vec<_> = lines
            .filter(|line| line.seed == seed && line.index < count)
            .collect();
        lines.sort_by_key(|line| line.index);
        lines
    }
}
