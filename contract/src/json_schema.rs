//! The component schemas as JSON Schema 2020-12, for validators that do not know OpenAPI 3.0.
//!
//! Two forms: what the contract says, and what may be asked of an implementation by others. The result is one
//! self-contained value: `{"$ref": "#/$defs/X", "$defs": {…}}`. Formats are kept; a validator has to be told to heed them.

use serde_json::{Map, Value, json};

use crate::relaxed::{is, relaxed};
use crate::{Answer, Document};

/// How much a schema demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// What the contract says, to the letter.
    Strict,
    /// What the specification alone says, so that it may be asked of implementations by others (see `relaxed.rs`).
    Judging,
}

/// Keywords of OpenAPI 3.0 that JSON Schema lacks or that have no say in whether a value is valid.
const DROPPED: [&str; 8] = [
    "nullable",
    "example",
    "default",
    "discriminator",
    "xml",
    "externalDocs",
    "readOnly",
    "writeOnly",
];

const DEFINITIONS: &str = "#/$defs/";

/// Keywords whose value is one schema, a list of schemas, or schemas by name.
const ONE: [&str; 3] = ["items", "additionalProperties", "not"];
const SEVERAL: [&str; 3] = ["allOf", "anyOf", "oneOf"];

impl Document {
    /// The component schema `name` as a JSON Schema that stands alone; none if there is no such schema.
    pub fn json_schema(&self, name: &str, form: Form) -> Option<Value> {
        self.schema(name)?;
        Some(self.standing_alone(json!({"$ref": definition(name)}), form))
    }

    /// The body of an answer as a JSON Schema that stands alone: an array of records, or one.
    pub fn answer_schema(&self, answer: &Answer, form: Form) -> Option<Value> {
        let name = answer.schema.as_deref()?;
        if !answer.many {
            return self.json_schema(name, form);
        }
        self.schema(name)?;
        Some(self.standing_alone(
            json!({"type": "array", "items": {"$ref": definition(name)}}),
            form,
        ))
    }

    /// Any schema of the document, such as a parameter's, as a JSON Schema that stands alone.
    pub fn json_schema_of(&self, schema: &Value, form: Form) -> Value {
        self.standing_alone(convert(schema, form), form)
    }

    /// Adds the definitions that a converted schema refers to, directly or through others.
    fn standing_alone(&self, mut schema: Value, form: Form) -> Value {
        let (mut definitions, mut wanted) = (Map::new(), Vec::new());
        references(&schema, &mut wanted);
        while let Some(name) = wanted.pop() {
            if let Some(written) = self.schema(&name).filter(|_| !definitions.contains_key(&name)) {
                let converted = convert(written, form);
                references(&converted, &mut wanted);
                definitions.insert(name, converted);
            }
        }
        schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        schema["$defs"] = Value::Object(definitions);
        schema
    }
}

/// The names of the definitions that a converted schema refers to.
fn references(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            let name = members
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|text| text.strip_prefix(DEFINITIONS));
            names.extend(name.map(str::to_owned));
            members.values().for_each(|member| references(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        _ => {}
    }
}

fn definition(name: &str) -> String {
    format!("{DEFINITIONS}{name}")
}

fn convert(schema: &Value, form: Form) -> Value {
    match form {
        Form::Strict => converted(schema),
        Form::Judging => converted(&relaxed(schema)),
    }
}

fn converted(schema: &Value) -> Value {
    let Value::Object(written) = schema else {
        return schema.clone();
    };
    let mut converted = Map::new();
    for (key, value) in written {
        if let Some(value) = keyword(key, value) {
            converted.insert(key.clone(), value);
        }
    }
    bounds(written, &mut converted);
    if is(written, "nullable") {
        nullable(converted)
    } else {
        Value::Object(converted)
    }
}

/// The value of one keyword; none if it has no place in the result.
fn keyword(key: &str, value: &Value) -> Option<Value> {
    match key {
        "$ref" => Some(json!(
            value.as_str()?.replace("#/components/schemas/", "#/$defs/")
        )),
        "properties" => {
            let schemas = value.as_object()?.iter();
            Some(Value::Object(
                schemas
                    .map(|(name, schema)| (name.clone(), converted(schema)))
                    .collect(),
            ))
        }
        "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => None,
        _ if ONE.contains(&key) => Some(converted(value)),
        _ if SEVERAL.contains(&key) => Some(value.as_array()?.iter().map(converted).collect()),
        _ if DROPPED.contains(&key) || key.starts_with("x-") => None,
        _ => Some(value.clone()),
    }
}

/// In 3.0 `exclusiveMinimum: true` turns `minimum` round; in 2020-12 it is the bound itself.
fn bounds(written: &Map<String, Value>, converted: &mut Map<String, Value>) {
    for (inclusive, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if written.get(exclusive) == Some(&Value::Bool(true))
            && let Some(bound) = converted.shift_remove(inclusive)
        {
            converted.insert(exclusive.to_owned(), bound);
        }
    }
}

/// The schema, or null. An enum takes null as well, as every generator of code reads it.
fn nullable(mut schema: Map<String, Value>) -> Value {
    let combined = SEVERAL.iter().any(|key| schema.contains_key(*key)) || schema.contains_key("not");
    match schema.get_mut("type") {
        Some(kind) if !combined => {
            *kind = json!([kind.take(), "null"]);
            if let Some(Value::Array(values)) = schema.get_mut("enum")
                && !values.contains(&Value::Null)
            {
                values.push(Value::Null);
            }
            Value::Object(schema)
        }
        _ => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}
