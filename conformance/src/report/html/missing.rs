//! What was not tested, and why.

use maud::{Markup, html};

use super::elements::{self, badge, link};
use crate::report::{Causes, Gap, Report};

/// The outcomes that leave a question, the gravest first.
const UNTESTED: [&str; 3] = ["error", "inconclusive", "not exercised"];

/// A row for the checks that lack the same; none if everything was tested.
pub(super) fn table(report: &Report, causes: &Causes<'_>) -> Option<Markup> {
    let untested = UNTESTED.into_iter().flat_map(|word| report.gaps(word));
    let loose = causes.loose.iter().map(|rest| Gap {
        checks: vec![rest.check],
        notes: rest.check.outcome.notes(),
    });
    let gaps: Vec<_> = untested.chain(loose).collect();
    let rows = html! {
        @for gap in &gaps { tr {
            th scope="row" {
                @for (i, check) in gap.checks.iter().enumerate() { @if i > 0 { " " } (link("id", check.id)) }
            }
            td { @if let Some(check) = gap.checks.first() { (badge(check.outcome.word())) } }
            td { (gap.notes.join("; ")) }
        } }
    };
    (!gaps.is_empty()).then(|| elements::table("untold", ["Checks", "Outcome", "Why"], &rows))
}
