//! How the results came about, and how they are judged.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use super::{NOT_MEASURED, Table};
use crate::figures::tested;
use crate::measure::Judged;
use crate::plan::{PEOPLE, Task};
use crate::rival::OPTIONS;
use crate::subjects::SOUND;

impl Table<'_> {
    /// What was measured, where, and by which commands.
    pub(super) fn preface(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        let sizes = self.options.sizes.iter().map(|people| {
            let runs = self.faults_at(*people, |_| true);
            format!("at {people} people {}", measured(&runs))
        });
        let sizes = sizes.collect::<Vec<_>>().join("; ");
        let benign = self.subjects.benign().flat_map(|one| self.of(one, PEOPLE));
        let benign = measured(&benign.collect::<Vec<_>>());
        let (command, options) = (self.options.command(), OPTIONS.map(quoted).join(" "));
        let jobs = self.options.jobs;
        writeln!(
            f,
            "# How well the conformance runner finds faults\n\n\
             Written by `conformance/examples/score`, which judges every target of the runner's own shelf (`conformance/shelf/src`) and\n\
             measures. Do not edit: run it again.\n\n\
             - On {today}: {processor}, {cores} cores, {os}; runner {version}, {built} build; Schemathesis {theirs}\n\
             - Runs on faults: {sizes}\n\
             - Runs on variants that conform: at {PEOPLE} people {benign}\n\
             - {jobs} runs at once, target and runner in one process on one core, over loopback: seconds include the target's\n\
             - `{command}`\n\
             - `schemathesis run openapi.yaml --url … --header 'Authorization: Bearer …' {options}`\n",
            processor = processor(),
            os = std::env::consts::OS,
        )
    }
}

/// How many runs there are, and with which seeds.
fn measured(runs: &[(&Task, &Judged)]) -> String {
    let seeds: BTreeSet<u64> = runs.iter().map(|(task, _)| task.seed).collect();
    match (seeds.first(), seeds.last()) {
        (Some(first), Some(last)) => format!("{} (seeds {first} to {last})", runs.len()),
        _ => NOT_MEASURED.to_owned(),
    }
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

/// What a reader has to know to weigh the figures.
pub(super) const NOTES: &str = "\
- A fault counts as found by the runner when any check fails; next to that stands how often the first failure is that of the
  check that is meant for the fault. All faults break something the specification demands.
- A run comes to no verdict where it saw too little, be it that data is missing or that it had sent the most requests it may.
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
