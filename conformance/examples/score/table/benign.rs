//! A row for each variant that conforms: whatever fails there is a false alarm.

use std::collections::BTreeSet;
use std::fmt;

use super::{NOT_MEASURED, Table, undecided};
use crate::plan::PEOPLE;
use crate::shared::figures::{NOTHING, row};

impl Table<'_> {
    /// Every variant that conforms with what it is accused of.
    pub(super) fn benign(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&row([
            "variant",
            "runs",
            "with a failure",
            "without a verdict",
            "failed checks",
            "Schemathesis: failures",
            "… not on the model itself",
        ]))?;
        f.write_str(&row(["---", "---:", "---:", "---:", "---", "---:", "---:"]))?;
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
                if runs.is_empty() {
                    NOTHING.to_owned()
                } else {
                    undecided(&runs).to_string()
                },
                Vec::from_iter(checks).join(", "),
                failures,
                news,
            ]))?;
        }
        Ok(())
    }
}
