//! The operations and rules, each under the clause that it comes from.

use maud::{Markup, html};
use rollcall_contract::lint::specification::CLAUSES;
use rollcall_contract::{Contract, Operation, Origin, Position};

use super::decisions::{block, inline};
use super::elements::elements;
use super::{anchor, origin};

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
            section id=(anchor(clause)) {
                h3 { (clause) }
                ul.rules {
                    @for rule in rules { li data-find { (rule.says) " " code.quiet { (rule.id) } } }
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
                p.quiet {
                    "Elements: "
                    @for (i, element) in elements(contract, |origin| from(origin, clause)).iter().enumerate() {
                        @if i > 0 { ", " }
                        code { (element) }
                    }
                }
            }
        }
        section #extensions {
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
    let answer = operation.answer.schema.as_deref().unwrap_or("any body");
    html! {
        article.operation id={ "operation-" (operation.id) } data-find {
            h4 { span.method { (operation.method) } " " code { (operation.path) } }
            p { strong { (operation.summary.as_deref().unwrap_or_default()) } " " (origin(&operation.origin)) }
            (block(operation.description.as_deref().unwrap_or_default()))
            @if !inputs.is_empty() || operation.request_body.is_some() {
                div.wide { table {
                    thead { tr { th { "Input" } th { "In" } th { "Meaning" } th { "From" } } }
                    tbody {
                        @for input in inputs {
                            tr {
                                td { code { (input.name) } @if input.required { " (required)" } }
                                td { (position(input.position)) }
                                td { (block(input.description.as_deref().unwrap_or_default())) }
                                td { (origin(&input.origin)) }
                            }
                        }
                        @if let Some(body) = &operation.request_body { (members(contract, body)) }
                    }
                } }
            }
            p.quiet {
                "Answers " (operation.answer.status) " with "
                @if operation.answer.many { "an array of " code { (answer) } } @else { "one " code { (answer) } }
                "; refuses with "
                @let refusals = operation.statuses.iter().filter(|status| **status >= 300);
                (refusals.map(ToString::to_string).collect::<Vec<_>>().join(", "))
                "."
                @if let Some(scope) = &operation.scope { " Needs the scope " code { (scope) } "." }
                @if operation.list.is_some() { " " a href={ "#list-" (operation.id) } { "Its filters, sort fields and relations" } "." }
            }
        }
    }
}

/// A row for each member of a body.
fn members(contract: &Contract, body: &str) -> Markup {
    let schema = contract.document().schema(body);
    let required = schema.map(|schema| &schema["required"]);
    let members = schema
        .and_then(|schema| schema["properties"].as_object())
        .into_iter()
        .flatten();
    html! {
        @for (name, member) in members {
            @let is_required = required.and_then(|names| names.as_array()).is_some_and(|names| names.iter().any(|one| one == name));
            tr {
                td { code { (name) } @if is_required { " (required)" } }
                td { "body" }
                td { (block(member["description"].as_str().unwrap_or_default())) }
                td { code { (body) } }
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
