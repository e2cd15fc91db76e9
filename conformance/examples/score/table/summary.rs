//! The figures of all faults together, one column for each size, and of everything else in a few lines.

use std::fmt;

use super::{NOT_MEASURED, Table, undecided};
use crate::figures::{judged, number, proofs};
use crate::measure::Judged;
use crate::plan::{MANY, PEOPLE, Task};
use crate::replay::Shows;
use crate::shared::figures::{row, share, spread};
use crate::subjects::Subject;

impl Table<'_> {
    /// The figures of all faults together.
    pub(super) fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            "without a verdict",
            sized(&|people| {
                let runs = all(people);
                share(undecided(&runs), runs.len())
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
            sized(&|people| {
                spread(
                    proofs(&all(people))
                        .iter()
                        .map(|proof| number(proof.requests.len())),
                    0,
                )
            }),
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
}
