//! The report as TAP 14: a test point for each check.

use std::fmt::Write as _;

use serde_json::json;

use crate::engine::outcome::Outcome;
use crate::report::{Checked, Report, text};

/// Renders the report.
pub(super) fn render(report: &Report) -> String {
    let mut tap = format!("TAP version 14\n1..{}\n", report.checks.len());
    let target = text::line(&report.target);
    _ = writeln!(tap, "# {target} {}; seed {}", report.headline(), report.seed);
    for (number, check) in report.checks.iter().enumerate() {
        point(&mut tap, number + 1, check);
    }
    if let Some(why) = report.verdict.why() {
        _ = writeln!(tap, "Bail out! {}", text::line(why));
    }
    tap
}

fn point(tap: &mut String, number: usize, check: &Checked) {
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
    let says = format!("{} {} {}", check.id, check.clause, escaped(check.says));
    _ = writeln!(tap, "{ok} {number} - {says}{directive}");
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
    let findings = check.outcome.findings();
    if !findings.is_empty() {
        let findings = findings.iter().map(|finding| {
            let steps = text::steps(finding).into_iter();
            let curl: Vec<_> = steps.map(|step| &step.curl).collect();
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
