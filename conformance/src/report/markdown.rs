//! The report as Markdown, for the summary of a CI run or a comment: the verdict, the failures by cause, the rest in tables.

use std::fmt::Write as _;

use crate::report::point::NOT_OBSERVED;
use crate::report::{Cause, Causes, Failure, Gap, Report, Rest, text};

/// A cause names so many things in its heading.
const NAMES: usize = 3;
/// A failure shows so many findings; the JSON report has them all.
const SHOWN: usize = 5;

/// Renders the report.
pub(super) fn render(report: &Report) -> String {
    let mut md = String::new();
    head(&mut md, report);
    let causes = Causes::of(report);
    section(&mut md, "Failures", causes.failed());
    section(&mut md, "Waived", causes.waived());
    for (word, title) in [
        ("error", "Not finished"),
        ("inconclusive", "Inconclusive"),
        ("not exercised", "Not tested"),
        ("not offered", "Not offered"),
    ] {
        gaps(&mut md, title, &report.gaps(word));
    }
    not_judged(&mut md, &causes.loose);
    notes(&mut md, report);
    points(&mut md, report);
    foot(&mut md, report);
    md
}

fn head(md: &mut String, report: &Report) {
    _ = writeln!(md, "# {} {}\n", escaped(&report.target), report.headline());
    for reason in report.reasons() {
        _ = writeln!(md, "{}\n", escaped(&reason));
    }
    for note in &report.notes {
        _ = writeln!(md, "Note: {}\n", escaped(note));
    }
    let counts = report.counts();
    if !counts.is_empty() {
        let words: Vec<_> = counts.iter().map(|(word, _)| *word).collect();
        let numbers: Vec<_> = counts.iter().map(|(_, count)| count.to_string()).collect();
        _ = writeln!(md, "| {} |", words.join(" | "));
        _ = writeln!(md, "|{}", "---:|".repeat(words.len()));
        _ = writeln!(md, "| {} |", numbers.join(" | "));
    }
}

fn section<'c, 'r: 'c>(md: &mut String, title: &str, causes: impl Iterator<Item = &'c Cause<'r>>) {
    for (number, cause) in causes.enumerate() {
        if number == 0 {
            _ = writeln!(md, "\n## {title}");
        }
        _ = writeln!(md, "\n### {}", escaped(&cause.title(NAMES)));
        for failure in &cause.failures {
            failed(md, cause, failure);
        }
        if !cause.rests.is_empty() {
            _ = writeln!(md, "\nNot judged because of it: {}.", cause.rest_ids());
        }
    }
}

fn failed(md: &mut String, cause: &Cause<'_>, failure: &Failure<'_>) {
    let check = failure.check;
    let says = escaped(check.says);
    _ = writeln!(md, "\n**{}** ({}) {says}", check.id, check.clause);
    for demand in &check.demands {
        _ = writeln!(md, "\nDemanded by {}", escaped(&demand.to_string()));
    }
    for note in check.outcome.notes() {
        _ = writeln!(md, "\nWaived: {}", escaped(note));
    }
    for finding in failure.findings.iter().take(SHOWN) {
        _ = writeln!(md, "\n- {} ({})", escaped(&finding.about), finding.clause);
        _ = writeln!(md, "  - expected: {}", escaped(&finding.expected));
        _ = writeln!(md, "  - actual: {}", escaped(&finding.actual));
        let steps = text::steps(finding).into_iter();
        let lines: Vec<_> = steps.map(|step| text::line(&step.curl)).collect();
        if !lines.is_empty() {
            let lines = lines.join("\n  ");
            let fence = fence(&lines);
            _ = writeln!(md, "\n  {fence}sh\n  {lines}\n  {fence}");
        }
    }
    if failure.findings.len() > SHOWN {
        _ = writeln!(md, "- … and {} more", failure.findings.len() - SHOWN);
    }
    _ = writeln!(md, "\nAdvice: {}", escaped(cause.advice(check)));
}

fn gaps(md: &mut String, title: &str, gaps: &[Gap<'_>]) {
    if !gaps.is_empty() {
        _ = writeln!(md, "\n## {title}\n\n| checks | why | |\n|---|---|---|");
    }
    for gap in gaps {
        let says = match gap.checks.as_slice() {
            [check] => escaped(check.says),
            _ => String::new(),
        };
        let notes = escaped(&gap.notes.join("; "));
        _ = writeln!(md, "| {} | {notes} | {says} |", gap.ids());
    }
}

fn not_judged(md: &mut String, rests: &[Rest<'_>]) {
    if !rests.is_empty() {
        md.push_str("\n## Not judged\n\n| check | clause | says | |\n|---|---|---|---|\n");
    }
    for Rest { check, .. } in rests {
        let notes = escaped(&check.outcome.notes().join("; "));
        let says = escaped(check.says);
        _ = writeln!(md, "| {} | {} | {says} | {notes} |", check.id, check.clause);
    }
}

fn notes(md: &mut String, report: &Report) {
    if !report.waivers.is_empty() {
        md.push_str("\n## Waivers to look at\n\n");
    }
    for waiver in &report.waivers {
        _ = writeln!(md, "- {}: {}", waiver.kind.word(), escaped(&waiver.note));
    }
}

fn points(md: &mut String, report: &Report) {
    _ = writeln!(
        md,
        "\n<details><summary>Open points: {}</summary>\n\n| point | is left open | the target |\n|---|---|---|",
        report.observed().as_deref().unwrap_or(NOT_OBSERVED),
    );
    for point in &report.points {
        let sights = point.observed.iter();
        let sights = sights.map(|sight| format!("{}: {}", escaped(&sight.question), escaped(&sight.choice)));
        let told = match sights.collect::<Vec<_>>() {
            sights if sights.is_empty() => NOT_OBSERVED.to_owned(),
            sights => sights.join("<br>"),
        };
        let (id, says) = (escaped(&point.id), escaped(&point.says));
        _ = writeln!(md, "| {id} | {says} | {told} |");
    }
    _ = writeln!(md, "\n</details>");
}

fn foot(md: &mut String, report: &Report) {
    _ = writeln!(
        md,
        "\n{} in {:.1} s; seed {}; {} {}; rollcall-conformance {}",
        text::requests(report),
        report.seconds,
        report.seed,
        escaped(&report.contract.title),
        escaped(&report.contract.version),
        report.runner
    );
    if !report.writes.is_empty() {
        _ = writeln!(md, "\nWritten to: {}", escaped(&report.writes.join(", ")));
    }
}

/// Text in which no character means anything to Markdown.
fn escaped(words: &str) -> String {
    let mut escaped = String::new();
    for c in text::line(words).chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // A name after it would be told about the report.
            '@' => escaped.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A fence that the text does not close.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}
