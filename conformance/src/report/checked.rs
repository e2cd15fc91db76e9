//! A check and what it came to.

use schemars::JsonSchema;
use serde::Serialize;

use crate::checks::{Check, Level};
use crate::outcome::Outcome;

/// A check and what it came to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
    pub(super) core: bool,
}

impl Checked {
    /// A check with its outcome.
    pub fn new(check: &'static Check, outcome: Outcome) -> Self {
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

    pub(super) fn is_exercised(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::Passed { .. } | Outcome::Failed { .. } | Outcome::Waived { .. }
        )
    }
}
