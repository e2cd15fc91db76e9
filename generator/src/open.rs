//! The contract as callers of any implementation read it (see `x-accepts` and `x-extensible` in `docs/annotations.md`). The client
//! is generated from it.
//!
//! Objects may have further members, enumerations further values, identifiers other prefixes, and a timestamp any form that
//! conforms. A member that may be absent, or that may have one of several forms, is read as such. Elements that are extensions
//! of this contract keep their types: a caller uses them only with a server that has them.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::{Contract, Document};
use serde_json::{Map, Value, json};

use crate::values::{self, Special};
use crate::{Error, emit, words};

/// Where the types are that are written from this contract.
pub(crate) const MODULE: &str = "crate::client::model";

/// The contract with open schemas. Its other parts stay.
///
/// # Errors
/// The result is no contract.
pub(crate) fn contract(closed: &Contract) -> Result<Contract, Error> {
    let mut raw = closed.document().raw().clone();
    let errors = errors(&raw);
    if let Some(schemas) = raw
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut)
    {
        for (name, schema) in schemas.iter_mut() {
            *schema = open(schema);
            if is_integer(schema) {
                bound(schema);
            }
            if errors.contains(name)
                && let Some(schema) = schema.as_object_mut()
            {
                schema.remove("required");
            }
        }
        let mut integer = json!({"type": "integer", "description": "A whole number."});
        bound(&mut integer);
        schemas.insert(INTEGER.to_owned(), integer);
    }
    Ok(Contract::of(Document::of(raw)?)?)
}

/// The schemas that bodies of errors are made of. Servers differ in what they say about an error.
fn errors(raw: &Value) -> BTreeSet<String> {
    let (mut found, mut wanted) = (BTreeSet::new(), Vec::new());
    problems(raw, &mut wanted);
    while let Some(name) = wanted.pop() {
        if found.insert(name.clone()) {
            references(&raw["components"]["schemas"][&name], &mut wanted);
        }
    }
    found
}

/// The schemas of `application/problem+json` below an element.
fn problems(element: &Value, names: &mut Vec<String>) {
    match element {
        Value::Object(members) => {
            for (key, member) in members {
                match key.as_str() {
                    "application/problem+json" => references(member, names),
                    _ => problems(member, names),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| problems(item, names)),
        _ => {}
    }
}

fn references(element: &Value, names: &mut Vec<String>) {
    match element {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            let name = target.and_then(|target| target.strip_prefix("#/components/schemas/"));
            names.extend(name.map(str::to_owned));
            members.values().for_each(|member| references(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        _ => {}
    }
}

/// A schema that takes what any conforming server may send.
fn open(schema: &Value) -> Value {
    let Value::Object(written) = schema else {
        return schema.clone();
    };
    match written.get("x-accepts") {
        // The type of timestamps reads every form that conforms.
        Some(_) if written.get("format").is_some_and(|format| format == "date-time") => {
            return schema.clone();
        }
        Some(accepted) if has_several_forms(accepted) => return described(written, json!({})),
        Some(accepted) => return described(written, open(accepted)),
        None => {}
    }
    let members = written.iter().filter_map(|(key, value)| {
        let value = match key.as_str() {
            "required" if written.get("x-optional-members") == Some(&Value::Bool(true)) => return None,
            "additionalProperties" if value == &Value::Bool(false) => return None,
            "properties" => {
                let members = value.as_object()?.iter();
                Value::Object(
                    members
                        .map(|(name, member)| (name.clone(), named(open(member))))
                        .collect(),
                )
            }
            "items" | "additionalProperties" => open(value),
            "allOf" | "anyOf" => value.as_array()?.iter().map(open).collect(),
            _ => value.clone(),
        };
        Some((key.clone(), value))
    });
    Value::Object(members.collect())
}

/// The component for integers of a member. Like all integers of the contract it reads `30.0` as the integer it is.
const INTEGER: &str = "AnyInteger";

fn is_integer(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "integer")
}

/// Gives an integer the bounds that it lacks.
fn bound(schema: &mut Value) {
    for (key, bound) in [("minimum", i64::MIN), ("maximum", i64::MAX)] {
        if schema.get(key).is_none() {
            schema[key] = json!(bound);
        }
    }
}

/// A member's schema; an integer becomes a component.
fn named(schema: Value) -> Value {
    match is_integer(&schema) {
        true => json!({"$ref": format!("#/components/schemas/{INTEGER}")}),
        false => schema,
    }
}

/// Whether values may have more forms than one, besides null.
fn has_several_forms(schema: &Value) -> bool {
    let forms = schema
        .get("anyOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    forms
        .filter(|form| form.get("enum") != Some(&json!([null])))
        .count()
        > 1
}

/// The schema with the description of the one that it replaces.
fn described(replaced: &Map<String, Value>, mut schema: Value) -> Value {
    for key in ["description", "x-source", "x-extension"] {
        if let Some(value) = replaced.get(key) {
            schema[key] = value.clone();
        }
    }
    schema
}

/// The types that progenitor does not write: enumerations that have further values, timestamps, and what is as in `model`.
pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let mut types = values::page_numbers(contract, MODULE);
    for (name, schema) in contract.document().schemas() {
        let ident = emit::type_ident(name);
        types.extend(match values::special(schema) {
            Some(Special::Timestamp | Special::Instant) => {
                quote!(pub type #ident = ::rollcall_runtime::AnyTimestamp;)
            }
            Some(Special::Bounded(minimum, maximum)) => {
                quote!(pub type #ident = ::rollcall_runtime::Bounded<#minimum, #maximum>;)
            }
            Some(Special::Id(_)) => quote!(pub use crate::model::#ident;),
            None if words::is_enumeration(contract, name) => words::open_enumeration(contract, name)?,
            None => continue,
        });
    }
    Ok(types)
}
