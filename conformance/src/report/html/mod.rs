//! The report as one HTML file that needs nothing else: no network, and no script to be read.
//!
//! Invariant: maud escapes every value; only our own style sheet and script are exempt. A target can write nothing but text
//! into the page, and the page's policy would load nothing if it could.

mod checks;
mod comparison;
mod elements;
mod failures;
mod findings;
mod missing;
mod points;
mod run;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use comparison::write_comparison;

use self::elements::{class, section};
use crate::report::xml::is_forbidden;
use crate::report::{Causes, Report, Verdict};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What the page may load: nothing. Its style sheet and its script are part of it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// Renders the report.
pub(super) fn render(report: &Report) -> String {
    text_of(&page(report))
}

/// The text of a page. maud escapes signs and keeps control characters.
fn text_of(page: &Markup) -> String {
    page.0.replace(is_forbidden, "\u{fffd}")
}

fn page(report: &Report) -> Markup {
    let causes = Causes::of(report);
    let body = html! {
        a.skip href="#failures" { "Skip to the results" }
        (verdict(report, &causes))
        nav.wide aria-label="Sections" {
            a href="#failures" { "Failures" } " " a href="#matrix" { "Clauses" } " " a href="#checks" { "Checks" } " "
            a href="#points" { "Open points" } " " a href="#run" { "This run" }
        }
        main.wide {
            (section("failures", "Failures", &failures::causes(&causes)))
            @if let Some(table) = missing::table(report, &causes) { (section("missing", "Not tested", &table)) }
            (section("matrix", "Clause by clause", &checks::matrix(report)))
            (section("checks", "All checks", &checks::all(report)))
            (section("points", "What the specification leaves open", &points::all(report)))
            (section("run", "This run", &run::facts(report)))
        }
        footer.wide { p {
            "Written by rollcall-conformance " (report.runner) ". Commands read the token from the shell's variable "
            code { "TOKEN" } "."
        } }
        script { (PreEscaped(SCRIPT)) }
    };
    document(&format!("{} {}", report.target, report.headline()), &body)
}

/// A page with our style sheet, which loads nothing.
fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
}

/// The verdict with its reasons and limits, and how many checks came to each outcome.
fn verdict(report: &Report, causes: &Causes<'_>) -> Markup {
    let mark = match report.verdict {
        Verdict::Conforms => "✓",
        Verdict::Violates => "✗",
        _ => "?",
    };
    html! {
        header.verdict.(class(report.verdict.word())) { div.wide {
            p.eyebrow { "Conformance report" }
            h1 { span.mark aria-hidden="true" { (mark) } span { (report.headline()) } }
            p.target { code { (report.target) } }
            @for reason in report.reasons() { p.why { (reason) } }
            (failures::fix_first(causes))
            ul.counts aria-label="Checks by outcome" {
                @for (word, count) in report.counts() {
                    @let class = class(word);
                    li { a.(class) data-outcome=(class) href={ "#outcome=" (class) } { b { (count) } " " (word) } }
                }
            }
        } }
    }
}
