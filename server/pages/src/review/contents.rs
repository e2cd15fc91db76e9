//! The contents of the review page, which stay in sight.

use maud::{Markup, html};
use rollcall_contract::Contract;
use rollcall_contract::lint::specification::CLAUSES;

use super::{Section, clauses, points, records};
use crate::origin::anchor;

/// A place of the page.
struct Entry {
    anchor: String,
    title: Markup,
}

/// Folded on a phone; a browser with room shows it unfolded (`page.css`).
pub(super) fn contents(contract: &Contract) -> Markup {
    html! {
        details.contents {
            summary { "Contents" }
            nav aria-label="Contents" {
                ul {
                    @for section in Section::ALL {
                        li {
                            a href={ "#" (section.id()) } { (section.title()) }
                            ul { @for entry in entries(contract, section) { li { a href={ "#" (entry.anchor) } { (entry.title) } } } }
                        }
                    }
                }
            }
        }
    }
}

fn entries(contract: &Contract, section: Section) -> Vec<Entry> {
    let entry = |anchor: String, title: Markup| Entry { anchor, title };
    match section {
        Section::Clauses => {
            let clauses = CLAUSES
                .iter()
                .map(|clause| entry(anchor(clause), html! { (clause) " " (clauses::title(clause)) }));
            let extensions = entry("extensions".to_owned(), html! { "Extensions" });
            clauses.chain([extensions]).collect()
        }
        Section::Records => {
            let names = records::names(contract).into_iter();
            names
                .map(|name| entry(format!("record-{name}"), html! { (name) }))
                .collect()
        }
        Section::Lists => {
            let lists = contract.lists();
            lists
                .map(|(operation, _)| entry(format!("list-{}", operation.id), html! { (operation.path) }))
                .collect()
        }
        Section::Points => {
            let kinds = points::KINDS.into_iter();
            kinds
                .map(|(kind, about)| entry(points::anchor(kind), html! { (kind) ": " (about) }))
                .collect()
        }
    }
}
