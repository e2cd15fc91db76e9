//! The input of one parameter: what can be typed or chosen, and what it means.

use maud::{Markup, html};
use rollcall_contract::{Contract, Operation, Parameter, Position, Role, ValueKind};
use serde_json::Value;

use super::REVIEW;
use crate::markdown::{block, without_origin};
use crate::origin::origin;

/// A label with its input, the description and the origin.
pub(super) fn field(contract: &Contract, operation: &Operation, parameter: &Parameter) -> Markup {
    let id = format!("{}-{}", operation.id, parameter.name);
    let place = match parameter.position {
        Position::Path => "path",
        Position::Query => "query",
        Position::Header => "header",
    };
    let example = example(contract, parameter);
    html! {
        div.field {
            label for=(id) { code { (parameter.name) } @if parameter.required { " (required)" } }
            @if let Some(choices) = choices(contract, parameter) {
                select id=(id) name=(parameter.name) data-in=(place) {
                    option value="" {}
                    @for choice in choices { option { (choice) } }
                }
            } @else {
                input id=(id) name=(parameter.name) data-in=(place) data-list[parameter.is_comma_separated]
                    required[parameter.required] placeholder=[example] autocomplete="off" spellcheck="false";
            }
            @if let Some(words) = words(operation, parameter) {
                details.words data-for=(id) {
                    summary { (words.len()) " values" }
                    @for word in words { button type="button" data-word=(word) { (word) } " " }
                }
            }
            div.meaning {
                (block(without_origin(parameter.description.as_deref().unwrap_or_default(), &parameter.origin)))
                (origin(&parameter.origin, REVIEW))
            }
        }
    }
}

/// The values of a parameter that takes only a few, one at a time.
fn choices(contract: &Contract, parameter: &Parameter) -> Option<Vec<String>> {
    let flag = || Some(vec!["true".to_owned(), "false".to_owned()]);
    match parameter
        .filter
        .as_ref()
        .map(|filter| (&filter.value, &filter.words))
    {
        Some((ValueKind::Boolean, _)) => flag(),
        Some((ValueKind::Word(words), _)) => Some(words.clone()),
        Some((ValueKind::Trashed(_), words)) => Some(words.all().map(str::to_owned).to_vec()),
        Some(_) => None,
        None if contract.document().underlying(&parameter.schema)["type"] == "boolean" => flag(),
        None => None,
    }
}

/// The words of a parameter that takes several of them.
fn words(operation: &Operation, parameter: &Parameter) -> Option<Vec<String>> {
    let list = operation.list.as_ref()?;
    match parameter.role? {
        Role::Include => Some(list.include_words()),
        Role::Sort => Some(list.sort_words()),
        Role::Page | Role::Cursor | Role::PageSize | Role::PageTotal => None,
    }
}

/// The example of the contract as it is typed.
fn example(contract: &Contract, parameter: &Parameter) -> Option<String> {
    let document = contract.document();
    let written = parameter
        .at
        .find(document.raw())
        .map(|written| &written["example"]);
    let of_schema = &document.underlying(&parameter.schema)["example"];
    let example = written.filter(|example| !example.is_null()).unwrap_or(of_schema);
    match example {
        Value::Null => None,
        Value::String(text) => Some(format!("e.g. {text}")),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().filter_map(Value::as_str).collect();
            Some(format!("e.g. {}", items.join(",")))
        }
        other => Some(format!("e.g. {other}")),
    }
}
