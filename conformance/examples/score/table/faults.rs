//! A row for each fault.

use std::collections::BTreeSet;
use std::fmt;

use super::{NOT_MEASURED, Table};
use crate::figures::{fraction, number, proofs, shown};
use crate::measure::Judged;
use crate::plan::Task;
use crate::replay::Shows;
use crate::shared::figures::{NOTHING, median, row};

impl Table<'_> {
    /// Every fault with how it was found.
    pub(super) fn faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
}

/// The size of reproductions, and whether repeating them shows the fault.
fn reproduction(runs: &[(&Task, &Judged)]) -> String {
    let proofs = proofs(runs);
    let (Some(requests), Some(parameters)) = (
        proofs.iter().map(|proof| proof.requests.len()).max(),
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
