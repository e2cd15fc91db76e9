//! The operations and rules, each under the clause that it comes from.

use maud::{Markup, html};
use rollcall_contract::lint::specification::CLAUSES;
use rollcall_contract::{Contract, Operation, Origin, Position};

use super::elements::elements;
use crate::answers::answers;
use crate::markdown::{block, inline, without_origin};
use crate::members::Origins;
use crate::origin::{anchor, origin};

/// What each clause is about.
const TITLES: [(&str, &str); CLAUSES.len()] = [
    ("§1", "The service"),
    ("§2", "Resources and their members"),
    ("§2.1", "Directory user"),
    ("§2.2", "Workspace user"),
    ("§2.3", "Directory attribute"),
    ("§3", "States and transitions"),
    ("§4", "Endpoints"),
    ("§4.1", "List directory users"),
    ("§4.2", "Restore a workspace user"),
    ("§4.3", "Deprecate an attribute"),
    ("§4.4", "List conventions"),
    ("§4.4.1", "Filter parameters"),
    ("§4.4.2", "Exact and partial match"),
    ("§4.4.3", "Date ranges"),
    ("§4.4.4", "Soft-deleted records"),
    ("§4.4.5", "Sorting"),
    ("§4.4.6", "Includes"),
    ("§4.4.7", "Directory dimensions"),
    ("§4.4.8", "Paging"),
    ("§4.4.9", "The activate action"),
    ("§5", "Authentication"),
    ("§6", "Events"),
    ("§7", "Errors"),
    ("§8", "Limits"),
    ("§9", "Versioning"),
];

/// The title of a clause.
pub(super) fn title(clause: &str) -> &'static str {
    let known = TITLES.iter().find(|(number, _)| *number == clause);
    known.map_or("", |(_, title)| title)
}

/// A section for each clause that has a rule or an operation, and one for the extensions.
pub(super) fn all(contract: &Contract) -> Markup {
    let (extensions, specified): (Vec<_>, Vec<_>) = contract
        .operations
        .iter()
        .partition(|operation| operation.origin.source.is_empty());
    html! {
        @for clause in CLAUSES {
            @let rules: Vec<_> = contract.rules.iter().filter(|rule| rule.source.iter().any(|source| source == clause)).collect();
            @let operations = specified.iter().filter(|operation| from(&operation.origin, clause));
            @let points: Vec<_> = contract.open_points.iter().filter(|point| is_open_in(contract, &point.id, clause)).collect();
            section id=(anchor(clause)) data-group {
                h3 data-find { (clause) " " (title(clause)) }
                ul.rules {
                    @for rule in rules { li data-find { (inline(&rule.says)) " " code.quiet { (rule.id) } } }
                }
                @for operation in operations { (one(contract, operation)) }
                @if !points.is_empty() {
                    p data-find {
                        "Open: "
                        @for (i, point) in points.iter().enumerate() {
                            @if i > 0 { ", " }
                            a href={ "#" (point.id) } { (point.id) " " (inline(&point.says)) }
                        }
                    }
                }
                @let elements = elements(contract, |origin| from(origin, clause));
                details.quiet {
                    summary { "Elements of the contract that come from it: " (elements.len()) }
                    p { @for (i, element) in elements.iter().enumerate() { @if i > 0 { ", " } code { (element) } } }
                }
            }
        }
        section #extensions data-group {
            h3 { "Extensions" }
            p { "The specification does not have these operations. The runner tests them on no server but ours." }
            @for operation in extensions { (one(contract, operation)) }
        }
    }
}

/// Whether an element that comes from the clause cites the point.
fn is_open_in(contract: &Contract, point: &str, clause: &str) -> bool {
    let cites = |origin: &Origin| origin.open_points.iter().any(|id| id == point);
    contract
        .marks
        .iter()
        .any(|mark| cites(&mark.origin) && from(&mark.origin, clause))
}

fn from(origin: &Origin, clause: &str) -> bool {
    origin.source.iter().any(|source| source == clause)
}

fn one(contract: &Contract, operation: &Operation) -> Markup {
    let inputs: Vec<_> = operation
        .parameters
        .iter()
        .filter(|one| one.filter.is_none() && one.role.is_none())
        .collect();
    html! {
        details.operation id={ "operation-" (operation.id) } data-find {
            summary {
                h4 { span.method { (operation.method) } " " code { (operation.path) } }
                " " (operation.summary.as_deref().unwrap_or_default()) " " (origin(&operation.origin, ""))
            }
            (block(without_origin(operation.description.as_deref().unwrap_or_default(), &operation.origin)))
            @if !inputs.is_empty() || operation.request_body.is_some() {
                div.wide { table {
                    thead { tr { th { "Input" } th { "In" } th { "Meaning" } th { "From" } } }
                    tbody {
                        @for input in inputs {
                            tr {
                                td { code { (input.name) } @if input.required { " (required)" } }
                                td { (position(input.position)) }
                                td { (block(without_origin(input.description.as_deref().unwrap_or_default(), &input.origin))) }
                                td { (origin(&input.origin, "")) }
                            }
                        }
                        @if let Some(body) = &operation.request_body { (members(contract, body)) }
                    }
                } }
            }
            p.quiet {
                (answers(operation, ""))
                @if operation.list.is_some() { " " a href={ "#list-" (operation.id) } { "Its filters, sort fields and relations" } "." }
            }
        }
    }
}

/// A row for each member of a body.
fn members(contract: &Contract, body: &str) -> Markup {
    html! {
        @for member in Origins::of(contract).members(body) {
            tr {
                td { code { (member.path.last().unwrap_or_default()) } @if member.required { " (required)" } }
                td { "body" }
                td { (block(member.schema["description"].as_str().unwrap_or_default())) }
                td { a href={ "#record-" (body) } { code { (body) } } }
            }
        }
    }
}

fn position(position: Position) -> &'static str {
    match position {
        Position::Path => "path",
        Position::Query => "query",
        Position::Header => "header",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_has_a_title() {
        assert_eq!(TITLES.map(|(clause, _)| clause), CLAUSES);
    }
}
