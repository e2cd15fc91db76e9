//! The report as TAP 14: a test point for each check.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::json;

use crate::engine::outcome::Outcome;
use crate::report::{Checked, Report, text};

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
    let mut tap = format!("TAP version 14\n1..{}\n", report.checks.len());
    _ = writeln!(
        tap,
        "# {} {}; seed {}",
        text::line(&report.target),
        report.headline(),
        report.seed
    );
    for (number, check) in report.checks.iter().enumerate() {
        point(&mut tap, number + 1, check);
    }
    if let Some(why) = report.verdict.why() {
        _ = writeln!(tap, "Bail out! {}", text::line(why));
    }
    to.write_all(tap.as_bytes())
}

fn point(tap: &mut String, number: usize, check: &Checked) {
    let says = escaped(check.says);
    let notes = escaped(&check.outcome.notes().join("; "));
    let word = check.outcome.word();
    let (ok, directive) = match &check.outcome {
        Outcome::Passed { .. } | Outcome::Observed { .. } => ("ok", String::new()),
        Outcome::Failed { .. } => ("not ok", String::new()),
        Outcome::Error { .. } => ("not ok", format!(" ({notes})")),
        // A harness takes a failure that is marked as to do for what it is: known.
        Outcome::Waived { .. } => ("not ok", format!(" # TODO waived: {notes}")),
        _ => ("ok", format!(" # SKIP {word}: {notes}")),
    };
    _ = writeln!(
        tap,
        "{ok} {number} - {} {} {says}{directive}",
        check.id, check.clause
    );
    let lines = diagnostics(check);
    if !lines.is_empty() {
        // JSON is YAML, and cannot be broken by what a target writes.
        _ = writeln!(tap, "  ---");
        for (key, value) in lines {
            _ = writeln!(tap, "  {key}: {value}");
        }
        _ = writeln!(tap, "  ...");
    }
}

/// What is told below a test point.
fn diagnostics(check: &Checked) -> Vec<(&'static str, serde_json::Value)> {
    let mut lines = Vec::new();
    let findings: Vec<_> = check.outcome.findings().iter().collect();
    if !findings.is_empty() {
        let findings = findings.iter().map(|finding| {
            let curl: Vec<_> = text::steps(finding)
                .iter()
                .map(|step| step.curl.clone())
                .collect();
            json!({
                "about": finding.about,
                "clause": finding.clause,
                "expected": finding.expected,
                "actual": finding.actual,
                "curl": curl,
            })
        });
        lines.push(("findings", findings.collect()));
    }
    let observations = check.outcome.observations();
    if !observations.is_empty() {
        lines.push(("observations", json!(observations)));
    }
    if let Outcome::Passed { gaps, .. } = &check.outcome
        && !gaps.is_empty()
    {
        lines.push(("gaps", json!(gaps)));
    }
    lines
}

/// A description in which no character means anything to TAP.
fn escaped(description: &str) -> String {
    text::line(description).replace('\\', "\\\\").replace('#', "\\#")
}
