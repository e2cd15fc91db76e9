//! Holds one type against one schema.

use jsonschema::Validator;
use rollcall::Instant;
use serde_json::{Map, Value};

use super::kinds::Kind;
use super::shown;

/// A type, its schema, and whether they agree about a value.
pub(crate) struct Judge<'s> {
    kind: &'s Kind,
    schema: &'s Value,
    validator: Validator,
}

impl<'s> Judge<'s> {
    pub(crate) fn new(kind: &'s Kind, schema: &'s Value) -> Self {
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(schema)
            .unwrap();
        Self {
            kind,
            schema,
            validator,
        }
    }

    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Type and schema both accept the value, or both refuse it; what was accepted is written as it was and is valid.
    pub(crate) fn agrees(&self, value: &Value) -> Result<(), String> {
        let valid = self.is_valid(value);
        match (self.kind.read)(value.clone()) {
            Err(_) if !valid || is_no_date_time(value) => Ok(()),
            Err(why) => Err(format!("only the schema accepts {}: {why}", shown(value))),
            Ok(_) if !valid => Err(format!("only the type accepts {}", shown(value))),
            Ok(written) if !self.is_valid(&written) => Err(format!("writes an invalid {}", shown(&written))),
            Ok(written) if !same(&self.declared(self.schema, value), &written) => {
                Err(format!("reads {} and writes {}", shown(value), shown(&written)))
            }
            Ok(_) => Ok(()),
        }
    }

    /// The value without members that its schema does not speak of; a type may drop them.
    fn declared(&self, schema: &Value, value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let mut known = Map::new();
                let open = self.properties(schema, &mut known);
                let kept = members.iter().filter_map(|(name, value)| match known.get(name) {
                    Some(schema) => Some((name.clone(), self.declared(schema, value))),
                    None => open.then(|| (name.clone(), value.clone())),
                });
                Value::Object(kept.collect())
            }
            Value::Array(items) => {
                let each = self.parts(schema).into_iter().find_map(|part| part.get("items"));
                items
                    .iter()
                    .map(|item| each.map_or(item.clone(), |each| self.declared(each, item)))
                    .collect()
            }
            _ => value.clone(),
        }
    }

    /// Collects the properties of an object; whether it holds others as well.
    fn properties(&self, schema: &Value, known: &mut Map<String, Value>) -> bool {
        let parts = self.parts(schema);
        for (name, property) in parts
            .iter()
            .filter_map(|part| part["properties"].as_object())
            .flatten()
        {
            known.insert(name.clone(), property.clone());
        }
        parts
            .iter()
            .any(|part| part.get("additionalProperties").is_some())
    }

    /// The schemas that a schema consists of.
    fn parts<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        let schema = target(self.schema, schema);
        let inner = ["allOf", "anyOf"]
            .into_iter()
            .filter_map(|key| schema[key].as_array())
            .flatten();
        inner
            .flat_map(|inner| self.parts(inner))
            .chain([schema])
            .collect()
    }
}

/// What a reference leads to.
pub(crate) fn target<'s>(root: &'s Value, mut schema: &'s Value) -> &'s Value {
    while let Some(reference) = schema["$ref"].as_str() {
        schema = root.pointer(reference.trim_start_matches('#')).unwrap();
    }
    schema
}

/// Equal as JSON Schema sees it (`30.0` is 30), and as timestamps (`+01:00` is converted, a leap second brought back).
fn same(read: &Value, written: &Value) -> bool {
    match (read, written) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::String(one), Value::String(other)) => {
            one == other || matches!((instant(one), instant(other)), (Some(one), Some(other)) if one == other)
        }
        _ => read == written,
    }
}

fn instant(text: &str) -> Option<Instant> {
    text.parse().ok()
}

/// Whether a text within is what the validator takes for a date-time and no type does: one whose offset leads out of the
/// years 0000 to 9999, which is all the time RFC 3339 (§1) speaks of and UTC can be written for; and one like `-001-01-01…`,
/// because jsonschema 0.60 reads `-` and its neighbours in ASCII as digits.
fn is_no_date_time(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let edge = text.starts_with("0000-01-01") || text.starts_with("9999-12-31");
            let digits = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18];
            let misread = |place: &usize| {
                text.as_bytes()
                    .get(*place)
                    .is_some_and(|byte| (b'*'..=b'/').contains(byte))
            };
            edge && !text.ends_with(['Z', 'z']) || text.contains(['T', 't']) && digits.iter().any(misread)
        }
        Value::Array(items) => items.iter().any(is_no_date_time),
        Value::Object(members) => members.values().any(is_no_date_time),
        _ => false,
    }
}
