//! What each list can do: a table of its filters, of its sort fields and of its relations.

use maud::{Markup, html};
use rollcall_contract::{Contract, Included, List, Operation, Relation};

use super::decisions::block;
use super::origin;

/// An article for each list.
pub(super) fn all(contract: &Contract) -> Markup {
    html! {
        @for (operation, list) in contract.lists() {
            article.list id={ "list-" (operation.id) } {
                h3 { "GET " code { (operation.path) } " " (origin(&operation.origin)) }
                p.quiet { a href={ "#operation-" (operation.id) } { (operation.id) } ", records: " code { (list.record) } }
                (filters(operation))
                (sort(list))
                @if !list.relations.is_empty() { (relations(list)) }
            }
        }
    }
}

fn filters(operation: &Operation) -> Markup {
    let filters = operation
        .parameters
        .iter()
        .filter_map(|parameter| Some((parameter, parameter.filter.as_ref()?)));
    html! {
        h4 { "Filters" }
        div.wide { table {
            thead { tr { th { "Parameter" } th { "A record is found if" } th { "Description" } th { "From" } } }
            tbody {
                @for (parameter, filter) in filters {
                    tr data-find {
                        td { code { (parameter.name) } }
                        td { (filter.meaning()) }
                        td { (block(parameter.description.as_deref().unwrap_or_default())) }
                        td { (origin(&parameter.origin)) }
                    }
                }
            }
        } }
    }
}

fn sort(list: &List) -> Markup {
    let default: Vec<_> = list.default_sort.iter().map(ToString::to_string).collect();
    html! {
        h4 { "Sort fields" }
        p { "Without " code { "sort" } ", the order is " code { (default.join(",")) } "." }
        div.wide { table {
            thead { tr { th { "Field" } th { "Member" } } }
            tbody {
                @for (field, member) in &list.sort {
                    tr data-find { td { code { (field) } ", " code { "-" (field) } } td { code { (member) } } }
                }
            }
        } }
    }
}

fn relations(list: &List) -> Markup {
    html! {
        h4 { "Relations" }
        p {
            "Each can be asked for as " code { "R" } ", " code { "R-count" } " and " code { "R-exists" } "."
            @if list.included == Included::Names { " " code { "included" } " is an array with the names of the relations asked for." }
        }
        div.wide { table {
            thead { tr { th { "Relation" } th { "Number" } th { "Records" } th { "Join" } th { "Count" } th { "List" } } }
            tbody { @for relation in &list.relations { (relation_row(relation)) } }
        } }
    }
}

fn relation_row(relation: &Relation) -> Markup {
    html! {
        tr data-find {
            td { code { (relation.name) } }
            td { @if relation.many { "many" } @else { "one" } }
            td { @if let Some(record) = &relation.record { code { (record) } " at " code { "/included/" (relation.member) } } @else { "its name" } }
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
