//! The document as it was written: a JSON value in document order, whose references resolve.

use std::path::Path;

use serde_json::Value;

use crate::place::Place;
use crate::reference::{self, MAX_STEPS, target};
use crate::{Error, Pointer, yaml};

/// An OpenAPI document; every `$ref` in it points at something inside it, and none at itself.
#[derive(Clone, Debug)]
pub struct Document {
    raw: Value,
}

/// The most schemas that one schema may consist of: with `allOf` of references to each other, a few lines make billions.
const MAX_PARTS: usize = 1_000;

const SCHEMAS: &str = "#/components/schemas/";

impl Document {
    /// Reads YAML text.
    ///
    /// # Errors
    /// The text is not YAML, has a key twice, has aliases that make it too large, or [`Document::of`] refuses it.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::of(yaml::parse(text)?)
    }

    /// Reads a YAML file.
    ///
    /// # Errors
    /// The file cannot be read, or [`Document::parse`] refuses its text.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|source| Error::File {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(&text)
    }

    /// Takes a value that was read elsewhere.
    ///
    /// # Errors
    /// A `$ref` leads nowhere, outside, or back to itself, or a schema contains itself, or too many others.
    pub fn of(raw: Value) -> Result<Self, Error> {
        let document = Self { raw };
        document
            .root()
            .walk(&mut |place| match place.value().get("$ref") {
                Some(_) => document.follow(place),
                None => Ok(()),
            })?;
        for (_, schema) in document.component_places("schemas") {
            document.settles(&schema)?;
        }
        document.root().walk(&mut |place| document.settles(place))?;
        Ok(document)
    }

    /// The whole document.
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The document as YAML text.
    ///
    /// # Errors
    /// It has a value that YAML has no words for.
    pub fn to_yaml(&self) -> Result<String, Error> {
        Ok(yaml_serde::to_string(&self.raw)?)
    }

    /// The document as JSON text.
    ///
    /// # Errors
    /// It has a value that JSON has no words for.
    pub fn to_json(&self) -> Result<String, Error> {
        Ok(serde_json::to_string_pretty(&self.raw)?)
    }

    /// What `value` stands for: the target of its `$ref`, or itself.
    pub fn resolve<'d>(&'d self, value: &'d Value) -> &'d Value {
        reference::resolve(&self.raw, value)
    }

    /// The schema that a schema comes down to: through `$ref`, through an `allOf` around one schema, which is how
    /// OpenAPI 3.0 puts annotations beside a reference, and through "or null" (see [`Document::or_null`]).
    pub fn underlying<'d>(&'d self, schema: &'d Value) -> &'d Value {
        let schema = self.resolve(schema);
        match wrapped(schema).or_else(|| self.or_null(schema)) {
            Some(inner) => self.underlying(inner),
            None => schema,
        }
    }

    /// The component schema called `name`, as written.
    pub fn schema(&self, name: &str) -> Option<&Value> {
        Pointer::of(["components", "schemas", name]).find(&self.raw)
    }

    /// The component schemas in document order.
    pub fn schemas(&self) -> impl Iterator<Item = (&str, &Value)> {
        let schemas = Pointer::of(["components", "schemas"])
            .find(&self.raw)
            .and_then(Value::as_object);
        schemas
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.as_str(), schema))
    }

    /// The name of the component schema that `schema` refers to, directly, or through an `allOf` around it, or with null beside it.
    pub fn schema_name<'v>(&'v self, schema: &'v Value) -> Option<&'v str> {
        match schema.get("$ref") {
            Some(reference) => reference.as_str()?.strip_prefix(SCHEMAS),
            None => self.schema_name(wrapped(schema).or_else(|| self.or_null(schema))?),
        }
    }

    pub(crate) fn root(&self) -> Place<'_> {
        Place::root(&self.raw)
    }

    /// The component schema called `name`, as a place.
    pub(crate) fn schema_place(&self, name: &str) -> Option<Place<'_>> {
        self.root().child("components")?.child("schemas")?.child(name)
    }

    /// The components of one kind (`schemas`, `parameters`, `responses`, …) in document order.
    pub(crate) fn component_places(&self, kind: &str) -> Vec<(&str, Place<'_>)> {
        let components = self
            .root()
            .child("components")
            .and_then(|components| components.child(kind));
        components
            .map(|components| components.members())
            .unwrap_or_default()
    }

    /// Follows the chain of references that begins at `place` to its end.
    fn follow(&self, place: &Place<'_>) -> Result<(), Error> {
        let (mut value, mut steps) = (place.value(), 0);
        while let Some(reference) = value.get("$ref") {
            let found = target(value).and_then(|pointer| pointer.find(&self.raw));
            value = found.ok_or_else(|| place.error(nowhere(reference)))?;
            steps += 1;
            if steps > MAX_STEPS {
                return Err(place.error(format!("the reference {reference} leads back to itself")));
            }
        }
        Ok(())
    }

    /// What a schema is besides null, if it is written `anyOf: [that, null]`: the one way to say that a reference may be
    /// null, because `nullable` beside a reference does not reach through it (OpenAPI 3.0.3).
    pub fn or_null<'d>(&self, schema: &'d Value) -> Option<&'d Value> {
        self.or_null_in(schema.as_object()?)
    }

    /// The same, of a schema's members.
    pub fn or_null_in<'d>(&self, schema: &'d serde_json::Map<String, Value>) -> Option<&'d Value> {
        reference::or_null(&self.raw, schema)
    }

    /// Makes sure that what a schema comes down to is found in a bounded number of steps.
    fn settles(&self, schema: &Place<'_>) -> Result<(), Error> {
        self.expand(schema, &mut Vec::new(), &mut 0)
    }

    /// Visits the schemas that a schema consists of by `$ref`, `allOf` and "or null". `above` are those that contain it,
    /// `parts` counts all of them.
    fn expand(&self, schema: &Place<'_>, above: &mut Vec<Pointer>, parts: &mut usize) -> Result<(), Error> {
        // A reference may lead into an example, whose own references nobody has looked at.
        self.follow(schema)?;
        let schema = schema.target();
        if above.contains(schema.at()) {
            return Err(schema.error("this schema contains itself through `allOf` or `anyOf`"));
        }
        *parts += 1;
        if *parts > MAX_PARTS {
            return Err(schema.error(format!(
                "this schema is part of one with more than {MAX_PARTS} parts"
            )));
        }
        above.push(schema.at().clone());
        let all = schema.child("allOf").map(|parts| parts.elements());
        for part in all.unwrap_or_default().iter().chain(schema.or_null().as_ref()) {
            self.expand(part, above, parts)?;
        }
        above.pop();
        Ok(())
    }
}

fn nowhere(reference: &Value) -> String {
    match reference.as_str() {
        Some(text) if !text.starts_with('#') => {
            format!(
                "the reference {reference} leads out of this file; bundle the files of the document into one"
            )
        }
        _ => format!("the reference {reference} leads nowhere"),
    }
}

/// The only schema of an `allOf` that has just one.
fn wrapped(schema: &Value) -> Option<&Value> {
    match schema.get("allOf")?.as_array()?.as_slice() {
        [only] if schema.get("properties").is_none() => Some(only),
        _ => None,
    }
}
