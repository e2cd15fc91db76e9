//! The report as commands in the log of a GitHub workflow: an annotation for each check that failed, the rest as a summary.

use std::fmt::Write as _;

use crate::engine::outcome::Outcome;
use crate::report::{Report, text};

/// Renders the report.
pub(super) fn render(report: &Report) -> String {
    let mut log = String::new();
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
        let told = data(&told.join("\n\n"));
        let title = property(&format!("{} ({}) {}", check.id, check.clause, check.says));
        _ = writeln!(log, "::{level} title={title}::{told}");
    }
    let level = match report.verdict.why() {
        Some(_) => "error",
        None => "notice",
    };
    let mut told = vec![format!("{} {}", text::line(&report.target), report.headline())];
    told.extend(report.reasons().iter().map(|reason| text::line(reason)));
    let told = data(&told.join("\n"));
    _ = writeln!(log, "::{level} title=rollcall-conformance::{told}");
    log
}

/// Text in which no character ends the command.
fn data(words: &str) -> String {
    let words = words.replace('%', "%25");
    words.replace('\r', "%0D").replace('\n', "%0A")
}

/// The same for a property, which ends at a comma or a colon.
fn property(words: &str) -> String {
    data(words).replace(':', "%3A").replace(',', "%2C")
}
