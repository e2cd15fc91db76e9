//! What was not tested, and why.

use std::fmt::Write as _;

use super::badge;
use crate::report::xml::Escaped;
use crate::report::{Causes, Checked, Report};

/// The outcomes that leave a question, the gravest first.
const UNTESTED: [&str; 3] = ["error", "inconclusive", "not exercised"];

/// A row for the checks that lack the same; no section where nothing lacks.
pub(super) fn section(report: &Report, causes: &Causes<'_>) -> String {
    let mut rows = String::new();
    for word in UNTESTED {
        for gap in report.gaps(word) {
            row(&mut rows, &gap.checks, &gap.notes);
        }
    }
    for rest in &causes.loose {
        row(&mut rows, &[rest.check], &rest.check.outcome.notes());
    }
    match rows.is_empty() {
        true => rows,
        false => format!(
            "<section id=\"missing\" aria-labelledby=\"missing-title\">\n\
             <h2 id=\"missing-title\">Not tested</h2>\n<div class=\"scroll\"><table class=\"untold\">\n\
             <thead><tr><th scope=\"col\">Checks</th><th scope=\"col\">Outcome</th><th scope=\"col\">Why</th></tr></thead>\n\
             <tbody>{rows}</tbody></table></div></section>"
        ),
    }
}

fn row(rows: &mut String, checks: &[&Checked], notes: &[&str]) {
    let ids = checks
        .iter()
        .map(|check| format!("<a class=\"id\" href=\"#check-{0}\">{0}</a>", check.id));
    let ids: Vec<_> = ids.collect();
    let word = checks.first().map_or("", |check| check.outcome.word());
    _ = writeln!(
        rows,
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
        ids.join(" "),
        badge(word),
        Escaped(&notes.join("; ")),
    );
}
