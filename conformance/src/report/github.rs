//! The report as commands in the log of a GitHub workflow: an annotation for each check that failed, the rest as a summary.

use std::io::{self, Write};

use crate::engine::outcome::Outcome;
use crate::report::{Report, text};

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
    for check in &report.checks {
        let level = match &check.outcome {
            Outcome::Failed { .. } => "error",
            Outcome::Error { .. } | Outcome::Inconclusive { .. } => "warning",
            _ => continue,
        };
        let findings = check.outcome.findings().iter().map(text::finding);
        let notes = check.outcome.notes().into_iter().map(text::line);
        let advice = (!check.advice.is_empty()).then(|| format!("Advice: {}", check.advice));
        let told: Vec<_> = findings.chain(notes).chain(advice).collect();
        let title = format!("{} ({}) {}", check.id, check.clause, check.says);
        writeln!(
            to,
            "::{level} title={}::{}",
            property(&title),
            data(&told.join("\n\n"))
        )?;
    }
    let level = if report.verdict.why().is_some() {
        "error"
    } else {
        "notice"
    };
    let mut told = vec![format!("{} {}", text::line(&report.target), report.headline())];
    told.extend(report.verdict.why().map(text::line));
    told.extend(report.limits());
    writeln!(
        to,
        "::{level} title=rollcall-conformance::{}",
        data(&told.join("\n"))
    )
}

/// Text in which no character ends the command.
fn data(words: &str) -> String {
    words
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The same for a property, which ends at a comma or a colon.
fn property(words: &str) -> String {
    data(words).replace(':', "%3A").replace(',', "%2C")
}
