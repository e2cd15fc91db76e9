//! The report as JUnit XML: a suite for each clause, a test case for each check.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::engine::outcome::Outcome;
use crate::report::xml::Escaped;
use crate::report::{Checked, Report, text};

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let all: Vec<&Checked> = report.checks.iter().collect();
    let why = report.verdict.why();
    let errors = count(&all, "error") + usize::from(why.is_some());
    _ = writeln!(
        xml,
        "<testsuites name=\"rollcall-conformance\" tests=\"{}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{}\" \
         time=\"{:.3}\">",
        all.len() + usize::from(why.is_some()),
        count(&all, "failed"),
        skipped(&all),
        report.seconds,
    );
    // A run that came to nothing has to show itself where only test cases are shown.
    if let Some(why) = why {
        let (name, why) = (Escaped(report.headline()), Escaped(why));
        _ = write!(
            xml,
            "  <testsuite name=\"run\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    \
             <testcase classname=\"run\" name=\"the target {name}\">\n      \
             <error type=\"{}\" message=\"{why}\"/>\n    </testcase>\n  </testsuite>\n",
            Escaped(report.verdict.word()),
        );
    }
    for (clause, checks) in report.clauses() {
        suite(&mut xml, report, clause, &checks);
    }
    xml.push_str("</testsuites>\n");
    to.write_all(xml.as_bytes())
}

fn suite(xml: &mut String, report: &Report, clause: &str, checks: &[&Checked]) {
    _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\" \
         timestamp=\"{}\">",
        Escaped(clause),
        checks.len(),
        count(checks, "failed"),
        count(checks, "error"),
        skipped(checks),
        checks.iter().map(|check| check.seconds).sum::<f64>(),
        Escaped(&report.started_at),
    );
    for check in checks {
        case(xml, check);
    }
    xml.push_str("  </testsuite>\n");
}

fn case(xml: &mut String, check: &Checked) {
    _ = write!(
        xml,
        "    <testcase classname=\"{}\" name=\"{} {}\" time=\"{:.3}\"",
        Escaped(check.clause),
        check.id,
        Escaped(check.says),
        check.seconds,
    );
    let outcome = &check.outcome;
    let notes = outcome.notes().join("; ");
    let findings: Vec<_> = outcome.findings().iter().map(text::finding).collect();
    let findings = findings.join("\n\n");
    let word = outcome.word();
    match outcome {
        Outcome::Failed { findings: all, cases } => {
            let about = all.first().map_or("", |finding| &finding.about);
            let message = format!("{} of {cases} cases: {about}", all.len());
            _ = write!(
                xml,
                ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                check.id,
                Escaped(&message),
                Escaped(&findings)
            );
        }
        Outcome::Error { .. } => {
            _ = write!(
                xml,
                ">\n      <error type=\"error\" message=\"{}\"/>\n    </testcase>\n",
                Escaped(&notes)
            );
        }
        Outcome::Passed { .. } | Outcome::Observed { .. } => {
            let seen = outcome.observations().iter();
            let seen = seen.map(|seen| format!("{} {}: {}", seen.point, seen.question, seen.choice));
            let told: Vec<_> = outcome
                .notes()
                .into_iter()
                .map(str::to_owned)
                .chain(seen)
                .collect();
            match told.is_empty() {
                true => xml.push_str("/>\n"),
                false => {
                    let told = told.join("\n");
                    let told = Escaped(&told);
                    _ = write!(xml, ">\n      <system-out>{told}</system-out>\n    </testcase>\n");
                }
            }
        }
        _ => {
            let message = format!("{word}: {notes}");
            _ = write!(xml, ">\n      <skipped message=\"{}\"/>\n", Escaped(&message));
            if !findings.is_empty() {
                _ = writeln!(xml, "      <system-out>{}</system-out>", Escaped(&findings));
            }
            xml.push_str("    </testcase>\n");
        }
    }
}

fn count(checks: &[&Checked], word: &str) -> usize {
    checks.iter().filter(|check| check.outcome.word() == word).count()
}

/// How many test cases are told as skipped: all that neither passed nor failed.
fn skipped(checks: &[&Checked]) -> usize {
    let told = ["failed", "error", "passed", "observed"];
    let skipped = |check: &&&Checked| !told.contains(&check.outcome.word());
    checks.iter().filter(skipped).count()
}
