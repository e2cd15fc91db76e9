//! Each open point with our ruling, the reason, and the answers that the runner accepts.

use maud::{Markup, html};
use rollcall_contract::{Contract, OpenPoint};

use super::decisions::{self, Decision};
use super::elements::elements;
use crate::markdown::inline;

/// The kinds of points: the letter that their numbers begin with, and what they are about.
pub(super) const KINDS: [(char, &str); 5] = [
    ('R', "Records"),
    ('L', "Lists"),
    ('O', "Operations"),
    ('A', "Access"),
    ('P', "Policy"),
];

/// The anchor of the points of a kind.
pub(super) fn anchor(kind: char) -> String {
    format!("points-{kind}")
}

/// A section for each kind, in the order of the decisions.
pub(super) fn all(contract: &Contract) -> Markup {
    html! {
        (decisions::principles())
        @for (kind, about) in KINDS {
            section id=(anchor(kind)) data-group {
                h3 { (about) }
                @for decision in decisions::all().filter(|decision| decision.id.starts_with(kind)) {
                    @if let Some(point) = contract.open_points.iter().find(|point| point.id == decision.id) {
                        (one(contract, &decision, point))
                    }
                }
            }
        }
    }
}

fn one(contract: &Contract, decision: &Decision, point: &OpenPoint) -> Markup {
    let concerned = elements(contract, |origin| origin.open_points.contains(&point.id));
    html! {
        details.point id=(decision.id) data-find {
            summary { h4 { (decision.id) ": " (decision.title) } }
            (decision.text)
            p { "Answers that conform:" }
            ul { @for answer in &point.accepts { li { (inline(&answer.says)) " " code.quiet { (answer.id) } } } }
            p.quiet {
                "Concerns "
                @for (i, element) in concerned.iter().enumerate() { @if i > 0 { ", " } code { (element) } }
                "."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_is_of_a_kind() {
        for decision in decisions::all() {
            assert!(
                KINDS.iter().any(|(kind, _)| decision.id.starts_with(*kind)),
                "{}",
                decision.id
            );
        }
    }
}
