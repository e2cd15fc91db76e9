//! Reports side by side: implementations by clause and check, and the runs of one implementation by date.
//!
//! Invariant: two columns differ only where both tell something. A check that one run did not make, or a question that it did
//! not answer, is no difference.

mod read;
pub mod table;

use std::collections::BTreeSet;

use crate::engine::outcome::Outcome;
use crate::engine::profile::Profile;
use crate::report::{add, numbers};

pub use read::{Word, WrittenCheck, WrittenChoice, WrittenPoint, WrittenRun};

/// Several implementations.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// In the order in which their first reports were given.
    pub implementations: Vec<Implementation>,
}

/// An implementation and its runs.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// Its name: the one that was given, or the address of the target.
    pub name: String,
    /// Its runs, the oldest first; at least one.
    runs: Vec<WrittenRun>,
}

/// Runs in columns.
#[derive(Clone, Debug)]
pub struct Columns<'r>(Vec<&'r WrittenRun>);

/// A check in all columns.
#[derive(Clone, Debug)]
pub struct CheckRow<'r> {
    /// The check.
    pub check: &'r WrittenCheck,
    /// Its outcome in each column; none if the run did not make it.
    pub outcomes: Vec<Option<Word>>,
}

/// An open point at which columns differ.
#[derive(Clone, Debug)]
pub struct PointRow<'r> {
    /// The point.
    pub point: &'r WrittenPoint,
    /// The questions that are answered differently.
    pub choices: Vec<ChoiceRow>,
}

/// Questions that have the same answers in all columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceRow {
    /// The questions.
    pub questions: Vec<String>,
    /// The choice of each column; none if it was not observed.
    pub choices: Vec<Option<String>>,
}

impl Comparison {
    /// Compares reports, each under a name.
    pub fn of(reports: impl IntoIterator<Item = (String, WrittenRun)>) -> Self {
        let mut named: Vec<(String, Vec<WrittenRun>)> = Vec::new();
        for (name, run) in reports {
            add(&mut named, name, run);
        }
        let implementations = named.into_iter().map(|(name, mut runs)| {
            runs.sort_by_key(|run| run.started_at);
            Implementation { name, runs }
        });
        Self {
            implementations: implementations.collect(),
        }
    }

    /// The last run of each implementation.
    pub fn last_runs(&self) -> Columns<'_> {
        Columns(
            self.implementations
                .iter()
                .filter_map(|one| one.runs.last())
                .collect(),
        )
    }

    /// How many reports are compared.
    pub fn reports(&self) -> usize {
        self.implementations.iter().map(|one| one.runs.len()).sum()
    }

    /// Whether a check failed in a last run and did not fail in the run before it.
    pub fn is_worse(&self) -> bool {
        self.implementations
            .iter()
            .any(|one| !one.new_failures().is_empty())
    }
}

impl Implementation {
    /// Its runs by date; none if there is only one.
    pub fn history(&self) -> Option<Columns<'_>> {
        (self.runs.len() > 1).then(|| Columns(self.runs.iter().collect()))
    }

    /// The checks that failed in the last run and did not fail in the run before it.
    pub fn new_failures(&self) -> Vec<&WrittenCheck> {
        let [.., before, last] = self.runs.as_slice() else {
            return Vec::new();
        };
        let failed = last.checks.iter().filter(|check| check.outcome == "failed");
        failed
            .filter(|check| before.outcome(&check.id) != Some("failed"))
            .collect()
    }
}

impl<'r> Columns<'r> {
    /// The runs.
    pub fn runs(&self) -> &[&'r WrittenRun] {
        &self.0
    }

    /// Every check of any column by its clause, in the order of the specification.
    pub fn clauses(&self) -> Vec<(&'r str, Vec<CheckRow<'r>>)> {
        let mut seen = BTreeSet::new();
        let checks = self.0.iter().flat_map(|run| &run.checks);
        let mut clauses = Vec::new();
        for check in checks.filter(|check| seen.insert(check.id.as_str())) {
            let outcomes = self.0.iter().map(|run| run.outcome(&check.id)).collect();
            add(&mut clauses, check.clause.as_str(), CheckRow { check, outcomes });
        }
        clauses.sort_by_key(|(clause, _)| numbers(clause));
        clauses
    }

    /// The checks whose outcomes differ.
    pub fn different_checks(&self) -> Vec<CheckRow<'r>> {
        let rows = self.clauses().into_iter().flat_map(|(_, rows)| rows);
        rows.filter(CheckRow::is_different).collect()
    }

    /// The open points with questions that are answered differently.
    pub fn different_points(&self) -> Vec<PointRow<'r>> {
        let profiles: Vec<Profile> = self.0.iter().map(|run| profile(run)).collect();
        let mut seen = BTreeSet::new();
        let points = self.0.iter().flat_map(|run| &run.points);
        let rows = points.filter(|point| seen.insert(&point.id)).map(|point| {
            let observed = profiles
                .iter()
                .filter_map(|profile| profile.points.get(&point.id));
            let questions: BTreeSet<&String> = observed.flat_map(|questions| questions.keys()).collect();
            let mut choices: Vec<(Vec<Option<String>>, Vec<String>)> = Vec::new();
            for question in questions {
                let answer = |profile: &Profile| profile.choice(&point.id, question).map(str::to_owned);
                let answers: Vec<_> = profiles.iter().map(answer).collect();
                if are_different(&answers) {
                    add(&mut choices, answers, question.clone());
                }
            }
            let choices = choices
                .into_iter()
                .map(|(choices, questions)| ChoiceRow { questions, choices });
            PointRow {
                point,
                choices: choices.collect(),
            }
        });
        rows.filter(|row| !row.choices.is_empty()).collect()
    }
}

impl CheckRow<'_> {
    /// Whether two runs came to different outcomes.
    pub fn is_different(&self) -> bool {
        are_different(&self.outcomes)
    }

    /// Whether it failed in any column.
    pub fn has_failed(&self) -> bool {
        self.outcomes.contains(&Some("failed"))
    }
}

/// How many of some checks came to each outcome in a column, the gravest first.
pub fn counts(rows: &[CheckRow<'_>], column: usize) -> Vec<(Word, usize)> {
    let count = |word| {
        let outcomes = rows.iter().filter_map(|row| row.outcomes.get(column));
        outcomes.filter(|outcome| **outcome == Some(word)).count()
    };
    let counts = Outcome::WORDS.map(|word| (word, count(word)));
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

/// The choices of a run.
fn profile(run: &WrittenRun) -> Profile {
    let observed = run.points.iter().flat_map(|point| {
        let choices = point.observed.iter();
        choices.map(|seen| (point.id.as_str(), seen.question.as_str(), seen.choice.as_str()))
    });
    Profile::collect(observed)
}

/// Whether two columns tell different things.
fn are_different<T: Ord>(cells: &[Option<T>]) -> bool {
    let told: BTreeSet<&T> = cells.iter().flatten().collect();
    told.len() > 1
}
