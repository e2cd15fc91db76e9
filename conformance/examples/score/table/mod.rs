//! The results in Markdown: how they came about, the summary, every fault, every variant that conforms.
//!
//! Invariant: what was not measured is said not to be, and never looks like a result.

mod benign;
mod faults;
mod preface;
mod summary;

use std::collections::BTreeSet;
use std::fmt;

use crate::figures::{judged, tested};
use crate::measure::Judged;
use crate::options::Options;
use crate::plan::Task;
use crate::results::Line;
use crate::rival::Tested;
use crate::subjects::{SOUND, Subject, Subjects};
use preface::NOTES;

/// Everything that the document shows.
pub(crate) struct Table<'a> {
    options: &'a Options,
    subjects: &'a Subjects,
    lines: &'a [Line],
    /// What Schemathesis reports of the model itself.
    baseline: BTreeSet<&'a str>,
}

/// What stands where Schemathesis was not run.
const NOT_MEASURED: &str = "not measured";

impl<'a> Table<'a> {
    /// The document of some results.
    pub(crate) fn new(options: &'a Options, subjects: &'a Subjects, lines: &'a [Line]) -> Self {
        let baseline = tested(lines, SOUND);
        let failures = baseline.into_iter().flat_map(|run| &run.failures);
        Self {
            options,
            subjects,
            lines,
            baseline: failures.map(String::as_str).collect(),
        }
    }

    fn of(&self, subject: &'a Subject, people: usize) -> Vec<(&'a Task, &'a Judged)> {
        judged(self.lines, move |task| {
            task.target == subject.name() && task.people == people && task.writes
        })
    }

    fn faults_at(&self, people: usize, is_meant: impl Fn(&Subject) -> bool) -> Vec<(&'a Task, &'a Judged)> {
        let faults = self.subjects.faults().filter(|fault| is_meant(fault));
        faults.flat_map(|fault| self.of(fault, people)).collect()
    }

    /// What Schemathesis reports of a target, and how much of that not of the model itself.
    fn reported(&self, target: &str) -> Option<(&'a Tested, usize)> {
        let run = tested(self.lines, target).into_iter().next()?;
        let news = run.failures.iter();
        let news = news.filter(|failure| !self.baseline.contains(failure.as_str()));
        Some((run, news.count()))
    }

    fn is_compared(&self) -> bool {
        !tested(self.lines, SOUND).is_empty()
    }

    fn is_found_first(&self, (task, judged): &(&Task, &Judged)) -> bool {
        let expected = self
            .subjects
            .named(&task.target)
            .and_then(|fault| fault.variant.finds);
        expected.is_some() && judged.failed.first().map(String::as_str) == expected
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.preface(f)?;
        writeln!(f, "## Summary\n")?;
        self.summary(f)?;
        writeln!(f, "\n## How it is judged\n\n{NOTES}")?;
        writeln!(
            f,
            "\n## Faults\n\n`k/n`: found in k of n runs; `by …`: the check that failed first where it was not the one meant for the\n\
             fault. Requests and seconds are medians over all sizes; a reproduction is requests × most parameters.\n"
        )?;
        self.faults(f)?;
        writeln!(f, "\n## Variants that conform\n")?;
        self.benign(f)
    }
}

/// How many runs came to no verdict.
fn undecided(runs: &[(&Task, &Judged)]) -> usize {
    runs.iter().filter(|(_, run)| !run.decided).count()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::samples;

    fn table(lines: &[Line]) -> String {
        let options = Options::parse_from(["score"]);
        let subjects = Subjects::chosen(None);
        Table::new(&options, &subjects, lines).to_string()
    }

    fn some_fault() -> String {
        let subjects = Subjects::chosen(None);
        let fault = subjects.faults().next().unwrap();
        fault.name().to_owned()
    }

    #[test]
    fn what_was_not_measured_is_said_so() {
        let text = table(&[]);
        assert!(text.contains("- Schemathesis: not measured"));
        assert!(text.contains("| runs with a failure | – | – | – |"));
        assert!(!text.contains("NaN"));
        let rows = text.lines().filter(|line| line.starts_with('|'));
        assert!(rows.count() > Subjects::chosen(None).faults().count());
    }

    #[test]
    fn a_fault_that_another_check_found_first_names_that_check() {
        let name = some_fault();
        let text = table(&[
            samples::judged(&name, 200, 1, &["Z9"]),
            samples::judged(&name, 200, 2, &[]),
        ]);
        let line = text.lines().find(|line| line.contains(&name)).unwrap();
        assert!(
            line.contains("| – | 1/2 by Z9 | – | 300 | 1.50 | 0.50 | 2 × 1 | not measured |"),
            "{line}"
        );
    }

    #[test]
    fn schemathesis_finds_what_it_does_not_report_of_the_model_itself() {
        let name = some_fault();
        let sound = || samples::tested(SOUND, &["Server error: GET /a"]);
        let verdict = |failures: &[&str]| {
            let text = table(&[sound(), samples::tested(&name, failures)]);
            let line = text.lines().find(|line| line.contains(&name)).unwrap();
            line.contains("| found | 900 | 12.0 |")
        };
        assert!(!verdict(&["Server error: GET /a"]));
        assert!(verdict(&["Server error: GET /a", "Server error: GET /b"]));
    }
}
