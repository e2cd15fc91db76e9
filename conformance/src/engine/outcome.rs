//! What a check comes to, and the tally it is counted from.
//!
//! Invariant: no check passes on an empty sample.

use std::collections::BTreeSet;

use rollcall_contract::Pointer;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::finding::Finding;

/// What a check comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing was wrong in one or more cases.
    Passed {
        /// How many cases were looked at.
        cases: usize,
        /// What could not be looked at, and why.
        gaps: Vec<String>,
        /// Those of the gaps that rest on what has failed already.
        #[serde(skip)]
        unjudged: Vec<Blocked>,
    },
    /// The specification is violated.
    Failed {
        /// How many cases were looked at.
        cases: usize,
        /// The violations.
        findings: Vec<Finding>,
    },
    /// The data at hand lacks what the check needs.
    NotExercised {
        /// What is missing.
        needs: Vec<String>,
    },
    /// Something looked wrong and then did not: data moves.
    Inconclusive {
        /// What looked wrong.
        why: Vec<String>,
    },
    /// The target does not offer what the check is about, and need not.
    NotOffered {
        /// What it does not offer.
        what: Vec<String>,
    },
    /// What it rests on has failed already: to judge it would accuse one fault twice.
    NotJudged {
        /// What failed, and under which check.
        because: Vec<Blocked>,
    },
    /// The specification leaves open what was looked at.
    Observed {
        /// What was seen.
        observations: Vec<Observation>,
    },
    /// The specification is violated, and a waiver says that this is known.
    Waived {
        /// Why it is known.
        reason: String,
        /// How many cases were looked at.
        cases: usize,
        /// The violations.
        findings: Vec<Finding>,
    },
    /// The check could not be finished.
    Error {
        /// What went wrong.
        why: String,
    },
}

/// What the target does where the specification leaves it open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Observation {
    /// The open point, such as `L9`.
    pub point: &'static str,
    /// What was looked at.
    pub question: String,
    /// What the target does, in words that are the same in every run on the same target: profiles are compared by them.
    pub choice: String,
}

impl Outcome {
    /// All words for outcomes, the gravest first.
    pub const WORDS: [&str; 9] = [
        "failed",
        "error",
        "inconclusive",
        "waived",
        "not judged",
        "not exercised",
        "not offered",
        "observed",
        "passed",
    ];

    /// The outcome in a word or two.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed { .. } => "passed",
            Self::Failed { .. } => "failed",
            Self::NotExercised { .. } => "not exercised",
            Self::Inconclusive { .. } => "inconclusive",
            Self::NotOffered { .. } => "not offered",
            Self::NotJudged { .. } => "not judged",
            Self::Observed { .. } => "observed",
            Self::Waived { .. } => "waived",
            Self::Error { .. } => "error",
        }
    }

    /// The outcome with one more violation.
    #[must_use]
    pub(crate) fn with(self, finding: Finding) -> Self {
        let cases = self.cases().unwrap_or(0) + 1;
        let mut findings = match self {
            Self::Failed { findings, .. } | Self::Waived { findings, .. } => findings,
            _ => Vec::new(),
        };
        findings.push(finding);
        Self::Failed { cases, findings }
    }

    /// The violations, also those that are waived.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Failed { findings, .. } | Self::Waived { findings, .. } => findings,
            _ => &[],
        }
    }

    /// What was seen of what the specification leaves open.
    pub fn observations(&self) -> &[Observation] {
        match self {
            Self::Observed { observations } => observations,
            _ => &[],
        }
    }

    /// What it did not look at, or rests on, or what kept it from an end: everything that is said in words and is no
    /// violation and no observation.
    pub fn notes(&self) -> Vec<&str> {
        let texts = match self {
            Self::Passed { gaps, .. } => gaps,
            Self::NotExercised { needs } => needs,
            Self::Inconclusive { why } => why,
            Self::NotOffered { what } => what,
            Self::NotJudged { because } => return because.iter().map(Blocked::as_str).collect(),
            Self::Waived { reason: text, .. } | Self::Error { why: text } => return vec![text],
            Self::Failed { .. } | Self::Observed { .. } => return Vec::new(),
        };
        texts.iter().map(String::as_str).collect()
    }

    /// How many cases were looked at, where that is counted.
    pub fn cases(&self) -> Option<usize> {
        match self {
            Self::Passed { cases, .. } | Self::Failed { cases, .. } | Self::Waived { cases, .. } => {
                Some(*cases)
            }
            _ => None,
        }
    }
}

/// A violation of a check that may be done already.
#[derive(Clone, Debug)]
pub(crate) struct Revision {
    /// The number of the check.
    pub(crate) check: &'static str,
    /// The violation.
    pub(crate) finding: Finding,
}

/// A part of a target that has failed a check, so that what rests on it is not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(with = "String")]
pub struct Blocked {
    /// The part, such as a parameter.
    pub part: String,
    /// The number of the check that it has failed.
    pub check: &'static str,
    text: String,
}

impl Blocked {
    /// A part that has failed a check.
    pub fn by(part: impl Into<String>, check: &'static str) -> Self {
        let part = part.into();
        Self {
            text: format!("{part} failed {check}"),
            part,
            check,
        }
    }

    /// What is told of it: `filter[email] failed E1`.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl From<Blocked> for String {
    fn from(blocked: Blocked) -> Self {
        blocked.text
    }
}

/// What a check counts while it runs.
#[derive(Debug, Default)]
pub(crate) struct CheckResult {
    cases: usize,
    findings: Vec<Finding>,
    gaps: Vec<String>,
    moved: Vec<String>,
    absent: Vec<String>,
    blocked_by: Vec<Blocked>,
    observations: Vec<Observation>,
}

impl CheckResult {
    /// Something was looked at.
    pub(crate) fn count_case(&mut self) {
        self.cases += 1;
    }

    /// Several things were looked at.
    pub(crate) fn count_cases(&mut self, count: usize) {
        self.cases += count;
    }

    /// Something was looked at and is wrong.
    pub(crate) fn finding(&mut self, finding: Finding) {
        self.cases += 1;
        self.findings.push(finding);
    }

    /// Something could not be looked at.
    pub(crate) fn gap(&mut self, needs: impl Into<String>) {
        push_once(&mut self.gaps, needs.into());
    }

    /// What was missing, if nothing was looked at.
    pub(crate) fn gap_if_empty(&mut self, needs: impl Into<String>) {
        if self.cases == 0 {
            self.gap(needs);
        }
    }

    /// What was missing, if nothing was observed.
    pub(crate) fn gap_if_unobserved(&mut self, needs: impl Into<String>) {
        if self.observations.is_empty() {
            self.gap(needs);
        }
    }

    /// Something looked wrong and then did not.
    pub(crate) fn moved(&mut self, what: impl Into<String>) {
        push_once(&mut self.moved, what.into());
    }

    /// Something is not offered.
    pub(crate) fn absent(&mut self, what: impl Into<String>) {
        push_once(&mut self.absent, what.into());
    }

    /// Something rests on what has failed already.
    pub(crate) fn blocked_by(&mut self, part: impl Into<String>, check: &'static str) {
        push_once(&mut self.blocked_by, Blocked::by(part, check));
    }

    /// Something that is left open was seen.
    pub(crate) fn observe(
        &mut self,
        point: &'static str,
        question: impl Into<String>,
        choice: impl Into<String>,
    ) {
        let observation = Observation {
            point,
            question: question.into(),
            choice: choice.into(),
        };
        push_once(&mut self.observations, observation);
    }

    /// Takes over how one case ended.
    pub(crate) fn add(&mut self, case_result: CaseResult) {
        match case_result {
            CaseResult::Pass => self.count_case(),
            CaseResult::Fail(finding) => self.finding(*finding),
            CaseResult::Flaky(what) | CaseResult::Moving(what, _) => self.moved(what),
        }
    }

    /// What the count comes to.
    pub(crate) fn outcome(self) -> Outcome {
        let (cases, findings, observations) = (self.cases, self.findings, self.observations);
        let (mut gaps, absent, because) = (self.gaps, self.absent, self.blocked_by);
        if !findings.is_empty() {
            Outcome::Failed { cases, findings }
        } else if !self.moved.is_empty() {
            Outcome::Inconclusive { why: self.moved }
        } else if !observations.is_empty() {
            Outcome::Observed { observations }
        } else if cases > 0 {
            gaps.extend(absent.into_iter().map(|what| format!("{what} is not offered")));
            gaps.extend(because.iter().map(|one| format!("not judged: {}", one.as_str())));
            Outcome::Passed {
                cases,
                gaps,
                unjudged: because,
            }
        } else if !because.is_empty() {
            Outcome::NotJudged { because }
        } else if !gaps.is_empty() || absent.is_empty() {
            Outcome::NotExercised { needs: gaps }
        } else {
            Outcome::NotOffered { what: absent }
        }
    }
}

/// How one case ended.
#[derive(Debug)]
pub(crate) enum CaseResult {
    /// As it should.
    Pass,
    /// Wrong, every time it was looked at.
    Fail(Box<Finding>),
    /// Wrong at first and then not.
    Flaky(String),
    /// Wrong in members that change with every request, which stand at these places of a record.
    Moving(String, BTreeSet<Pointer>),
}

fn push_once<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_passes_on_an_empty_sample() {
        assert_eq!(CheckResult::default().outcome().word(), "not exercised");
        let mut absent = CheckResult::default();
        absent.absent("/x");
        assert_eq!(absent.outcome().word(), "not offered");
    }

    #[test]
    fn what_moved_once_does_not_pass() {
        let mut result = CheckResult::default();
        result.count_case();
        result.moved("a record");
        assert_eq!(result.outcome().word(), "inconclusive");
    }
}
