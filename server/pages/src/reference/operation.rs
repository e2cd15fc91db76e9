//! One operation: its description and its form on one side, its request and the answer on the other.

use maud::{Markup, html};
use rollcall_contract::{Contract, Operation};
use serde_json::Value;

use super::{REVIEW, inputs, kind};
use crate::answers::answers;
use crate::markdown::{block, without_origin};
use crate::origin::origin;

/// The most parameters that a form shows unfolded.
const FEW: usize = 6;

/// An operation of the contract.
pub(super) fn of_contract(contract: &Contract, operation: &Operation) -> Markup {
    let groups = kind::groups(operation);
    let is_short = operation.parameters.len() <= FEW;
    let about = html! {
        (block(without_origin(operation.description.as_deref().unwrap_or_default(), &operation.origin)))
        p { (origin(&operation.origin, REVIEW)) }
    };
    let fields = html! {
        @if !is_short {
            label.find hidden { "Find one of " (operation.parameters.len()) " parameters " input type="search"; }
        }
        @for (kind, parameters) in &groups {
            details.kind open[is_short || *kind == kind::Kind::Path] {
                summary {
                    strong { (kind.title()) } " " span.number { (parameters.len()) } " " output.set {}
                    span.names { @for parameter in parameters { (parameter.name) " " } }
                }
                @for parameter in parameters { (inputs::field(contract, operation, parameter)) }
            }
        }
        @if operation.request_body.is_some() { (body(contract, operation)) }
    };
    let about_answers = html! {
        p { (answers(operation, REVIEW)) }
        @if let Some(example) = example(contract, operation) {
            details { summary { "An example of the answer" } pre { code { (pretty(example)) } } }
        }
    };
    let form = Form {
        id: &operation.id,
        method: operation.method.to_string(),
        base: "api/v1",
        needs_token: true,
        path: &operation.path,
        summary: operation.summary.as_deref().unwrap_or_default(),
    };
    form.markup(&about, &fields, &about_answers)
}

/// A path for operators.
pub(super) fn of_health(path: &str, summary: &str) -> Markup {
    let form = Form {
        id: path.trim_start_matches('/'),
        method: "GET".to_owned(),
        base: ".",
        needs_token: false,
        path,
        summary,
    };
    form.markup(&Markup::default(), &Markup::default(), &Markup::default())
}

/// A form that sends one request.
struct Form<'o> {
    id: &'o str,
    method: String,
    /// What the path is below, from this page.
    base: &'static str,
    needs_token: bool,
    path: &'o str,
    summary: &'o str,
}

impl Form<'_> {
    fn markup(&self, about: &Markup, fields: &Markup, answers: &Markup) -> Markup {
        html! {
            details.operation id=(self.id) data-find {
                summary {
                    span.method.{ "is-" (self.method.to_lowercase()) } { (self.method) } " "
                    h3 { code { (self.path) } } " " span.quiet { (self.summary) }
                }
                form data-method=(self.method) data-base=(self.base) data-path=(self.path) data-token[self.needs_token] {
                    div.ask { (about) (fields) }
                    div.answer {
                        div.send {
                            button.execute type="submit" hidden { "Execute" }
                            " " span.status role="status" {}
                        }
                        pre.request { code { (self.method) " " (self.path) } }
                        details.curl hidden { summary { "As a curl command" } pre { code {} } }
                        details.headers hidden { summary { "Headers of the answer" } pre { code {} } }
                        pre.body tabindex="0" role="region" aria-label="The answer" hidden { code {} }
                        (answers)
                    }
                }
            }
        }
    }
}

/// The field of the body: it begins with the first example of the contract.
fn body(contract: &Contract, operation: &Operation) -> Markup {
    let raw = contract.document().raw();
    let written = operation
        .at
        .find(raw)
        .map(|written| contract.document().resolve(&written["requestBody"]));
    let examples = written.and_then(|body| body["content"]["application/json"]["examples"].as_object());
    let examples: Vec<_> = examples
        .into_iter()
        .flatten()
        .map(|(name, example)| (name, pretty(&contract.document().resolve(example)["value"])))
        .collect();
    let first = examples
        .first()
        .map(|(_, text)| text.as_str())
        .unwrap_or_default();
    let schema = operation.request_body.as_deref().unwrap_or_default();
    let id = format!("{}-body", operation.id);
    html! {
        details.kind open {
            summary { strong { "Body" } }
            div.field {
                label for=(id) { a href={ (REVIEW) "#record-" (schema) } { code { (schema) } } }
                textarea id=(id) data-in="body" rows="4" spellcheck="false" { (first) }
                div.words data-for=(id) {
                    @for (name, text) in &examples { button type="button" data-text=(text) { (name.replace('_', " ")) } " " }
                }
            }
        }
    }
}

/// The first example of the answer to success.
fn example<'c>(contract: &'c Contract, operation: &Operation) -> Option<&'c Value> {
    let document = contract.document();
    let responses = &operation.at.find(document.raw())?["responses"];
    let response = document.resolve(&responses[operation.answer.status.to_string()]);
    let content = &response["content"]["application/json"];
    let first = content["examples"].as_object()?.values().next()?;
    document.resolve(first).get("value")
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
