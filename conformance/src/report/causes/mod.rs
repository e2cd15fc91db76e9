//! Failures by what they are about: one fault shows itself in many checks, and a person mends it once.
//!
//! Invariant: every failed or waived check is in a cause, and every check that was not judged is under a cause or among
//! those that could not be placed.

mod groups;

use crate::engine::finding::Finding;
use crate::engine::outcome::{Blocked, Outcome};
use crate::report::{Checked, Report};

use groups::Group;

/// All failures, and what rests on them.
#[derive(Debug)]
pub struct Causes<'r> {
    /// The causes, in the order they were met.
    pub causes: Vec<Cause<'r>>,
    /// What was not judged because of something that is no failure of this report.
    pub loose: Vec<Rest<'r>>,
}

/// Some things that fail the same checks.
#[derive(Debug)]
pub struct Cause<'r> {
    /// The lists, filters or members concerned.
    pub about: Vec<&'r str>,
    /// The checks that fail, the most basic first.
    pub failures: Vec<Failure<'r>>,
    /// What was not judged because of it.
    pub rests: Vec<Rest<'r>>,
    /// Whether it is about filters that have no effect.
    is_ignored: bool,
}

/// A check that fails.
#[derive(Debug)]
pub struct Failure<'r> {
    /// The check.
    pub check: &'r Checked,
    /// Its findings on what the cause is about.
    pub findings: Vec<&'r Finding>,
}

/// A check that was not judged, or not in full.
#[derive(Debug)]
pub struct Rest<'r> {
    /// The check.
    pub check: &'r Checked,
    /// What it could not judge, and why.
    pub because: Vec<&'r str>,
}

impl<'r> Causes<'r> {
    /// The causes of a report.
    pub fn of(report: &'r Report) -> Self {
        let mut causes: Vec<_> = groups::of(report).into_iter().map(Cause::new).collect();
        let mut loose = Vec::new();
        for check in &report.checks {
            for because in unjudged(&check.outcome) {
                let rests = match place(&causes, because) {
                    Some(cause) => &mut causes[cause].rests,
                    None => &mut loose,
                };
                match rests.iter_mut().find(|rest| rest.check.id == check.id) {
                    Some(rest) => rest.because.push(because.as_str()),
                    None => rests.push(Rest {
                        check,
                        because: vec![because.as_str()],
                    }),
                }
            }
        }
        Self { causes, loose }
    }

    /// The causes that a waiver does not cover.
    pub fn failed(&self) -> impl Iterator<Item = &Cause<'r>> {
        self.causes.iter().filter(|cause| !cause.is_waived())
    }

    /// The causes that waivers cover.
    pub fn waived(&self) -> impl Iterator<Item = &Cause<'r>> {
        self.causes.iter().filter(|cause| cause.is_waived())
    }
}

impl<'r> Cause<'r> {
    /// Some things and the checks that they fail.
    fn new(group: Group<'r>) -> Self {
        let Group {
            about,
            failing,
            is_ignored,
            ..
        } = group;
        let failure = |check: &'r Checked| {
            let findings = check.outcome.findings().iter();
            let findings = findings.filter(|finding| about.contains(&finding.about.as_str()));
            let findings = findings.collect();
            Failure { check, findings }
        };
        Self {
            failures: failing.into_iter().map(failure).collect(),
            about,
            rests: Vec::new(),
            is_ignored,
        }
    }

    /// Whether all of it is waived.
    pub fn is_waived(&self) -> bool {
        let waived = |failure: &Failure<'_>| matches!(failure.check.outcome, Outcome::Waived { .. });
        self.failures.iter().all(waived)
    }

    /// What it is about, in one line of at most so many names. Names of one list or operation tell it once:
    /// `/directory/users filter[email], sort=email`.
    pub fn title(&self, most: usize) -> String {
        // All of them are told: each has to be mended.
        let most = if self.is_ignored { self.about.len() } else { most };
        let (names, more) = self.about.split_at(self.about.len().min(most));
        let mut title = String::new();
        let mut last = "";
        for name in names {
            let (place, part) = name.split_once(' ').unwrap_or((name, ""));
            let is_known = place.starts_with('/') && place == last && !part.is_empty();
            if !title.is_empty() {
                title.push_str(", ");
            }
            title.push_str(if is_known { part } else { name });
            last = place;
        }
        match more.len() {
            0 if self.is_ignored => format!("without any effect: {title}"),
            0 => title,
            more => format!("{title} and {more} more"),
        }
    }

    /// Where to look first for a check that fails.
    pub fn advice(&self, check: &'r Checked) -> &'static str {
        if self.is_ignored { OF_IGNORED } else { check.advice }
    }

    /// The numbers of the checks that rest on it: `E2, E3`.
    pub(super) fn rest_ids(&self) -> String {
        let ids: Vec<_> = self.rests.iter().map(|rest| rest.check.id).collect();
        ids.join(", ")
    }
}

/// The advice for filters that have no effect.
const OF_IGNORED: &str = "The answer is the same as without the filter. Look where parameters are read: for the spelling of the \
                          name, for brackets, and for a list of allowed names that lacks it.";

/// What a check did not judge, and why.
fn unjudged(outcome: &Outcome) -> &[Blocked] {
    match outcome {
        Outcome::NotJudged { because: blocked }
        | Outcome::Passed {
            unjudged: blocked, ..
        } => blocked,
        _ => &[],
    }
}

/// The cause that keeps a check from judging: it fails the check that is named, and among several causes that do, the one that
/// is about the same wins.
fn place(causes: &[Cause<'_>], blocked: &Blocked) -> Option<usize> {
    let is_named = |failure: &Failure<'_>| failure.check.id == blocked.check;
    let fails = |cause: &Cause<'_>| cause.failures.iter().any(is_named);
    let spec = blocked.part.as_str();
    let is_about = |cause: &Cause<'_>| {
        let mut about = cause.about.iter();
        about.any(|about| about.contains(spec) || spec.contains(about))
    };
    let both = causes.iter().position(|cause| fails(cause) && is_about(cause));
    both.or_else(|| causes.iter().position(fails))
}
