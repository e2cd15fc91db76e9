//! How the run was made.

use maud::{Markup, html};

use crate::report::Report;
use crate::report::text::{self, counted};

/// The facts of the run, each with its name.
pub(super) fn facts(report: &Report) -> Markup {
    let unfinished = report.with("error").count();
    html! {
        dl.facts {
            dt { "Judged by" } dd { (report.contract.title) " " (report.contract.version) }
            dt { "Began" } dd { time { (report.started_at) } }
            dt { "Took" } dd { (format!("{:.1} s", report.seconds)) }
            dt { "Sent" } dd { (text::requests(report)) }
            dt { "Seed" } dd { (report.seed) }
            dt { "Wrote to" } dd { @if report.writes.is_empty() { "nothing" } @else { (report.writes.join(", ")) } }
            @if unfinished > 0 { dt { "Not finished" } dd { (counted(unfinished, "check", "checks")) } }
            @if !report.notes.is_empty() { dt { "To be known" } dd { ul { @for note in &report.notes { li { (note) } } } } }
            @if !report.waivers.is_empty() {
                dt { "Waivers to look at" }
                dd { ul { @for waiver in &report.waivers { li { (waiver.kind.word()) ": " (waiver.note) } } } }
            }
        }
    }
}
