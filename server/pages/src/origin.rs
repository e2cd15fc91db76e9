//! Where an element comes from, as the pages show it.

use maud::{Markup, html};
use rollcall_contract::Origin;

/// A badge, the clauses, and the rulings. `review` leads to the review page, and is empty on that page.
pub(super) fn origin(origin: &Origin, review: &str) -> Markup {
    html! {
        span.origin {
            @if origin.extension { (extension()) }
            @else if !origin.is_left_open() { (specified()) }
            @for clause in &origin.source { " " a href={ (review) "#" (anchor(clause)) } { (clause) } }
            @for point in &origin.open_points { " " a href={ (review) "#" (point) } { (point) } }
        }
    }
}

/// The badge of elements that the specification has.
pub(super) fn specified() -> Markup {
    html! { span.badge.specified { "specified" } }
}

/// The badge of elements that it does not have.
pub(super) fn extension() -> Markup {
    html! { span.badge.extension { "extension" } }
}

/// The anchor of a clause: `§4.1` has no sign that an address must escape in `clause-4.1`.
pub(super) fn anchor(clause: &str) -> String {
    format!("clause-{}", clause.trim_start_matches('§'))
}
