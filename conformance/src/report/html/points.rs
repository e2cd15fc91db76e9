//! What the specification leaves open, point by point.

use maud::{Markup, html};

use super::elements::{link, prose, table};
use crate::report::Report;
use crate::report::point::NOT_OBSERVED;
use crate::report::text::counted;

/// A row for each point that was observed. The others are folded: there are many, and there is nothing to say about them.
pub(super) fn all(report: &Report) -> Markup {
    let points = report.points.iter();
    let (observed, others): (Vec<_>, Vec<_>) = points.partition(|point| !point.observed.is_empty());
    let rows = html! {
        @for point in &observed { tr {
            th scope="row" { (point.id) }
            td { (prose(&point.says)) }
            td { ul { @for answer in &point.observed {
                li { (answer.question) ": " strong { (answer.choice) } " " (link("clause", answer.check)) }
            } } }
        } }
        @if observed.is_empty() { tr { td.none colspan="3" { (NOT_OBSERVED) } } }
    };
    html! {
        p.hint.lead {
            "Nothing here is a fault: the specification leaves these points to the implementation. "
            (report.observed().as_deref().unwrap_or(NOT_OBSERVED)) "."
        }
        details.more {
            summary { "What this target does" }
            (table("points", ["Point", "Is left open", "This target"], &rows))
        }
        @if !others.is_empty() {
            details.unseen {
                summary { (counted(others.len(), "point was", "points were")) " " (NOT_OBSERVED) }
                dl { @for point in others { dt { (point.id) } dd { (prose(&point.says)) } } }
            }
        }
    }
}
