//! The results in Markdown: how they came about, the summary, every fault, every variant that conforms.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use crate::measure::Judged;
use crate::options::Options;
use crate::plan::{MANY, PEOPLE, Task};
use crate::replay::Shows;
use crate::results::Line;
use crate::rival::{OPTIONS, Tested};
use crate::subjects::{SOUND, Subject, Subjects};
use crate::summary::{NOTHING, fraction, judged, median, number, proofs, row, share, shown, spread, tested};

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

    fn preface(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores = available_parallelism().map_or(0, NonZeroUsize::get);
        let today = jiff::Timestamp::now().strftime("%Y-%m-%d");
        let version = env!("CARGO_PKG_VERSION");
        let built = if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        };
        let theirs = tested(self.lines, SOUND);
        let theirs = theirs.first().map_or(NOT_MEASURED, |run| run.version.as_str());
        let (seeds, benign_seeds) = (self.options.seeds, self.options.benign_seeds);
        let (command, options) = (self.options.command(), OPTIONS.map(quoted).join(" "));
        let jobs = self.options.jobs;
        writeln!(
            f,
            "# How well the conformance runner finds faults\n\n\
             Written by `conformance/examples/score`, which judges every target of the runner's own shelf (`conformance/tests/shelf`) and\n\
             measures. Do not edit: run it again.\n\n\
             - On {today}: {processor}, {cores} cores, {os}; runner {version}, {built} build; Schemathesis {theirs}\n\
             - Faults: seeds 1 to {seeds} at every size; variants that conform: seeds 1 to {benign_seeds} at {PEOPLE} people\n\
             - {jobs} runs at once, target and runner in one process on one core, over loopback: seconds include the target's\n\
             - `{command}`\n\
             - `schemathesis run openapi.yaml --url … --header 'Authorization: Bearer …' {options}`\n",
            processor = processor(),
            os = std::env::consts::OS,
        )
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = &self.options.sizes;
        let sized = |what: &dyn Fn(usize) -> String| sizes.iter().map(|size| what(*size)).collect::<Vec<_>>();
        let all = |people| self.faults_at(people, |_| true);
        let found = |runs: Vec<(&Task, &Judged)>| {
            let found = runs.iter().filter(|(_, run)| !run.failed.is_empty()).count();
            share(found, runs.len())
        };
        let mut write = |what: &str, figures: Vec<String>| {
            f.write_str(&row(std::iter::once(what.to_owned()).chain(figures)))
        };
        write("Faults, at so many people", sized(&|people| people.to_string()))?;
        write("---", sized(&|_| "---:".to_owned()))?;
        write("runs with a failure", sized(&|people| found(all(people))))?;
        write(
            "… faults that one parameter shows",
            sized(&|people| found(self.faults_at(people, Subject::is_first_order))),
        )?;
        write(
            "found first by the check meant for it",
            sized(&|people| {
                let runs = all(people);
                share(
                    runs.iter().filter(|run| self.is_found_first(run)).count(),
                    runs.len(),
                )
            }),
        )?;
        write(
            "requests (median / most)",
            sized(&|people| spread(all(people).iter().map(|(_, run)| number(run.requests)), 0)),
        )?;
        write(
            "seconds (median / most)",
            sized(&|people| spread(all(people).iter().map(|(_, run)| run.seconds), 2)),
        )?;
        write(
            "seconds to the first failure",
            sized(&|people| spread(all(people).iter().filter_map(|(_, run)| run.first), 2)),
        )?;
        write(
            "requests of a reproduction",
            sized(&|people| spread(proofs(&all(people)).iter().map(|proof| number(proof.requests)), 0)),
        )?;
        write(
            "most parameters of one of them",
            sized(&|people| {
                spread(
                    proofs(&all(people)).iter().map(|proof| number(proof.parameters)),
                    0,
                )
            }),
        )?;
        write(
            "reproductions that show it anew",
            sized(&|people| {
                let all = all(people);
                let proofs = proofs(&all);
                let shown = proofs.iter().filter(|proof| proof.shows == Shows::Anywhere);
                share(shown.count(), proofs.len())
            }),
        )?;
        write(
            "… only on the target that was judged",
            sized(&|people| {
                let all = all(people);
                let proofs = proofs(&all);
                let shown = proofs.iter().filter(|proof| proof.shows == Shows::There);
                share(shown.count(), proofs.len())
            }),
        )?;
        self.others(f)
    }

    fn others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let benign: Vec<_> = self
            .subjects
            .benign()
            .flat_map(|one| self.of(one, PEOPLE))
            .collect();
        let accused = benign.iter().filter(|(_, run)| !run.failed.is_empty()).count();
        let many = judged(self.lines, |task| task.people == MANY && !task.writes);
        let requests = spread(many.iter().map(|(_, run)| number(run.requests)), 0);
        let seconds = spread(many.iter().map(|(_, run)| run.seconds), 2);
        writeln!(
            f,
            "\n- False alarms: {} runs on variants that conform have a failure\n\
             - The whole of {MANY} people, reading only (median / most): {requests} requests, {seconds} seconds",
            share(accused, benign.len()),
        )?;
        if !self.is_compared() {
            return writeln!(f, "- Schemathesis: {NOT_MEASURED}");
        }
        let faults: Vec<_> = self
            .subjects
            .faults()
            .filter_map(|one| self.reported(one.name()))
            .collect();
        let found = faults.iter().filter(|(_, news)| *news > 0).count();
        let conforming = self.subjects.benign().filter_map(|one| self.reported(one.name()));
        let conforming: Vec<_> = conforming.collect();
        let blamed = conforming
            .iter()
            .filter(|(run, _)| !run.failures.is_empty())
            .count();
        writeln!(
            f,
            "- Schemathesis, at {PEOPLE} people: {} faults found; {} requests, {} seconds (median / most); failures on {} targets \
             that conform, {} of them on the model itself",
            share(found, faults.len()),
            spread(faults.iter().map(|(run, _)| number(run.requests)), 0),
            spread(faults.iter().map(|(run, _)| run.seconds), 1),
            share(blamed, conforming.len()),
            self.baseline.len(),
        )
    }

    fn faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = &self.options.sizes;
        let mut head = vec!["section".to_owned(), "fault".to_owned(), "check".to_owned()];
        head.extend(sizes.iter().map(|people| format!("at {people}")));
        head.extend(
            [
                "requests",
                "seconds",
                "first failure",
                "reproduction",
                "Schemathesis",
                "requests",
                "seconds",
            ]
            .map(str::to_owned),
        );
        let rule = head.iter().enumerate().map(|(index, _)| match index {
            0..3 => "---",
            _ => "---:",
        });
        f.write_str(&row(&head))?;
        f.write_str(&row(rule))?;
        for fault in self.subjects.faults() {
            let runs: Vec<_> = sizes.iter().flat_map(|people| self.of(fault, *people)).collect();
            let mut cells = vec![
                fault.section.unwrap_or_default().to_owned(),
                fault.name().to_owned(),
                fault.variant.finds.unwrap_or_default().to_owned(),
            ];
            cells.extend(sizes.iter().map(|people| self.found(&self.of(fault, *people))));
            cells.push(shown(median(runs.iter().map(|(_, run)| number(run.requests))), 0));
            cells.push(shown(median(runs.iter().map(|(_, run)| run.seconds)), 2));
            cells.push(shown(median(runs.iter().filter_map(|(_, run)| run.first)), 2));
            cells.push(reproduction(&runs));
            cells.extend(match self.reported(fault.name()) {
                _ if !self.is_compared() => [NOT_MEASURED, "", ""].map(str::to_owned),
                None => [NOT_MEASURED, "", ""].map(str::to_owned),
                Some((run, news)) => [
                    if news > 0 { "found" } else { "not found" }.to_owned(),
                    run.requests.to_string(),
                    format!("{:.1}", run.seconds),
                ],
            });
            f.write_str(&row(cells))?;
        }
        Ok(())
    }

    /// In how many runs a fault was found, and by which checks before the one meant for it.
    fn found(&self, runs: &[(&Task, &Judged)]) -> String {
        let found = runs.iter().filter(|(_, run)| !run.failed.is_empty()).count();
        let others: BTreeSet<_> = runs
            .iter()
            .filter(|run| !self.is_found_first(run))
            .filter_map(|(_, run)| run.failed.first().map(String::as_str))
            .collect();
        let found = fraction(found, runs.len());
        match others.is_empty() {
            true => found,
            false => format!("{found} by {}", Vec::from_iter(others).join(", ")),
        }
    }

    fn benign(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&row([
            "variant",
            "runs",
            "with a failure",
            "failed checks",
            "Schemathesis: failures",
            "… not on the model itself",
        ]))?;
        f.write_str(&row(["---", "---:", "---:", "---", "---:", "---:"]))?;
        for variant in self.subjects.benign() {
            let runs = self.of(variant, PEOPLE);
            let accused: Vec<_> = runs.iter().filter(|(_, run)| !run.failed.is_empty()).collect();
            let checks: BTreeSet<_> = accused.iter().flat_map(|(_, run)| &run.failed).cloned().collect();
            let theirs = self.reported(variant.name());
            let [failures, news] = match theirs {
                Some((run, news)) if self.is_compared() => {
                    [run.failures.len(), news].map(|count| count.to_string())
                }
                _ => [NOT_MEASURED.to_owned(), String::new()],
            };
            f.write_str(&row([
                variant.name().to_owned(),
                if runs.is_empty() {
                    NOTHING.to_owned()
                } else {
                    runs.len().to_string()
                },
                if runs.is_empty() {
                    NOTHING.to_owned()
                } else {
                    accused.len().to_string()
                },
                Vec::from_iter(checks).join(", "),
                failures,
                news,
            ]))?;
        }
        Ok(())
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

/// The size of reproductions, and whether repeating them shows the fault.
fn reproduction(runs: &[(&Task, &Judged)]) -> String {
    let proofs = proofs(runs);
    let (Some(requests), Some(parameters)) = (
        proofs.iter().map(|proof| proof.requests).max(),
        proofs.iter().map(|proof| proof.parameters).max(),
    ) else {
        return NOTHING.to_owned();
    };
    let count = |shows| proofs.iter().filter(|proof| proof.shows == shows).count();
    let mut text = format!("{requests} × {parameters}");
    for (shows, word) in [(Shows::There, "there only"), (Shows::Nowhere, "not repeated")] {
        if count(shows) > 0 {
            text.push_str(&format!(", {word} {}", fraction(count(shows), proofs.len())));
        }
    }
    text
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    match argument.contains(['|', '(', '$']) {
        true => format!("'{argument}'"),
        false => argument.to_owned(),
    }
}

/// What this machine calls its processor.
fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map(|model| model.trim_start_matches([' ', '\t', ':']).trim().to_owned());
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

const NOTES: &str = "\
- A fault counts as found by the runner when any check fails; next to that stands how often the first failure is that of the
  check that is meant for the fault. All faults break something the specification demands.
- Small directories do not have the data that shows every fault: what is not exercised there is said by the run itself.
- A reproduction is the evidence of the first finding of a check. Its lines are repeated, as a report prints them, on a target
  with the fault and on the model itself, both just started and of the same size; an answer has to differ, apart from the time
  of day. If none does, the target that was judged is asked; a fault that needs what the run did before shows there only.
- Schemathesis is given `openapi.yaml`, which is stricter than the specification, and only the operations that the model
  serves. It counts as finding a fault when it reports a kind of failure for an operation for which it does not report
  that kind on the model itself, in any of three runs with the same seed. A fault that shows as nothing but another instance
  of a failure it reports anyway is not counted. It was not made to know what filters mean: a response that holds to the
  schema and shows the wrong records is no failure to it.
- What Schemathesis reports of a variant that conforms need not be wrong by `openapi.yaml`: that the variant is free to do so is
  said by the specification, which is looser.
- Its requests are the test cases that it says it generated.";

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
