//! The report as JUnit XML: a suite for each clause, a test case for each check.

use std::fmt::Write as _;

use crate::engine::outcome::Outcome;
use crate::report::xml::Escaped;
use crate::report::{Checked, Report, text};

/// Renders the report.
pub(super) fn render(report: &Report) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let all: Vec<&Checked> = report.checks.iter().collect();
    let why = report.verdict.why();
    _ = writeln!(
        xml,
        "<testsuites name=\"rollcall-conformance\" {} time=\"{:.3}\">",
        counts(&all, why.is_some()),
        report.seconds,
    );
    // A run that came to nothing has to show itself where only test cases are shown.
    if let Some(why) = why {
        let (name, why) = (Escaped(report.headline()), Escaped(why));
        _ = write!(
            xml,
            "  <testsuite name=\"run\" {}>\n    <testcase classname=\"run\" name=\"the target {name}\">\n      \
             <error type=\"{}\" message=\"{why}\"/>\n    </testcase>\n  </testsuite>\n",
            counts(&[], true),
            Escaped(report.verdict.word()),
        );
    }
    for (clause, checks) in report.clauses() {
        suite(&mut xml, report, clause, &checks);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn suite(xml: &mut String, report: &Report, clause: &str, checks: &[&Checked]) {
    _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" {} time=\"{:.3}\" timestamp=\"{}\">",
        Escaped(clause),
        counts(checks, false),
        checks.iter().map(|check| check.seconds).sum::<f64>(),
        Escaped(&report.started_at),
    );
    for check in checks {
        test_case(xml, check);
    }
    xml.push_str("  </testsuite>\n");
}

/// The attributes that count test cases. A run that could not be made is one more case, with an error.
fn counts(checks: &[&Checked], is_run_error: bool) -> String {
    let count = |words: &[&str]| {
        let is_counted = |check: &&&Checked| words.contains(&check.outcome.word());
        checks.iter().filter(is_counted).count()
    };
    let more = usize::from(is_run_error);
    let tests = checks.len() + more;
    let (failures, errors) = (count(&["failed"]), count(&["error"]) + more);
    // All that neither passed nor failed is told as skipped.
    let skipped = tests - failures - errors - count(&["passed", "observed"]);
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

fn test_case(xml: &mut String, check: &Checked) {
    let outcome = &check.outcome;
    let notes = outcome.notes();
    let findings: Vec<_> = outcome.findings().iter().map(text::finding).collect();
    let inner = match outcome {
        Outcome::Failed { findings: all, cases } => {
            let about = all.first().map_or("", |finding| &finding.about);
            let message = format!("{} of {cases} cases: {about}", all.len());
            let text = findings.join("\n\n");
            let (id, message, text) = (check.id, Escaped(&message), Escaped(&text));
            format!("      <failure type=\"{id}\" message=\"{message}\">{text}</failure>\n")
        }
        Outcome::Error { why } => format!("      <error type=\"error\" message=\"{}\"/>\n", Escaped(why)),
        Outcome::Passed { .. } | Outcome::Observed { .. } => {
            let seen = outcome.observations().iter();
            let seen = seen.map(|seen| format!("{} {}: {}", seen.point, seen.question, seen.choice));
            let told: Vec<_> = notes.into_iter().map(str::to_owned).chain(seen).collect();
            output(&told, "\n")
        }
        _ => {
            let message = format!("{}: {}", outcome.word(), notes.join("; "));
            let skipped = format!("      <skipped message=\"{}\"/>\n", Escaped(&message));
            skipped + &output(&findings, "\n\n")
        }
    };
    let end = match inner.is_empty() {
        true => "/>\n".to_owned(),
        false => format!(">\n{inner}    </testcase>\n"),
    };
    _ = write!(
        xml,
        "    <testcase classname=\"{}\" name=\"{} {}\" time=\"{:.3}\"{end}",
        Escaped(check.clause),
        check.id,
        Escaped(check.says),
        check.seconds,
    );
}

/// What a test case has put out; no element if that is nothing.
fn output(texts: &[String], between: &str) -> String {
    if texts.is_empty() {
        return String::new();
    }
    let text = texts.join(between);
    format!("      <system-out>{}</system-out>\n", Escaped(&text))
}
