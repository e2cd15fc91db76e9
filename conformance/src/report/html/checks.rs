//! Clause by clause: a table that shows all checks at a glance, and below it each check in full.

use std::fmt::Write as _;

use super::failures::findings;
use super::{badge, class, mark, told};
use crate::engine::outcome::Outcome;
use crate::report::text::counted;
use crate::report::xml::Escaped;
use crate::report::{Checked, Report};

/// A row for each clause, with a cell for each check.
pub(super) fn matrix(report: &Report) -> String {
    let mut html = String::new();
    for (clause, checks) in report.clauses() {
        let cells = checks.iter().map(|check| cell(check));
        let cells: String = cells.collect();
        let worst = Outcome::WORDS
            .into_iter()
            .find(|word| checks.iter().any(|check| check.outcome.word() == *word));
        let worst = worst.map_or_else(String::new, badge);
        let clause = Escaped(clause);
        _ = writeln!(
            html,
            "<tr><th scope=\"row\">{clause}</th><td><div class=\"cells\">{cells}</div></td><td>{worst}</td></tr>"
        );
    }
    match html.is_empty() {
        true => "<tr><td colspan=\"3\" class=\"none\">No check was run.</td></tr>".to_owned(),
        false => html,
    }
}

fn cell(check: &Checked) -> String {
    let word = check.outcome.word();
    format!(
        "<a class=\"{}\" href=\"#check-{id}\" title=\"{id} {word}: {}\">{} {id}<span hidden> {word}</span></a>",
        class(word),
        Escaped(check.says),
        mark(word),
        id = check.id,
    )
}

/// Every check in full, by clause; clauses of which every check passed are folded.
pub(super) fn all(report: &Report) -> String {
    let mut html = String::new();
    for (clause, checks) in report.clauses() {
        let clause = Escaped(clause);
        let count = counted(checks.len(), "check", "checks");
        let is_quiet =
            |check: &&Checked| matches!(check.outcome.word(), "passed" | "observed" | "not offered");
        let open = if checks.iter().all(is_quiet) { "" } else { " open" };
        _ = writeln!(
            html,
            "<details class=\"group\"{open}><summary><h3>{clause} <small>{count}</small></h3></summary>"
        );
        for check in checks {
            html.push_str(&one(check));
        }
        html.push_str("</details>\n");
    }
    html
}

fn one(check: &Checked) -> String {
    let word = check.outcome.word();
    let class = class(word);
    let shown: Vec<_> = check.outcome.findings().iter().collect();
    format!(
        "<details class=\"check {class}\" id=\"check-{id}\" data-outcome=\"{class}\">\
         <summary><span class=\"id\">{id}</span> <span class=\"says\">{says}</span> {badge}</summary>\n\
         <div class=\"body\"><p class=\"clause\">{clause}, {level}</p>{told}{findings}</div></details>\n",
        id = check.id,
        says = Escaped(check.says),
        badge = badge(word),
        clause = Escaped(check.clause),
        level = check.level,
        told = told(&check.outcome),
        findings = findings(&shown, true),
    )
}
