//! `GET /docs`: the reference, made from the contract's model. Each operation has a form that calls this server.
//!
//! Without its script the page shows everything but answers.

mod inputs;
mod kind;
mod operation;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use maud::{Markup, html};
use rollcall_contract::{Contract, Operation};
use serde_json::Value;

use super::document::model;
use super::markdown::{block, inline};
use super::{Paths, navigation, page_with};

/// Where the review page is, from here.
const REVIEW: &str = "docs/review";

/// Answers `GET /docs`.
pub(super) async fn reference(operate: Paths) -> Response {
    match model() {
        Ok(contract) => {
            let head = html! {
                link rel="stylesheet" href="docs/reference.css";
                script src="docs/reference.js" defer {}
            };
            let body = html! { (navigation("", "docs")) (content(contract, operate)) };
            page_with("Reference", "", &head, &body)
        }
        Err(error) => {
            tracing::error!(%error, "the reference cannot be made");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn content(contract: &Contract, operate: Paths) -> Markup {
    let raw = contract.document().raw();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    html! {
        main.reference {
            header {
                h1 { (text(&raw["info"]["title"])) }
                details { summary { "About the API and this page" } (block(&text(&raw["info"]["description"]))) }
                noscript { p { "The forms need JavaScript to send a request. Everything else is here without it." } }
                div.tools hidden {
                    label { "Access token " input #token type="password" autocomplete="off" spellcheck="false"; }
                    label { "Find an operation or a parameter " input #search type="search"; }
                }
                p #found role="status" {}
            }
            @for tag in raw["tags"].as_array().into_iter().flatten() {
                @let name = text(&tag["name"]);
                section id={ "tag-" (name) } data-group {
                    h2 { (name) }
                    p { (inline(&text(&tag["description"]))) }
                    @for operation in tagged(contract, &name) { (operation::of_contract(contract, operation)) }
                }
            }
            section #operate data-group {
                h2 { "Operate" }
                p { "Health and metrics, for operators. They are not part of the contract and need no token." }
                @for (path, summary) in operate { (operation::of_health(path, summary)) }
            }
        }
    }
}

/// The operations under a tag, in document order.
fn tagged<'c>(contract: &'c Contract, tag: &str) -> impl Iterator<Item = &'c Operation> {
    let raw = contract.document().raw();
    contract.operations.iter().filter(move |operation| {
        let tags = operation
            .at
            .find(raw)
            .and_then(|written| written["tags"].as_array());
        tags.is_some_and(|tags| tags.contains(&Value::from(tag)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_and_parameter_has_its_place_once() {
        let contract = model().expect("a contract");
        let page = content(contract, &[]).0;
        for operation in &contract.operations {
            let begin = format!("<details class=\"operation\" id=\"{}\"", operation.id);
            let parts: Vec<_> = page.split(&begin).collect();
            assert_eq!(parts.len(), 2, "{}", operation.id);
            let form = parts[1].split("</form>").next().expect("a form");
            for parameter in &operation.parameters {
                let name = format!(" name=\"{}\"", parameter.name);
                assert_eq!(
                    form.matches(&name).count(),
                    1,
                    "{}: {}",
                    operation.id,
                    parameter.name
                );
            }
        }
    }

    #[test]
    fn every_link_to_the_review_page_leads_to_a_place_of_it() {
        let page = content(model().expect("a contract"), &[]).0;
        let review = crate::review::file().expect("a page");
        let begin = format!("href=\"{REVIEW}#");
        let places: Vec<_> = page
            .split(&begin)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(places.len() > 100, "{places:?}");
        for place in places {
            assert!(review.contains(&format!(" id=\"{place}\"")), "{place}");
        }
    }
}
