//! Clause by clause: a table that shows all checks at a glance, and below it each check in full.

use maud::{Markup, html};

use super::elements::{badge, class, demands, prose, table};
use super::findings::findings;
use crate::engine::outcome::Outcome;
use crate::report::console::LEVELS;
use crate::report::text::counted;
use crate::report::{Checked, Report, mark};

/// A row for each clause, with a cell for each check and the gravest outcome.
pub(super) fn matrix(report: &Report) -> Markup {
    let rows = html! {
        @for (clause, checks) in report.clauses() {
            @let has_outcome = |word: &&str| checks.iter().any(|check| check.outcome.word() == *word);
            tr {
                th scope="row" { (clause) }
                td { div.cells { @for check in &checks {
                    @let word = check.outcome.word();
                    a.(class(word)) href={ "#check-" (check.id) } title={ (check.id) " " (word) ": " (check.says) } {
                        (mark(word)) " " (check.id) span hidden { " " (word) }
                    }
                } } }
                td { @if let Some(word) = Outcome::WORDS.into_iter().find(has_outcome) { (badge(word)) } }
            }
        }
        @if report.checks.is_empty() { tr { td.none colspan="3" { "No check was run." } } }
    };
    html! {
        (table("matrix", ["Clause", "Checks", "Outcome"], &rows))
        p.legend {
            @for (word, _) in report.counts() { span.(class(word)) { b { (mark(word)) } " " (word) } " " }
        }
    }
}

/// Every check in full, by clause. A clause is folded if none of its checks leaves a question.
pub(super) fn all(report: &Report) -> Markup {
    let is_settled = |check: &&Checked| matches!(check.outcome.word(), "passed" | "observed" | "not offered");
    html! {
        (filter(report))
        p.hint.lead { (LEVELS) }
        @for (clause, checks) in report.clauses() {
            details.group open[!checks.iter().all(is_settled)] {
                summary { h3 { (clause) " " small { (counted(checks.len(), "check", "checks")) } } }
                @for check in checks { (one(check)) }
            }
        }
    }
}

/// The form that searches the checks. It is hidden until the script runs, which it needs.
fn filter(report: &Report) -> Markup {
    html! {
        form.filter role="search" hidden {
            label { "Search "
                input type="search" name="text" autocomplete="off" placeholder="E1, filter[email], curl …"; }
            label { "Outcome " select name="outcome" {
                option value="" { "all" }
                @for (word, count) in report.counts() { option value=(class(word)) { (word) " (" (count) ")" } }
            } }
            button type="reset" { "Show all" }
            button type="button" name="unfold" aria-pressed="false" { "Unfold" }
            p.shown role="status" aria-live="polite" {}
        }
    }
}

fn one(check: &Checked) -> Markup {
    let word = check.outcome.word();
    let class = class(word);
    let all: Vec<_> = check.outcome.findings().iter().collect();
    html! {
        details.check.(class) id={ "check-" (check.id) } data-outcome=(class) {
            summary { span.id { (check.id) } " " span.says { (prose(check.says)) } " " (badge(word)) }
            div.body {
                p.clause { (check.clause) ", " (check.level) }
                (demands(check))
                (remarks(&check.outcome))
                (findings(&all, true))
            }
        }
    }
}

/// What an outcome says besides its findings: cases, gaps, reasons, observations.
fn remarks(outcome: &Outcome) -> Markup {
    let head = match outcome {
        Outcome::Passed { .. } => "Could not be looked at:",
        Outcome::NotExercised { .. } => "The data lacks:",
        Outcome::Inconclusive { .. } => "Looked wrong at first, and then not:",
        Outcome::NotOffered { .. } => "The target does not offer, and need not:",
        Outcome::NotJudged { .. } => "Rests on what has failed already:",
        Outcome::Waived { .. } => "Known:",
        Outcome::Error { .. } => "Could not be finished:",
        Outcome::Failed { .. } | Outcome::Observed { .. } => "",
    };
    let (notes, observations) = (outcome.notes(), outcome.observations());
    html! {
        @if let Some(cases) = outcome.cases() { p.hint { (counted(cases, "case", "cases")) } }
        @if !notes.is_empty() { p { (head) } ul { @for note in notes { li { (note) } } } }
        @if !observations.is_empty() {
            ul { @for seen in observations { li { (seen.point) " " (seen.question) ": " (seen.choice) } } }
        }
    }
}
