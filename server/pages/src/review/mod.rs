//! `GET /docs/review`, and `openapi --html`: what the contract means, for people who review it. Everything on it is made from
//! the contract's model and from `docs/decisions`.

mod clauses;
mod contents;
mod decisions;
mod elements;
mod lists;
mod points;
mod records;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rollcall_contract::Contract;

use super::document::model;
use super::origin::{extension, specified};
use super::{navigation, page_with};

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
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
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
    let operations = contract.operations.len() - extensions;
    html! {
        main.review {
            aside {
                input #search type="search" placeholder="A name, a word, a clause" aria-label="Search" hidden;
                p #found role="status" {}
                (contents::contents(contract))
            }
            div {
                header {
                    h1 { (title(contract)) }
                    p.lead {
                        "The contract for review: " (operations) " specified operations, " (extensions) " extensions, "
                        (contract.lists().count()) " lists, " (contract.rules.len()) " rules of the specification, and "
                        (contract.open_points.len()) " points that it leaves open."
                    }
                    p { (specified()) " the specification has the element. " (extension())
                        " it does not have it. A number such as " a href="#L2" { "L2" }
                        " leads to our ruling at a point that the specification leaves open." }
                }
                @for section in Section::ALL {
                    section id=(section.id()) data-group { h2 { (section.title()) } (section.body(contract)) }
                }
            }
        }
    }
}

/// The sections of the page.
#[derive(Clone, Copy)]
enum Section {
    Clauses,
    Records,
    Lists,
    Points,
}

impl Section {
    const ALL: [Self; 4] = [Self::Clauses, Self::Records, Self::Lists, Self::Points];

    fn id(self) -> &'static str {
        match self {
            Self::Clauses => "clauses",
            Self::Records => "records",
            Self::Lists => "lists",
            Self::Points => "points",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Clauses => "Operations and rules by clause",
            Self::Records => "Records",
            Self::Lists => "Lists: filters, sort fields, relations",
            Self::Points => "Open points",
        }
    }

    fn body(self, contract: &Contract) -> Markup {
        match self {
            Self::Clauses => clauses::all(contract),
            Self::Records => records::all(contract),
            Self::Lists => lists::all(contract),
            Self::Points => points::all(contract),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The HTML between each `begin` and the next `end`.
    fn between<'p>(page: &'p str, begin: &'p str, end: &'p str) -> impl Iterator<Item = &'p str> {
        let parts = page.split(begin).skip(1);
        parts.filter_map(move |part| part.split(end).next())
    }

    #[test]
    fn the_search_looks_at_every_name_of_the_specification() {
        let page = file().expect("a page");
        let rows = between(&page, "<tr data-find>", "</tr>");
        let operations = between(&page, "<details class=\"operation\"", "</details>");
        let searched: Vec<_> = rows.chain(operations).collect();
        let (_, names) = include_str!("specified_names.txt")
            .split_once("\n\n")
            .expect("a table");
        let mut number = 0;
        for line in names.lines() {
            let (clause, names) = line.split_once(": ").expect("a clause and its names");
            for name in names.split(' ') {
                let [alone, at_end, word] = [">", "/", "="].map(|before| format!("{before}{name}</code>"));
                let has = |part: &&str| {
                    [&alone, &at_end, &word]
                        .into_iter()
                        .any(|code| part.contains(code.as_str()))
                };
                assert!(searched.iter().any(has), "{clause}: {name}");
                number += 1;
            }
        }
        assert!(number > 150, "{number} names");
    }

    #[test]
    fn each_place_of_the_page_has_a_name_of_its_own() {
        let page = file().expect("a page");
        let mut ids: Vec<_> = between(&page, " id=\"", "\"").collect();
        let number = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), number);
        for link in between(&page, "href=\"#", "\"") {
            assert!(ids.binary_search(&link).is_ok(), "{link}");
        }
    }
}
