//! Who sends what a schema describes: a value that is sent may become wider without harm, one that is received narrower.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Document;

/// Who sends the values of a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Direction {
    /// The client, as a parameter or in a body.
    pub(super) is_sent: bool,
    /// The server, in an answer.
    pub(super) is_received: bool,
}

/// The component schemas, by who sends them.
pub(super) struct Uses {
    sent: BTreeSet<String>,
    received: BTreeSet<String>,
}

impl Uses {
    pub(super) fn of(document: &Document) -> Self {
        let mut uses = Self {
            sent: BTreeSet::new(),
            received: BTreeSet::new(),
        };
        let items = document.raw()["paths"]
            .as_object()
            .into_iter()
            .flat_map(|paths| paths.values());
        for operation in items.filter_map(Value::as_object).flat_map(|item| item.values()) {
            for key in ["parameters", "requestBody"] {
                operation
                    .get(key)
                    .into_iter()
                    .for_each(|part| collect(document, part, &mut uses.sent));
            }
            operation
                .get("responses")
                .into_iter()
                .for_each(|part| collect(document, part, &mut uses.received));
        }
        uses
    }

    /// Who sends the values at a place of the document.
    pub(super) fn direction(&self, keys: &[&str]) -> Direction {
        match keys {
            ["components", "schemas", name, ..] => {
                let name = format!("#/components/schemas/{name}");
                Direction {
                    is_sent: self.sent.contains(&name),
                    is_received: self.received.contains(&name),
                }
            }
            ["paths", _, _, "responses", ..] | ["components", "responses" | "headers", ..] => Direction {
                is_received: true,
                ..Direction::default()
            },
            _ => Direction {
                is_sent: true,
                ..Direction::default()
            },
        }
    }
}

/// Adds the references that lead on from a value.
fn collect(document: &Document, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str)
                && found.insert(reference.to_owned())
            {
                collect(document, document.resolve(value), found);
            }
            let described = members
                .iter()
                .filter(|(key, _)| !["example", "examples"].contains(&key.as_str()));
            described.for_each(|(_, member)| collect(document, member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(document, item, found)),
        _ => {}
    }
}
