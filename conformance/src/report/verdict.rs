//! What a run comes to.

use rollcall_oracle::http::target::TargetError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::checks::Level;
use crate::engine::outcome::Outcome;
use crate::report::Checked;

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// All that was tested is as the specification says.
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

impl Verdict {
    /// The verdict in a word or two.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::Violates => "violates",
            Self::TooLittle { .. } => "too little",
            Self::CouldNotRun { .. } => "could not run",
            Self::Unreachable { .. } => "unreachable",
        }
    }

    /// What is said of the target, after its name.
    pub fn sentence(&self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::Violates => "violates the specification",
            Self::TooLittle { .. } => "showed too little to tell whether it conforms",
            Self::CouldNotRun { .. } => "could not be judged",
            Self::Unreachable { .. } => "does not answer",
        }
    }

    /// Why, where it is not the checks that say so.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Conforms | Self::Violates => None,
            Self::TooLittle { why } | Self::CouldNotRun { why } | Self::Unreachable { why } => Some(why),
        }
    }

    /// The verdict that the outcomes of checks add up to.
    pub(crate) fn of(checks: &[Checked]) -> Self {
        let is_failed = |check: &Checked| matches!(check.outcome, Outcome::Failed { .. });
        if checks.iter().any(is_failed) {
            return Self::Violates;
        }
        for check in checks {
            if let Outcome::Error { why } = &check.outcome {
                return Self::too_little(format!("{} could not be finished: {why}", check.id));
            }
        }
        let is_judged = |check: &&Checked| check.level != Level::Observe;
        let mut telling: Vec<_> = checks.iter().filter(is_judged).collect();
        if telling.iter().any(|check| check.core) {
            telling.retain(|check| check.core);
        }
        if !telling.is_empty() && !telling.iter().any(|check| check.is_exercised()) {
            let why = "too little evidence: no check that looks at records could be exercised";
            return Self::too_little(format!("{why}; {}", needs(&telling)));
        }
        Self::Conforms
    }

    /// What a run comes to that trouble ended before anything was judged.
    pub(crate) fn of_target_error(error: &TargetError) -> Self {
        let why = error.to_string();
        match error {
            TargetError::NoAnswer { .. } => Self::Unreachable { why },
            TargetError::Busy { .. }
            | TargetError::TooLong { .. }
            | TargetError::Time { .. }
            | TargetError::Oversized { .. }
            | TargetError::Budget { .. } => Self::TooLittle { why },
        }
    }

    pub(crate) fn too_little(why: impl Into<String>) -> Self {
        Self::TooLittle { why: why.into() }
    }

    pub(crate) fn could_not_run(why: impl Into<String>) -> Self {
        Self::CouldNotRun { why: why.into() }
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
