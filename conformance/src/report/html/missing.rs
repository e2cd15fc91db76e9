//! What could not be told, and what it would take.

use std::fmt::Write as _;

use super::badge;
use crate::report::xml::Escaped;
use crate::report::{Causes, Report};

/// The outcomes that leave a question, the gravest first.
const UNTOLD: [&str; 3] = ["error", "inconclusive", "not exercised"];

/// A row for each check that told nothing; no section where there is none.
pub(super) fn section(report: &Report, causes: &Causes<'_>) -> String {
    let mut rows = String::new();
    let untold = UNTOLD.iter().flat_map(|word| report.with(word));
    let untold = untold.chain(causes.loose.iter().map(|rest| rest.check));
    for check in untold {
        _ = writeln!(
            rows,
            "<tr><th scope=\"row\"><a class=\"id\" href=\"#check-{id}\">{id}</a></th><td>{}</td><td>{}</td></tr>",
            badge(check.outcome.word()),
            Escaped(&check.outcome.notes().join("; ")),
            id = check.id,
        );
    }
    match rows.is_empty() {
        true => rows,
        false => format!(
            "<section id=\"missing\" aria-labelledby=\"missing-title\">\n\
             <h2 id=\"missing-title\">What could not be told</h2>\n<div class=\"scroll\"><table class=\"untold\">\n\
             <thead><tr><th scope=\"col\">Check</th><th scope=\"col\">Outcome</th><th scope=\"col\">What is missing, or \
             what happened</th></tr></thead>\n<tbody>{rows}</tbody></table></div></section>"
        ),
    }
}
