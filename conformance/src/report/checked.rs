//! A check and what it came to.

use std::fmt;
use std::time::Duration;

use rollcall_contract::{Contract, Rule};
use schemars::JsonSchema;
use serde::Serialize;

use crate::checks::{Check, Level, find};
use crate::engine::outcome::Outcome;

/// A sentence of the specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Demand {
    /// Its clause.
    pub clause: String,
    /// The sentence, in our words.
    pub says: String,
}

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
    /// The sentences that the target breaks if it fails.
    pub demands: Vec<Demand>,
    /// Where to look first. Empty unless the check fails.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub advice: &'static str,
    /// What it came to.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How many requests were sent for it, those that later checks look at as well among them.
    pub requests: usize,
    #[serde(skip)]
    pub(super) core: bool,
    /// How long it took, in seconds.
    #[serde(skip)]
    pub(super) seconds: f64,
}

impl Demand {
    /// A rule of the contract.
    pub(crate) fn of(rule: &Rule) -> Self {
        Self {
            clause: rule.source.join(", "),
            says: rule.says.clone(),
        }
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.clause, self.says)
    }
}

impl Checked {
    /// A check with its outcome.
    pub fn new(check: &'static Check, outcome: Outcome) -> Self {
        Self {
            id: check.id,
            clause: check.clause,
            level: check.level,
            says: check.says,
            demands: Vec::new(),
            advice: advice(check, &outcome),
            outcome,
            requests: 0,
            core: check.core,
            seconds: 0.0,
        }
    }

    /// Takes another outcome, which a later check has found out.
    pub(crate) fn revise(&mut self, outcome: Outcome) {
        self.advice = find(self.id).map_or("", |check| advice(check, &outcome));
        self.outcome = outcome;
    }

    /// The same, with the sentences that the contract has for it.
    pub(crate) fn demanding(mut self, contract: &Contract) -> Self {
        let check = find(self.id);
        let rules = check.into_iter().flat_map(|check| check.demanded(contract));
        self.demands = rules.map(Demand::of).collect();
        self
    }

    /// The same, with the time it took and the requests that were sent.
    pub(crate) fn taking(self, time: Duration, requests: usize) -> Self {
        Self {
            seconds: time.as_secs_f64(),
            requests,
            ..self
        }
    }

    pub(super) fn is_exercised(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::Passed { .. } | Outcome::Failed { .. } | Outcome::Waived { .. }
        )
    }
}

/// Where to look first, if something was found.
fn advice(check: &'static Check, outcome: &Outcome) -> &'static str {
    match outcome.findings() {
        [] => "",
        _ => check.advice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::finding::Finding;
    use rollcall_oracle::corpus::clause::Clause;

    #[test]
    fn a_check_that_fails_later_has_advice() {
        let check = find("E2").unwrap();
        let mut checked = Checked::new(
            check,
            Outcome::Passed {
                cases: 1,
                gaps: Vec::new(),
                unjudged: Vec::new(),
            },
        );
        assert_eq!(checked.advice, "");
        checked.revise(Outcome::Failed {
            cases: 1,
            findings: vec![Finding::new(
                "",
                Clause::of_check(check.clause),
                ("", ""),
                Vec::new(),
            )],
        });
        assert_eq!(checked.advice, check.advice);
    }
}
