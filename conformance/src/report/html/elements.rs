//! Elements that are in several places of the page.

use maud::{Markup, html};

use crate::report::{Checked, mark};

/// The class of an outcome or a verdict, by its word: `not-exercised`.
pub(super) fn class(word: &str) -> String {
    word.replace(' ', "-")
}

/// An outcome with its sign and colour.
pub(super) fn badge(word: &str) -> Markup {
    html! { span.badge.(class(word)) { (mark(word)) " " (word) } }
}

/// A sentence of the catalogue: what stands between backticks is code.
pub(super) fn prose(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

/// A link to a check in full, by its number.
pub(super) fn link(class: &str, id: &str) -> Markup {
    html! { a.(class) href={ "#check-" (id) } { (id) } }
}

/// A section with its heading.
pub(super) fn section(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-title" } { h2 id={ (id) "-title" } { (title) } (content) }
    }
}

/// A table that scrolls sideways where the page is narrow.
pub(super) fn table(class: &str, headings: [&str; 3], rows: &Markup) -> Markup {
    html! {
        div.scroll { table.(class) {
            thead { tr { @for heading in headings { th scope="col" { (heading) } } } }
            tbody { (rows) }
        } }
    }
}

/// The sentences of the specification that a check rests on.
pub(super) fn demands(check: &Checked) -> Markup {
    html! {
        @if !check.demands.is_empty() {
            ul.demands aria-label="Demanded by the specification" {
                @for demand in &check.demands { li { b { (demand.clause) } " " (prose(&demand.says)) } }
            }
        }
    }
}
