//! What a run has shown. The forms it is written in stand below; all are written from this one value.

pub mod console;
mod format;
pub mod json;

use serde::Serialize;

pub use format::{Format, UnknownFormat};

use crate::checks::{Check, Level};
use crate::outcome::Outcome;
use crate::target::Trouble;

/// The form of the JSON report; it changes when a reader would notice.
pub const FORMAT: u32 = 2;

/// What a run has shown.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The form of this report.
    pub format: u32,
    /// The version of the runner.
    pub runner: &'static str,
    /// The address of the target.
    pub target: String,
    /// The seed that repeats the run.
    pub seed: u64,
    /// What it comes to.
    pub verdict: Verdict,
    /// The checks in the order they ran.
    pub checks: Vec<Checked>,
    /// What a reader has to know about how the run was made.
    pub notes: Vec<String>,
    /// What is to be said about waivers as such.
    pub waivers: Vec<WaiverNote>,
    /// How many requests were sent.
    pub requests: usize,
}

/// What is to be said about a waiver that did not simply waive a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaiverNote {
    /// What is the matter with it.
    pub kind: WaiverKind,
    /// The waiver and what to do about it, in a sentence.
    pub note: String,
}

/// What can be the matter with a waiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WaiverKind {
    /// Its check does not fail any more.
    Stale,
    /// Its last day has passed.
    Expired,
    /// It means nothing that this run looked at.
    Unused,
}

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Everything that could be looked at was right.
    Conforms,
    /// The specification is violated.
    Violates,
    /// The run was made and showed too little to conclude anything.
    TooLittle {
        /// What is missing.
        why: String,
    },
    /// The run could not be made: a wrong token, a wrong address, a configuration that contradicts itself.
    CouldNotRun {
        /// Why.
        why: String,
    },
    /// The target does not answer.
    Unreachable {
        /// What the network says.
        why: String,
    },
}

/// A check and what it came to.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Its number.
    pub id: &'static str,
    /// The clause it comes from.
    pub clause: &'static str,
    /// How binding it is.
    pub level: Level,
    /// What the specification says, in our words.
    pub says: &'static str,
    /// What it came to.
    #[serde(flatten)]
    pub outcome: Outcome,
    #[serde(skip)]
    core: bool,
}

impl Checked {
    pub(crate) fn new(check: &'static Check, outcome: Outcome) -> Self {
        let Check {
            id,
            clause,
            level,
            says,
            core,
            ..
        } = *check;
        Self {
            id,
            clause,
            level,
            says,
            outcome,
            core,
        }
    }

    fn is_exercised(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::Passed { .. } | Outcome::Failed { .. } | Outcome::Waived { .. }
        )
    }
}

impl Verdict {
    /// The verdict that the outcomes of checks add up to.
    pub(crate) fn of(checks: &[Checked]) -> Self {
        if checks
            .iter()
            .any(|check| matches!(check.outcome, Outcome::Failed { .. }))
        {
            return Self::Violates;
        }
        if let Some((id, why)) = checks.iter().find_map(|check| match &check.outcome {
            Outcome::Error { why } => Some((check.id, why)),
            _ => None,
        }) {
            return Self::too_little(format!("{id} could not be finished: {why}"));
        }
        let judged = || checks.iter().filter(|check| check.level != Level::Observe);
        let telling: Vec<_> = match judged().any(|check| check.core) {
            true => judged().filter(|check| check.core).collect(),
            false => judged().collect(),
        };
        if !telling.is_empty() && !telling.iter().any(|check| check.is_exercised()) {
            let why = "too little evidence: none of the checks that look at records could be exercised";
            return Self::too_little(format!("{why}; {}", needs(&telling)));
        }
        Self::Conforms
    }

    /// What a run comes to that trouble ended before anything was judged.
    pub(crate) fn of_trouble(trouble: &Trouble) -> Self {
        let why = trouble.to_string();
        match trouble {
            Trouble::NoAnswer { .. } => Self::Unreachable { why },
            Trouble::Busy { .. } | Trouble::Oversized { .. } | Trouble::Budget { .. } => {
                Self::TooLittle { why }
            }
        }
    }

    pub(crate) fn too_little(why: impl Into<String>) -> Self {
        Self::TooLittle { why: why.into() }
    }

    pub(crate) fn could_not_run(why: impl Into<String>) -> Self {
        Self::CouldNotRun { why: why.into() }
    }
}

impl Report {
    /// The check with this number, if it ran.
    pub fn check(&self, id: &str) -> Option<&Checked> {
        self.checks.iter().find(|check| check.id == id)
    }

    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Checked> {
        self.checks
            .iter()
            .filter(|check| matches!(check.outcome, Outcome::Failed { .. }))
    }
}

/// What the first of some checks lacked.
fn needs(checks: &[&Checked]) -> String {
    let first = checks.iter().find_map(|check| match &check.outcome {
        Outcome::NotExercised { needs } => Some(format!("{} needs {}", check.id, needs.join("; "))),
        Outcome::Inconclusive { why } => Some(format!("{} saw {}", check.id, why.join("; "))),
        Outcome::NotOffered { what } => Some(format!("{} needs {}", check.id, what.join("; "))),
        _ => None,
    });
    first.unwrap_or_default()
}
