//! `GET /docs`: the reference, made by Swagger UI from the contract that this server serves.

use axum::response::Response;
use maud::html;

use super::{navigation, page_with};

/// Answers `GET /docs`.
pub(super) async fn reference() -> Response {
    let head = html! {
        link rel="stylesheet" href="docs/swagger-ui.css";
        script src="docs/swagger-ui-bundle.js" defer {}
        script src="docs/reference.js" defer {}
    };
    let body = html! {
        (navigation("", "docs"))
        div #reference { p.waiting { "The reference is loading. It needs JavaScript; "
            a href="docs/review" { "the review page" } " does not." } }
    };
    page_with("Reference", "", &head, &body)
}
