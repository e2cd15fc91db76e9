//! What each list can do: a table of its filters, of its sort fields and of its relations.

use maud::{Markup, html};
use rollcall_contract::{Contract, Included, List, Operation, Parameter, Relation};

use crate::markdown::{block, without_origin};
use crate::origin::origin;

/// A folded entry for each list.
pub(super) fn all(contract: &Contract) -> Markup {
    html! {
        @for (operation, list) in contract.lists() {
            details.list id={ "list-" (operation.id) } data-group {
                summary {
                    h3 { span.method { (operation.method) } " " code { (operation.path) } }
                    " " (operation.filters().count()) " filters, " (list.sort.len()) " sort fields, " (list.relations.len())
                    " relations " (origin(&operation.origin, ""))
                }
                p.quiet {
                    a href={ "#operation-" (operation.id) } { (operation.id) } ", records: "
                    a href={ "#record-" (list.record) } { code { (list.record) } }
                }
                (filters(operation))
                (others(operation))
                (sort(list))
                @if !list.relations.is_empty() { (relations(list)) }
            }
        }
    }
}

/// A table with its heading, which a search hides together.
fn group(title: &str, note: &Markup, columns: &[&str], rows: &Markup) -> Markup {
    html! {
        div data-group {
            h4 { (title) }
            (note)
            div.wide { table {
                thead { tr { @for column in columns { th { (column) } } } }
                tbody { (rows) }
            } }
        }
    }
}

fn filters(operation: &Operation) -> Markup {
    let rows = html! {
        @for (parameter, filter) in operation.filters() {
            tr data-find {
                td { code { (parameter.name) } }
                td { (filter.meaning()) }
                td { (description(parameter)) }
                td { (origin(&parameter.origin, "")) }
            }
        }
    };
    let columns = ["Parameter", "A record is found if", "Description", "From"];
    group("Filters", &Markup::default(), &columns, &rows)
}

/// The parameters for the order, the relations and the pages.
fn others(operation: &Operation) -> Markup {
    let others = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.role.is_some());
    let rows = html! {
        @for parameter in others {
            tr data-find {
                td { code { (parameter.name) } }
                td { (description(parameter)) }
                td { (origin(&parameter.origin, "")) }
            }
        }
    };
    group(
        "Other parameters",
        &Markup::default(),
        &["Parameter", "Description", "From"],
        &rows,
    )
}

fn description(parameter: &Parameter) -> Markup {
    block(without_origin(
        parameter.description.as_deref().unwrap_or_default(),
        &parameter.origin,
    ))
}

fn sort(list: &List) -> Markup {
    let default: Vec<_> = list.default_sort.iter().map(ToString::to_string).collect();
    let note = html! { p { "Without " code { "sort" } ", the order is " code { (default.join(",")) } "." } };
    let rows = html! {
        @for (field, member) in &list.sort {
            tr data-find { td { code { (field) } ", " code { "-" (field) } } td { code { (member) } } }
        }
    };
    group("Sort fields", &note, &["Field", "Member"], &rows)
}

fn relations(list: &List) -> Markup {
    let note = html! {
        p {
            "Each can be asked for as " code { "R" } ", " code { "R-count" } " and " code { "R-exists" } "."
            @if list.included == Included::Names { " " code { "included" } " is an array with the names of the relations asked for." }
        }
    };
    let rows = html! { @for relation in &list.relations { (relation_row(relation)) } };
    group(
        "Relations",
        &note,
        &["Relation", "Number", "Records", "Join", "Count", "List"],
        &rows,
    )
}

fn relation_row(relation: &Relation) -> Markup {
    html! {
        tr data-find {
            td { code { (relation.name) } }
            td { @if relation.many { "many" } @else { "one" } }
            td { @if let Some(record) = &relation.record { a href={ "#record-" (record) } { code { (record) } } " at " code { "/included/" (relation.member) } } @else { "its name" } }
            td { @if let Some(join) = &relation.join { code { (join.ours) } " = " code { (join.theirs) } } }
            td { @if let Some(count) = &relation.count { code { "/count/" (count) } } }
            td {
                @if let Some(listing) = &relation.listed_by {
                    a href={ "#list-" (listing.operation) } { (listing.operation) } " with " code { (listing.filter) }
                }
            }
        }
    }
}
