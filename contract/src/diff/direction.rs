//! Which operations use a component, and who sends what it describes: a value that is sent may become wider without harm, one
//! that is received narrower.

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

/// The operations of a document, with the components that they refer to.
pub(super) struct Uses(Vec<OperationUses>);

/// An operation with the components that it refers to, directly or through others, as `#/components/schemas/Count`.
struct OperationUses {
    path: String,
    method: String,
    sent: BTreeSet<String>,
    received: BTreeSet<String>,
}

/// The methods of a path item; its other members belong to all of its operations.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl Uses {
    pub(super) fn of(document: &Document) -> Self {
        let items = document.raw()["paths"].as_object().into_iter().flatten();
        let operations = items.flat_map(|(path, item)| {
            let shared = item.get("parameters");
            let operations = item.as_object().into_iter().flatten();
            operations
                .filter(|(method, _)| METHODS.contains(&method.as_str()))
                .map(move |(method, operation)| {
                    let references = |parts: [Option<&Value>; 3]| {
                        let mut found = BTreeSet::new();
                        for part in parts.into_iter().flatten() {
                            collect(document, part, &mut found);
                        }
                        found
                    };
                    let part = |key: &str| operation.get(key);
                    OperationUses {
                        path: path.clone(),
                        method: method.clone(),
                        sent: references([shared, part("parameters"), part("requestBody")]),
                        received: references([part("responses"), None, None]),
                    }
                })
        });
        Self(operations.collect())
    }

    /// Who sends the values at a place of the document.
    pub(super) fn direction(&self, keys: &[&str]) -> Direction {
        match keys {
            ["components", "schemas", name, ..] => {
                let name = format!("#/components/schemas/{name}");
                Direction {
                    is_sent: self.0.iter().any(|operation| operation.sent.contains(&name)),
                    is_received: self.0.iter().any(|operation| operation.received.contains(&name)),
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

    /// The operations that a place of the document belongs to, as `GET /directory/users`. Those that use a component do if its
    /// values are sent by one of the two.
    pub(super) fn operations(&self, keys: &[&str], by: Direction) -> Vec<String> {
        let touches = |operation: &&OperationUses| match keys {
            ["paths", path, method, ..] if METHODS.contains(method) => {
                operation.path == *path && operation.method == *method
            }
            ["paths", path, ..] => operation.path == *path,
            ["components", kind, name, ..] => {
                let name = format!("#/components/{kind}/{name}");
                by.is_sent && operation.sent.contains(&name)
                    || by.is_received && operation.received.contains(&name)
            }
            _ => false,
        };
        let operations = self.0.iter().filter(touches);
        operations
            .map(|operation| format!("{} {}", operation.method.to_uppercase(), operation.path))
            .collect()
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
