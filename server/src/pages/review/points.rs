//! Each open point with our ruling, the reason, and the answers that the runner accepts.

use maud::{Markup, html};
use rollcall_contract::Contract;

use super::decisions::{self, inline};
use super::elements::elements;

/// An article for each point, in the order of the decisions.
pub(super) fn all(contract: &Contract) -> Markup {
    let entries = decisions::all().filter_map(|decision| {
        let point = contract
            .open_points
            .iter()
            .find(|point| point.id == decision.id)?;
        Some((decision, point))
    });
    html! {
        @for (decision, point) in entries {
            article.point id=(decision.id) data-find {
                h3 { (decision.id) ": " (decision.title) }
                (decision.text)
                p { "Answers that conform:" }
                ul { @for answer in &point.accepts { li { (inline(&answer.says)) " " code.quiet { (answer.id) } } } }
                p.quiet {
                    "Concerns "
                    @for (i, element) in elements(contract, |origin| origin.open_points.contains(&point.id)).iter().enumerate() { @if i > 0 { ", " } code { (element) } }
                    "."
                }
            }
        }
    }
}
