//! The members of each record: type, whether they are required and may be null, meaning, clause and rulings.

use std::collections::HashMap;

use maud::{Markup, html};
use rollcall_contract::{Contract, Counted, Listing};
use serde_json::Value;

use crate::markdown::{block, inline, without_origin};
use crate::members::{Member, Origins, is_record};
use crate::origin::origin;

/// The names of the component schemas that have an entry: the records of lists, what other records show of them, and the
/// bodies of requests and refusals.
pub(super) fn names(contract: &Contract) -> Vec<&str> {
    let mut names = contract.records();
    let schemas = contract.document().schemas();
    names.extend(
        schemas
            .map(|(name, _)| name)
            .filter(|name| is_record(contract, name)),
    );
    let bodies = contract.operations.iter();
    names.extend(bodies.filter_map(|operation| operation.request_body.as_deref()));
    names.extend(["Problem", "ProblemError"]);
    let mut seen = Vec::new();
    names.retain(|name| {
        let is_new = !seen.contains(name);
        seen.push(*name);
        is_new
    });
    names
}

/// A folded table for each of them.
pub(super) fn all(contract: &Contract) -> Markup {
    let origins = Origins::of(contract);
    html! {
        p {
            "Required: each record of this server has the member. Null: its value may be null. A member that states no clause has "
            "the clause of its record."
        }
        @for name in names(contract) { (one(contract, &origins, name)) }
    }
}

fn one(contract: &Contract, origins: &Origins<'_>, name: &str) -> Markup {
    let members = origins.members(name);
    let stated = origins.schema(name).cloned().unwrap_or_default();
    let schema = contract.document().schema(name);
    let description = schema.and_then(|schema| schema["description"].as_str());
    let meanings = meanings(contract, name);
    html! {
        details.record id={ "record-" (name) } data-group {
            summary { h3 { code { (name) } } " " (members.len()) " members " (origin(&stated, "")) }
            (block(without_origin(description.unwrap_or_default(), &stated)))
            div.wide { table.members {
                thead { tr { th { "Member" } th { "Type" } th { "Required" } th { "Null" } th { "Meaning" } th { "From" } } }
                tbody {
                    @for member in &members {
                        tr data-find {
                            td { code { (member.path.to_string().trim_start_matches('/')) } }
                            td { (kind(contract, member.schema)) }
                            td data-label="Required" { (yes(member.required)) }
                            td data-label="Null" { (yes(is_nullable(contract, member.schema))) }
                            td { (meaning(contract, origins, member, meanings.get(&member.path.to_string()))) }
                            td { (origin(&member.origin, "")) }
                        }
                    }
                }
            } }
        }
    }
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// The type of a schema; a record by its name.
fn kind(contract: &Contract, schema: &Value) -> Markup {
    let document = contract.document();
    let name = document.schema_name(schema);
    let plain = document.underlying(schema);
    let text = |key: &str| plain[key].as_str();
    html! {
        @if let Some(name) = name.filter(|name| is_record(contract, name) || *name == "ProblemError") {
            a href={ "#record-" (name) } { code { (name) } }
        } @else if text("type") == Some("array") {
            "array of " (kind(contract, &plain["items"]))
        } @else {
            (text("type").unwrap_or("any"))
            @if let Some(format) = text("format").filter(|format| *format != "int64") { ", " (format) }
            @if let Some(most) = plain["maximum"].as_u64().filter(|most| *most < 1 << 32) {
                ", " (plain["minimum"].as_u64().unwrap_or_default()) " to " (most)
            }
        }
    }
}

fn is_nullable(contract: &Contract, schema: &Value) -> bool {
    let document = contract.document();
    document.or_null(document.resolve(schema)).is_some() || document.underlying(schema)["nullable"] == true
}

/// What the contract says of a member: its description or that of its schema, its count, link or relation, the rules that it
/// carries, the values of an enumeration, and an example.
fn meaning(
    contract: &Contract,
    origins: &Origins<'_>,
    member: &Member<'_>,
    annotation: Option<&Markup>,
) -> Markup {
    let document = contract.document();
    let plain = document.underlying(member.schema);
    let own = without_origin(
        member.schema["description"].as_str().unwrap_or_default(),
        &member.stated,
    );
    let referred = document
        .schema_name(member.schema)
        .and_then(|name| origins.schema(name));
    let of_schema = plain["description"].as_str().unwrap_or_default();
    let of_schema = referred.map_or(of_schema, |referred| without_origin(of_schema, referred));
    let says_enough = !own.is_empty() || annotation.is_some();
    let rules = contract
        .rules
        .iter()
        .filter(|rule| member.stated.rules.contains(&rule.id));
    let values = plain["enum"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let values: Vec<_> = values.collect();
    let example = &member.schema["example"];
    html! {
        (block(if says_enough { own } else { of_schema }))
        @if let Some(annotation) = annotation { p { (annotation) } }
        @for rule in rules { p { (inline(&rule.says)) } }
        @if !values.is_empty() {
            p { "Values: " @for (i, value) in values.iter().enumerate() { @if i > 0 { ", " } code { (value) } } "." }
        }
        @if !example.is_null() { p.quiet { "Example: " code { (example) } } }
    }
}

/// What annotations say of the members of a record, by their place.
fn meanings(contract: &Contract, record: &str) -> HashMap<String, Markup> {
    let mut meanings = HashMap::new();
    for count in contract.counts(record).unwrap_or_default() {
        let says = match &count.counted {
            Counted::Listing(listing) => html! { "The length of the list " (listed(listing)) "." },
            Counted::External => html! { "The number of resources outside this API." },
        };
        meanings.insert(format!("/count/{}", count.member), says);
    }
    for link in contract.links(record).unwrap_or_default() {
        let operation = link.operation;
        let says = match link.filter {
            Some(filter) => html! { "The address of the list " (listed(&Listing { operation, filter })) "." },
            None => html! { "The address of " (to_operation(&operation)) " for this record." },
        };
        meanings.insert(format!("/links/{}", link.member), says);
    }
    let lists = contract.lists().filter(|(_, list)| list.record == record);
    for relation in lists.flat_map(|(_, list)| &list.relations) {
        let asked = |word: &str| html! { "Present with " code { "include=" (word) } "." };
        meanings.insert(relation.at.to_string(), asked(&relation.name));
        let forms = [
            (&relation.number_at, relation.count_name()),
            (&relation.existence_at, relation.exists_name()),
        ];
        for (at, word) in forms {
            meanings.extend(at.iter().map(|at| (at.to_string(), asked(&word))));
        }
    }
    meanings
}

fn listed(listing: &Listing) -> Markup {
    html! { (to_operation(&listing.operation)) " with " code { (listing.filter) } " and the id of this record" }
}

fn to_operation(operation: &str) -> Markup {
    html! { a href={ "#operation-" (operation) } { code { (operation) } } }
}
