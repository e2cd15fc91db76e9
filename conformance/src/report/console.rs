//! The report as a person reads it: the verdict last, where the eye ends up; before it what was wrong, with the means to
//! see it again.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::checks::Check;
use crate::finding::Finding;
use crate::outcome::Outcome;
use crate::report::{Checked, Report, Verdict};

/// A check shows this many of its findings here; the JSON report has them all.
const SHOWN: usize = 3;

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
    let mut text = String::new();
    for check in &report.checks {
        line(&mut text, check);
    }
    for check in &report.checks {
        details(&mut text, check);
    }
    summary(&mut text, report);
    to.write_all(text.as_bytes())
}

/// Writes all checks as a table.
///
/// # Errors
/// It cannot be written.
pub fn list(checks: impl Iterator<Item = &'static Check>, mut to: impl Write) -> io::Result<()> {
    writeln!(
        to,
        "{:<4} {:<8} {:<8} WHAT THE SPECIFICATION SAYS",
        "ID", "CLAUSE", "LEVEL"
    )?;
    for check in checks {
        writeln!(
            to,
            "{:<4} {:<8} {:<8} {}",
            check.id, check.clause, check.level, check.says
        )?;
        writeln!(to, "{:<22} needs {}", "", check.needs)?;
    }
    Ok(())
}

/// Writes what one check is about.
///
/// # Errors
/// It cannot be written.
pub fn explain(check: &Check, mut to: impl Write) -> io::Result<()> {
    writeln!(to, "{}  {}  {}", check.id, check.clause, check.level)?;
    writeln!(to, "  says   {}", check.says)?;
    writeln!(to, "  needs  {}", check.needs)?;
    writeln!(to, "  finds  {}", check.finds)
}

fn line(text: &mut String, check: &Checked) {
    let more = match &check.outcome {
        Outcome::Passed { cases, .. } => format!("{cases} cases"),
        Outcome::Failed { cases, findings } => format!("{} of {cases} cases", findings.len()),
        Outcome::Error { why } => why.clone(),
        Outcome::NotExercised { needs } => format!("needs {}", first(needs)),
        Outcome::Inconclusive { why } => first(why),
        Outcome::NotOffered { what } => first(what),
        Outcome::NotJudged { because } => first(because),
        Outcome::Waived { reason, .. } => reason.clone(),
        Outcome::Observed { observations } => format!("{} observations", observations.len()),
    };
    _ = writeln!(
        text,
        "{:<13} {:<4} {:<7} {} ({more})",
        check.outcome.word(),
        check.id,
        check.clause,
        check.says
    );
}

fn first(texts: &[String]) -> String {
    match texts {
        [] => "data that is not there".to_owned(),
        [one] => one.clone(),
        [one, more @ ..] => format!("{one}, and {} more", more.len()),
    }
}

fn details(text: &mut String, check: &Checked) {
    match &check.outcome {
        Outcome::Failed { findings, .. } => {
            _ = writeln!(text, "\nFAILED {} {}: {}", check.id, check.clause, check.says);
            for finding in findings.iter().take(SHOWN) {
                violation(text, finding);
            }
            if findings.len() > SHOWN {
                _ = writeln!(
                    text,
                    "  … and {} more; --report FILE has them all",
                    findings.len() - SHOWN
                );
            }
        }
        Outcome::Observed { observations } => {
            _ = writeln!(text, "\nobserved {} {}: {}", check.id, check.clause, check.says);
            for observation in observations {
                _ = writeln!(
                    text,
                    "  - {} {}: {}",
                    observation.point, observation.question, observation.choice
                );
            }
        }
        _ => {}
    }
}

fn violation(text: &mut String, finding: &Finding) {
    _ = writeln!(text, "  {} ({})", finding.about, finding.clause);
    _ = writeln!(text, "    expected  {}", finding.expected);
    _ = writeln!(text, "    actual    {}", finding.actual);
    for evidence in &finding.evidence {
        _ = writeln!(text, "    {} → {}", evidence.request, evidence.status);
        _ = writeln!(text, "    {}", evidence.curl);
    }
}

fn summary(text: &mut String, report: &Report) {
    let count = |word: &str| {
        report
            .checks
            .iter()
            .filter(|check| check.outcome.word() == word)
            .count()
    };
    for note in &report.notes {
        _ = writeln!(text, "\nnote: {note}");
    }
    for waiver in &report.waivers {
        _ = writeln!(text, "\nnote: {}", waiver.note);
    }
    let words = [
        "passed",
        "failed",
        "not exercised",
        "inconclusive",
        "not offered",
        "not judged",
        "waived",
        "observed",
        "error",
    ];
    let counts = words
        .iter()
        .map(|word| (count(word), word))
        .filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    let counts = if counts.is_empty() {
        "no check was run".to_owned()
    } else {
        counts.join(", ")
    };
    _ = writeln!(
        text,
        "\n{counts}; {} requests; seed {}",
        report.requests, report.seed
    );
    _ = match &report.verdict {
        Verdict::Conforms => writeln!(
            text,
            "{} conforms, as far as it could be looked at.",
            report.target
        ),
        Verdict::Violates => writeln!(text, "{} VIOLATES the specification.", report.target),
        Verdict::TooLittle { why } => writeln!(text, "{}: too little evidence: {why}", report.target),
        Verdict::CouldNotRun { why } => writeln!(text, "{} could not be judged: {why}", report.target),
        Verdict::Unreachable { why } => writeln!(text, "{} does not answer: {why}", report.target),
    };
}
