//! The report as Markdown, for the summary of a CI run or a comment: the verdict, the failures by cause, the rest in tables.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::report::point::NOT_OBSERVED;
use crate::report::{Cause, Causes, Checked, Failure, Gap, Report, text};

/// A cause names so many things in its heading.
const NAMES: usize = 3;
/// A failure shows so many findings; the JSON report has them all.
const SHOWN: usize = 5;

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
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
    table(&mut md, "Not judged", causes.loose.iter().map(|rest| rest.check));
    notes(&mut md, report);
    points(&mut md, report);
    foot(&mut md, report);
    to.write_all(md.as_bytes())
}

fn head(md: &mut String, report: &Report) {
    _ = writeln!(md, "# {} {}\n", escaped(&report.target), report.headline());
    if let Some(why) = report.verdict.why() {
        _ = writeln!(md, "{}\n", escaped(why));
    }
    for limit in report.limits() {
        _ = writeln!(md, "{}\n", escaped(&limit));
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
            failed(md, failure);
        }
        if !cause.rests.is_empty() {
            let rests: Vec<_> = cause.rests.iter().map(|rest| rest.check.id).collect();
            _ = writeln!(md, "\nNot judged because of it: {}.", rests.join(", "));
        }
    }
}

fn failed(md: &mut String, failure: &Failure<'_>) {
    let check = failure.check;
    _ = writeln!(
        md,
        "\n**{}** ({}) {}",
        check.id,
        check.clause,
        escaped(check.says)
    );
    for note in check.outcome.notes() {
        _ = writeln!(md, "\nWaived: {}", escaped(note));
    }
    for finding in failure.findings.iter().take(SHOWN) {
        _ = writeln!(md, "\n- {} ({})", escaped(&finding.about), finding.clause);
        _ = writeln!(md, "  - expected: {}", escaped(&finding.expected));
        _ = writeln!(md, "  - actual: {}", escaped(&finding.actual));
        let steps = text::steps(finding);
        let lines: Vec<_> = steps
            .iter()
            .map(|step| format!("  {}", text::line(&step.curl)))
            .collect();
        if !lines.is_empty() {
            let lines = lines.join("\n");
            let fence = fence(&lines);
            _ = writeln!(md, "\n  {fence}sh\n{lines}\n  {fence}");
        }
    }
    if failure.findings.len() > SHOWN {
        _ = writeln!(md, "- … and {} more", failure.findings.len() - SHOWN);
    }
    _ = writeln!(md, "\nAdvice: {}", escaped(check.advice));
}

fn gaps(md: &mut String, title: &str, gaps: &[Gap<'_>]) {
    for (number, gap) in gaps.iter().enumerate() {
        if number == 0 {
            _ = writeln!(md, "\n## {title}\n\n| checks | why | |\n|---|---|---|");
        }
        let says = match gap.checks.as_slice() {
            [check] => escaped(check.says),
            _ => String::new(),
        };
        let notes = escaped(&gap.notes.join("; "));
        _ = writeln!(md, "| {} | {notes} | {says} |", gap.ids());
    }
}

fn table<'r>(md: &mut String, title: &str, checks: impl Iterator<Item = &'r Checked>) {
    for (number, check) in checks.enumerate() {
        if number == 0 {
            _ = writeln!(
                md,
                "\n## {title}\n\n| check | clause | says | |\n|---|---|---|---|"
            );
        }
        let notes = escaped(&check.outcome.notes().join("; "));
        _ = writeln!(
            md,
            "| {} | {} | {} | {notes} |",
            check.id,
            check.clause,
            escaped(check.says)
        );
    }
}

fn notes(md: &mut String, report: &Report) {
    for (number, waiver) in report.waivers.iter().enumerate() {
        if number == 0 {
            _ = writeln!(md, "\n## Waivers to look at\n");
        }
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
        let sights: Vec<_> = sights.collect();
        let told = if sights.is_empty() {
            NOT_OBSERVED.to_owned()
        } else {
            sights.join("<br>")
        };
        _ = writeln!(
            md,
            "| {} | {} | {told} |",
            escaped(&point.id),
            escaped(&point.says)
        );
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
