//! The contract for callers of any implementation: what the specification has, in the form by which the runner judges.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::relaxed::{is, relaxed};
use crate::{Contract, Document, Error, Operation, Pointer, uses};

/// Annotations that say where an element comes from, and how it is called in code; all others speak of this server.
const KEPT: [&str; 3] = ["x-source", "x-open-point", "x-enum-varnames"];

const TITLE: &str = "Directory and Workspace Provisioning API, open form";

const DESCRIPTION: &str = "\
For callers of any implementation of the API. It has the operations and parameters of the specification, and no extension \
of the server that it comes from. A client that is generated from it reads every answer that conforms: identifiers with \
other prefixes, further values of enumerations, further members of objects, and any body of an error. An answer to a list \
is an array; a server that wraps it in an envelope needs a client of its own.
";

/// The methods of a path item; its other members are for all of its operations.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl Document {
    /// The document for callers of any implementation. Operations and parameters that the specification does not have are
    /// left out; schemas are relaxed; any success and any refusal has a place.
    ///
    /// # Errors
    /// A reference leads to a part that is left out.
    pub fn open_form(&self) -> Result<Self, Error> {
        let mut raw = self.raw().clone();
        retain_specified(&mut raw, &Contract::of(self.clone())?);
        let components = raw["components"]
            .as_object_mut()
            .into_iter()
            .flat_map(|kinds| kinds.values_mut());
        for component in components
            .filter_map(Value::as_object_mut)
            .flat_map(|all| all.values_mut())
        {
            relax_inside(component);
        }
        if let Some(schemas) = raw["components"]["schemas"].as_object_mut() {
            schemas.values_mut().for_each(|schema| *schema = relaxed(schema));
        }
        relax_inside(&mut raw["paths"]);
        drop_annotations(&mut raw);
        drop_unused(&mut raw);
        raw["info"]["title"] = json!(TITLE);
        raw["info"]["description"] = json!(DESCRIPTION);
        Self::of(raw)
    }
}

/// Removes operations and parameters that are extensions, and tags that no operation is left of.
fn retain_specified(raw: &mut Value, contract: &Contract) {
    let mut tags = BTreeSet::new();
    let document = contract.document();
    let is_specified = |element: &Value| {
        let element = document.resolve(element).as_object();
        element.is_some_and(|element| !is(element, "x-extension"))
    };
    let specified = specified(&contract.operations);
    describe_uses(raw, &contract.operations, &specified);
    if let Some(paths) = raw["paths"].as_object_mut() {
        for item in paths.values_mut().filter_map(Value::as_object_mut) {
            item.retain(|key, operation| !METHODS.contains(&key.as_str()) || is_specified(operation));
            for (_, operation) in item.iter_mut().filter(|(key, _)| METHODS.contains(&key.as_str())) {
                let model = specified
                    .iter()
                    .find(|one| operation["operationId"] == one.id.as_str());
                if let Some(parameters) = operation["parameters"].as_array_mut() {
                    let names: Vec<_> = model
                        .iter()
                        .flat_map(|one| one.parameters.iter().map(|one| &one.name))
                        .collect();
                    parameters.retain(|one| {
                        names
                            .iter()
                            .any(|name| document.resolve(one)["name"] == name.as_str())
                    });
                }
                any_status(operation);
                tags.extend(
                    operation["tags"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_str)
                        .map(str::to_owned),
                );
            }
        }
        paths.retain(|_, item| METHODS.iter().any(|method| item.get(method).is_some()));
    }
    let responses = raw["components"]["responses"].as_object_mut();
    for response in responses.into_iter().flat_map(|responses| responses.values_mut()) {
        if let Some(headers) = response.get_mut("headers").and_then(Value::as_object_mut) {
            headers.retain(|_, header| is_specified(header));
        }
    }
    if let Some(all) = raw["tags"].as_array_mut() {
        all.retain(|tag| tag["name"].as_str().is_some_and(|name| tags.contains(name)));
    }
}

/// The operations of the specification, each with the parameters that the specification gives it.
fn specified(operations: &[Operation]) -> Vec<Operation> {
    let mut specified = operations.to_vec();
    specified.retain(|operation| !operation.origin.extension);
    for operation in &mut specified {
        operation
            .parameters
            .retain(|parameter| !parameter.origin.extension);
    }
    specified
}

/// Ends the description of each parameter that operations share with the uses that are left.
fn describe_uses(raw: &mut Value, all: &[Operation], left: &[Operation]) {
    let parameters = raw["components"]["parameters"].as_object_mut();
    for (name, parameter) in parameters.into_iter().flatten() {
        let at = Pointer::of(["components", "parameters", name]);
        let (before, now) = (uses::origin_of_uses(all, &at), uses::origin_of_uses(left, &at));
        if let (Some(before), Some(now), Some(text)) = (before, now, parameter["description"].as_str())
            && let Some(text) = text.trim_end().strip_suffix(&before)
        {
            parameter["description"] = json!(format!("{text}{now}"));
        }
    }
}

/// Gives an operation one answer for success and one for each kind of refusal: the specification names no status.
fn any_status(operation: &mut Value) {
    let Some(responses) = operation["responses"].as_object_mut() else {
        return;
    };
    let success = responses.iter().find(|(status, _)| status.starts_with('2'));
    let success = success.map(|(_, response)| response.clone());
    *responses = Map::from_iter([
        ("2XX".to_owned(), success.unwrap_or_default()),
        ("4XX".to_owned(), refusal("The request was refused.")),
        ("5XX".to_owned(), refusal("The server failed.")),
    ]);
}

fn refusal(description: &str) -> Value {
    json!({"description": description})
}

/// Relaxes the schemas below an element that is no schema itself.
fn relax_inside(element: &mut Value) {
    match element {
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                match key.as_str() {
                    "schema" => *member = relaxed(member),
                    "example" | "examples" => {}
                    _ => relax_inside(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(relax_inside),
        _ => {}
    }
}

fn drop_annotations(element: &mut Value) {
    match element {
        Value::Object(members) => {
            members.retain(|key, _| !key.starts_with("x-") || KEPT.contains(&key.as_str()));
            // An `allOf` around one schema made room for annotations beside a reference.
            if let (1, Some([only])) = (
                members.len(),
                members.get("allOf").and_then(Value::as_array).map(Vec::as_slice),
            ) {
                *element = only.clone();
                return drop_annotations(element);
            }
            for (key, member) in members.iter_mut() {
                if !["example", "examples"].contains(&key.as_str()) {
                    drop_annotations(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(drop_annotations),
        _ => {}
    }
}

/// Removes the components that no reference leads to, from the paths or from another component that is kept.
fn drop_unused(raw: &mut Value) {
    let mut used = BTreeSet::new();
    let mut wanted = references(&raw["paths"]);
    while let Some(reference) = wanted.pop() {
        if used.insert(reference.clone())
            && let Some(target) = reference
                .parse::<Pointer>()
                .ok()
                .and_then(|at| at.find(raw).cloned())
        {
            wanted.extend(references(&target));
        }
    }
    let Some(kinds) = raw["components"].as_object_mut() else {
        return;
    };
    for (kind, components) in kinds.iter_mut().filter(|(kind, _)| *kind != "securitySchemes") {
        if let Some(components) = components.as_object_mut() {
            components.retain(|name, _| used.contains(&Pointer::of(["components", kind, name]).to_string()));
        }
    }
    kinds.retain(|_, components| {
        components
            .as_object()
            .is_some_and(|components| !components.is_empty())
    });
}

/// The pointers that the references below a value lead to.
fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let own = members
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|text| text.strip_prefix('#'));
            let below = members.values().flat_map(references);
            own.map(str::to_owned).into_iter().chain(below).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
