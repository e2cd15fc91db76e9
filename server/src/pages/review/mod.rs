//! `GET /docs/review`, and `openapi --html`: what the contract means, for people who review it. Everything on it is made from
//! the contract's model and from `docs/decisions`.

mod clauses;
mod decisions;
mod elements;
mod lists;
mod points;

use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rollcall_contract::{Contract, Origin};

use super::document::model;
use super::{navigation, page_with};
use crate::problem::Problem;

/// Answers `GET /docs/review`.
pub(super) async fn review() -> Response {
    match model() {
        Ok(contract) => {
            let head = html! { script src="review.js" defer {} };
            let body = html! { (navigation("../", "docs/review")) (content(contract)) };
            page_with("Review", "../", &head, &body)
        }
        Err(error) => {
            tracing::error!(%error, "the review page cannot be made");
            Problem::internal().into_response()
        }
    }
}

/// The page as one file that needs nothing else.
///
/// # Errors
/// The contract that was built in is no contract.
pub fn file() -> Result<String, String> {
    let contract = model()?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Review: " (title(contract)) }
                style { (PreEscaped(include_str!("../page.css"))) }
            }
            body {
                (content(contract))
                script { (PreEscaped(include_str!("review.js"))) }
            }
        }
    };
    Ok(page.into_string())
}

fn title(contract: &Contract) -> &str {
    contract.document().raw()["info"]["title"]
        .as_str()
        .unwrap_or_default()
}

fn content(contract: &Contract) -> Markup {
    let extensions = contract
        .operations
        .iter()
        .filter(|operation| operation.origin.extension)
        .count();
    let specified = contract.operations.len() - extensions;
    html! {
        main.review {
            header {
                h1 { (title(contract)) }
                p.lead {
                    "The contract for review: " (specified) " specified operations, " (extensions) " extensions, "
                    (contract.lists().count()) " lists, " (contract.rules.len()) " rules of the specification, and "
                    (contract.open_points.len()) " points that it leaves open."
                }
                p { (badge_specified()) " the specification has the element. " (badge_extension())
                    " it does not have it. A number such as " a href="#L2" { "L2" }
                    " leads to our ruling at a point that the specification leaves open." }
                input #search type="search" placeholder="Search: a word, a parameter, a clause, a point" aria-label="Search" hidden;
                p #found role="status" {}
                ul.contents {
                    li { a href="#clauses" { "Operations and rules by clause" } }
                    li { a href="#lists" { "Lists: filters, sort fields, relations" } }
                    li { a href="#points" { "Open points" } }
                }
            }
            section #clauses { h2 { "Operations and rules by clause" } (clauses::all(contract)) }
            section #lists { h2 { "Lists: filters, sort fields, relations" } (lists::all(contract)) }
            section #points {
                h2 { "Open points" }
                (decisions::principles())
                (points::all(contract))
            }
        }
    }
}

fn badge_specified() -> Markup {
    html! { span.badge.specified { "specified" } }
}

fn badge_extension() -> Markup {
    html! { span.badge.extension { "extension" } }
}

/// Where an element comes from: a badge, the clauses, and the rulings.
fn origin(origin: &Origin) -> Markup {
    html! {
        span.origin {
            @if origin.extension { (badge_extension()) }
            @else if !origin.is_left_open() { (badge_specified()) }
            @for clause in &origin.source { " " a href={ "#" (anchor(clause)) } { (clause) } }
            @for point in &origin.open_points { " " a href={ "#" (point) } { (point) } }
        }
    }
}

/// The anchor of a clause: `§4.1` has no sign that an address must escape in `clause-4.1`.
fn anchor(clause: &str) -> String {
    format!("clause-{}", clause.trim_start_matches('§'))
}
