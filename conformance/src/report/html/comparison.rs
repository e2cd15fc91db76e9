//! Reports side by side, as one page. It has no script.

use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};

use super::elements::{class, prose, section};
use super::{document, text_of};
use crate::engine::outcome::Outcome;
use crate::report::compare::{
    self, CheckRow, Columns, Comparison, Implementation, PointRow, Word, WrittenRun,
};
use crate::report::mark;
use crate::report::text::counted;

const STYLE: &str = include_str!("comparison.css");

/// Writes the comparison as one HTML file that needs nothing else.
///
/// # Errors
/// It cannot be written.
pub fn write_comparison(comparison: &Comparison, mut to: impl Write) -> io::Result<()> {
    to.write_all(text_of(&page(comparison)).as_bytes())
}

fn page(comparison: &Comparison) -> Markup {
    let names: Vec<&str> = comparison
        .implementations
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let columns = comparison.last_runs();
    let has_history = comparison
        .implementations
        .iter()
        .any(|one| one.history().is_some());
    let implementations = counted(names.len(), "implementation", "implementations");
    let reports = counted(comparison.reports(), "report", "reports");
    let body = html! {
        style { (PreEscaped(STYLE)) }
        a.skip href="#implementations" { "Skip to the results" }
        header.verdict { div.wide {
            p.eyebrow { "Conformance reports side by side" }
            h1 { (implementations) ", " (reports) }
            @if let Some(run) = columns.runs().first() { p.target { (run.contract.title) " " (run.contract.version) } }
        } }
        nav.wide aria-label="Sections" {
            a href="#implementations" { "Implementations" } " " a href="#clauses" { "Clauses" } " "
            a href="#checks" { "Checks" } " " a href="#choices" { "Choices" }
            @if has_history { " " a href="#history" { "History" } }
        }
        main.wide {
            (section("implementations", "Implementations", &implementations_table(comparison)))
            (section("clauses", "Clause by clause", &clauses(&names, &columns)))
            (section("checks", "All checks", &checks(&names, &columns)))
            (section("choices", "Different choices at open points", &choices(&names, &columns.different_points())))
            @if has_history { (section("history", "History", &html! {
                @for one in &comparison.implementations {
                    @if let Some(runs) = one.history() { (history(one, &runs)) }
                }
            })) }
        }
        footer.wide { p { "Written by rollcall-conformance " (env!("CARGO_PKG_VERSION")) "." } }
    };
    document(&format!("{implementations} side by side"), &body)
}

/// A row for each implementation, with its last run.
fn implementations_table(comparison: &Comparison) -> Markup {
    let columns = comparison.last_runs();
    html! {
        div.scroll { table {
            thead { tr { @for title in ["Name", "Verdict", "Checks", "Run", "Target"] { th scope="col" { (title) } } } }
            tbody { @for (one, run) in comparison.implementations.iter().zip(columns.runs()) { tr {
                th scope="row" { (one.name) }
                td { (verdict(run)) }
                td { (chips(&run_counts(run))) }
                td.day { (day(run)) br; span.hint { "runner " (run.runner) } }
                td { code { (run.target) } }
            } } }
        } }
        (legend(&columns))
    }
}

/// A row for each clause, with the number of checks that came to each outcome.
fn clauses(names: &[&str], columns: &Columns<'_>) -> Markup {
    html! {
        div.scroll { table.side-by-side {
            (head("Clause", names))
            tbody { @for (clause, rows) in columns.clauses() { tr.different[rows.iter().any(CheckRow::is_different)] {
                th scope="row" { a href={ "#clause-" (clause.trim_start_matches('§')) } { (clause) } }
                @for column in 0..names.len() { td { (chips(&compare::counts(&rows, column))) } }
            } } }
        } }
    }
}

/// Every check. A clause is folded if all of its checks came to the same everywhere and none failed.
fn checks(names: &[&str], columns: &Columns<'_>) -> Markup {
    let is_telling = |row: &CheckRow<'_>| row.is_different() || row.has_failed();
    let clauses = columns.clauses();
    let different = columns.different_checks().len();
    let all: usize = clauses.iter().map(|(_, rows)| rows.len()).sum();
    html! {
        p.hint.lead { (counted(different, "check differs", "checks differ")) ", of " (all) "." }
        @for (clause, rows) in clauses {
            details.group id={ "clause-" (clause.trim_start_matches('§')) } open[rows.iter().any(is_telling)] {
                summary { h3 { (clause) " " small {
                    (counted(rows.len(), "check", "checks"))
                    @let different = rows.iter().filter(|row| row.is_different()).count();
                    @if different > 0 { ", " (different) " of them different" }
                } } }
                (check_table(names, &rows))
            }
        }
    }
}

fn check_table(columns: &[&str], rows: &[CheckRow<'_>]) -> Markup {
    html! {
        div.scroll { table.side-by-side {
            (head("Check", columns))
            tbody { @for row in rows { tr.different[row.is_different()] {
                th scope="row" { span.id { (row.check.id) } " " span.says { (prose(&row.check.says)) } }
                @for outcome in &row.outcomes { td {
                    @match outcome {
                        Some(word) => span.badge.(class(word)) { (mark(word)) " " (word) },
                        None => span.hint { "not run" },
                    }
                } }
            } } }
        } }
    }
}

/// The open points with different choices. Questions with the same answers stand in one row.
fn choices(columns: &[&str], points: &[PointRow<'_>]) -> Markup {
    html! {
        p.hint.lead { "Nothing here is a fault: the specification leaves these points to the implementation." }
        @if points.is_empty() { p.none { "No choice differs." } } @else { (point_table(columns, points)) }
    }
}

fn point_table(columns: &[&str], points: &[PointRow<'_>]) -> Markup {
    html! {
        div.scroll { table.side-by-side.choices {
            (head("Question", columns))
            @for row in points { tbody {
                tr { th.point scope="rowgroup" colspan=(columns.len() + 1) {
                    span.id { (row.point.id) } " " (prose(&row.point.says))
                } }
                @for choice in &row.choices { tr {
                    th scope="row" { (questions(&choice.questions)) }
                    @for choice in &choice.choices { td {
                        @match choice { Some(choice) => (choice), None => span.hint { "not observed" } }
                    } }
                } }
            } }
        } }
    }
}

fn questions(questions: &[String]) -> Markup {
    html! {
        @match questions {
            [] => "",
            [one] => (one),
            [one, more @ ..] => {
                (one)
                details.more {
                    summary { "and " (counted(more.len(), "more question", "more questions")) }
                    ul { @for question in more { li { (question) } } }
                }
            }
        }
    }
}

/// The runs of one implementation by date, and what changed from one to the other.
fn history(one: &Implementation, runs: &Columns<'_>) -> Markup {
    let days: Vec<String> = runs.runs().iter().map(|run| day(run)).collect();
    let days: Vec<&str> = days.iter().map(String::as_str).collect();
    let (checks, points) = (runs.different_checks(), runs.different_points());
    let new = one.new_failures();
    html! {
        h3 { (one.name) }
        div.scroll { table.side-by-side {
            (head("Run", &days))
            tbody {
                tr { th scope="row" { "Verdict" } @for run in runs.runs() { td { (verdict(run)) } } }
                tr { th scope="row" { "Checks" } @for run in runs.runs() { td { (chips(&run_counts(run))) } } }
                tr { th scope="row" { "Runner" } @for run in runs.runs() { td { (run.runner) } } }
            }
        } }
        @if !new.is_empty() {
            p.lead { "New failures in the last run: "
                @for (number, check) in new.iter().enumerate() { @if number > 0 { ", " } span.id { (check.id) } } "." }
        }
        @if checks.is_empty() && points.is_empty() { p.none.lead { "No check and no choice changed." } }
        @if !checks.is_empty() { h4 { "Checks that changed" } (check_table(&days, &checks)) }
        @if !points.is_empty() { h4 { "Choices that changed" } (point_table(&days, &points)) }
    }
}

fn head(first: &str, columns: &[&str]) -> Markup {
    html! { thead { tr { th scope="col" { (first) } @for column in columns { th scope="col" { (column) } } } } }
}

fn verdict(run: &WrittenRun) -> Markup {
    let class = match run.verdict.word() {
        "conforms" => "passed",
        "violates" => "failed",
        _ => "inconclusive",
    };
    html! { span.badge.(class) { (mark(class)) " " (run.verdict.word()) } }
}

/// How many checks came to each outcome, each with its sign.
fn chips(counts: &[(Word, usize)]) -> Markup {
    html! { span.chips { @for (word, count) in counts {
        span.(class(word)) title=(word) { (mark(word)) (count) span.unseen-word { " " (word) } } " "
    } } }
}

fn run_counts(run: &WrittenRun) -> Vec<(Word, usize)> {
    let counts = Outcome::WORDS.map(|word| (word, run.count(word)));
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn day(run: &WrittenRun) -> String {
    run.started_at.strftime("%Y-%m-%d %H:%M").to_string()
}

fn legend(columns: &Columns<'_>) -> Markup {
    let words = Outcome::WORDS.into_iter();
    let seen = words.filter(|word| columns.runs().iter().any(|run| run.count(word) > 0));
    html! { p.legend { @for word in seen { span.(class(word)) { b { (mark(word)) } " " (word) } " " } } }
}
