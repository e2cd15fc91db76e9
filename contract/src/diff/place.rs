//! Where two documents are compared: the keys from the root on, and how people name the place.

use crate::Pointer;

/// A place that two documents are compared at.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The keys that lead to it. Parameters have the key `query filter[email]`: their part of the request and their name.
    keys: Vec<String>,
    /// Where it is in the new document, or would be.
    at: Pointer,
}

impl Place {
    pub(super) fn child(&self, key: &str) -> Self {
        self.moved(key, self.at.child(key))
    }

    /// The part with a name of its own, which is somewhere else in the new document.
    pub(super) fn moved(&self, key: &str, at: Pointer) -> Self {
        let mut keys = self.keys.clone();
        keys.push(key.to_owned());
        Self { keys, at }
    }

    /// Where it is in the new document, or would be.
    pub(super) fn at(&self) -> &Pointer {
        &self.at
    }

    pub(super) fn keys(&self) -> Vec<&str> {
        self.keys.iter().map(String::as_str).collect()
    }

    /// The element that the place belongs to.
    pub(super) fn element(&self) -> String {
        self.split().0
    }

    /// The difference with its place inside of the element.
    pub(super) fn inside(&self, difference: &str) -> String {
        match self.split().1 {
            inside if inside.is_empty() => difference.to_owned(),
            inside => format!("{inside}: {difference}"),
        }
    }

    fn split(&self) -> (String, String) {
        let keys = self.keys();
        let (element, inside) = match keys.as_slice() {
            ["paths", path, method, "parameters", parameter, inside @ ..] => (
                format!("{} {path}, {}", method.to_uppercase(), name(parameter)),
                inside,
            ),
            ["paths", path, method, inside @ ..] => (format!("{} {path}", method.to_uppercase()), inside),
            ["paths", path] => ((*path).to_owned(), [].as_slice()),
            ["components", "schemas", schema, "properties", member, inside @ ..]
            | [
                "components",
                "schemas",
                schema,
                "allOf",
                _,
                "properties",
                member,
                inside @ ..,
            ] => (format!("{schema}/{member}"), inside),
            ["components", "parameters", parameter, inside @ ..] => {
                (format!("parameter {parameter}"), inside)
            }
            ["components", "responses", response, inside @ ..] => (format!("response {response}"), inside),
            ["components", _, component, inside @ ..] => ((*component).to_owned(), inside),
            ["x-rules", rule, inside @ ..] => (format!("rule {rule}"), inside),
            ["x-open-points", point, inside @ ..] => (format!("open point {point}"), inside),
            [first, inside @ ..] => ((*first).to_owned(), inside),
            [] => ("the document".to_owned(), [].as_slice()),
        };
        (element, inside.join("/"))
    }
}

/// The name of a parameter out of its key.
fn name(parameter: &str) -> &str {
    parameter.split_once(' ').map_or(parameter, |(_, name)| name)
}
