//! A value together with where it stands, so that whatever is said about it names the place.

use serde::Deserialize;
use serde_json::Value;

use crate::reference::{self, target};
use crate::{Error, Pointer};

/// Members whose content is data of the API or of another vocabulary, where nothing of ours is to be looked for.
const OPAQUE: [&str; 4] = ["example", "examples", "default", "enum"];

/// A value of the document and its pointer.
#[derive(Clone)]
pub(crate) struct Place<'d> {
    document: &'d Value,
    value: &'d Value,
    at: Pointer,
}

impl<'d> Place<'d> {
    /// The whole document.
    pub(crate) fn root(document: &'d Value) -> Self {
        Self {
            document,
            value: document,
            at: Pointer::root(),
        }
    }

    pub(crate) fn value(&self) -> &'d Value {
        self.value
    }

    pub(crate) fn at(&self) -> &Pointer {
        &self.at
    }

    /// The member called `key`, if this is an object that has it.
    pub(crate) fn child(&self, key: &str) -> Option<Self> {
        let value = self.value.as_object()?.get(key)?;
        Some(Self {
            value,
            at: self.at.child(key),
            ..*self
        })
    }

    /// The member called `key`, which has to be there.
    pub(crate) fn need(&self, key: &str) -> Result<Self, Error> {
        self.child(key)
            .ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    /// The members of an object in document order; none of anything else.
    pub(crate) fn members(&self) -> Vec<(&'d str, Self)> {
        let members = self.value.as_object().into_iter().flatten();
        members
            .map(|(key, value)| {
                (
                    key.as_str(),
                    Self {
                        value,
                        at: self.at.child(key),
                        ..*self
                    },
                )
            })
            .collect()
    }

    /// The members of what has to be an object, in document order.
    pub(crate) fn entries(&self) -> Result<Vec<(&'d str, Self)>, Error> {
        if self.value.is_object() {
            Ok(self.members())
        } else {
            Err(self.error("expected a mapping"))
        }
    }

    /// The elements of an array; none of anything else.
    pub(crate) fn elements(&self) -> Vec<Self> {
        let items = self.value.as_array().into_iter().flatten().enumerate();
        items
            .map(|(i, value)| Self {
                value,
                at: self.at.child(&i.to_string()),
                ..*self
            })
            .collect()
    }

    /// Where the `$ref` here leads, or this place itself.
    pub(crate) fn target(&self) -> Self {
        let target = target(self.value).and_then(|at| {
            Some(Self {
                value: at.find(self.document)?,
                at,
                ..*self
            })
        });
        target.map_or_else(|| self.clone(), |place| place.target())
    }

    /// The schema that this schema comes down to: see [`Document::underlying`](crate::Document::underlying).
    pub(crate) fn underlying(&self) -> Self {
        let schema = self.target();
        match schema.child("allOf").map(|parts| parts.elements()).as_deref() {
            Some([only]) if schema.child("properties").is_none() => return only.underlying(),
            _ => {}
        }
        match schema.or_null() {
            Some(one) => one.underlying(),
            None => schema,
        }
    }

    /// What a schema is besides null: see [`Document::or_null`](crate::Document::or_null).
    pub(crate) fn or_null(&self) -> Option<Self> {
        reference::or_null(self.document, self.value.as_object()?)?;
        self.child("anyOf")?.elements().into_iter().next()
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Result<&'d str, Error> {
        self.value.as_str().ok_or_else(|| self.error("expected a string"))
    }

    /// The text of the member `key`, which may be absent.
    pub(crate) fn optional_text(&self, key: &str) -> Result<Option<&'d str>, Error> {
        self.child(key).map(|place| place.text()).transpose()
    }

    /// The member `key` read into a type; an error names the member.
    pub(crate) fn typed<T: Deserialize<'d>>(&self, key: &str) -> Result<Option<T>, Error> {
        let Some(member) = self.child(key) else {
            return Ok(None);
        };
        T::deserialize(member.value)
            .map(Some)
            .map_err(|error| member.error(error.to_string()))
    }

    /// An error at this place.
    pub(crate) fn error(&self, says: impl Into<String>) -> Error {
        Error::At {
            at: self.at.clone(),
            says: says.into(),
        }
    }

    /// The schemas that a schema is written with, without following references.
    pub(crate) fn subschemas(&self) -> Vec<Self> {
        let named = self
            .child("properties")
            .map(|properties| properties.members())
            .unwrap_or_default();
        let mut schemas: Vec<_> = named.into_iter().map(|(_, schema)| schema).collect();
        let single = ["items", "additionalProperties", "not"]
            .into_iter()
            .filter_map(|key| self.child(key));
        schemas.extend(single.filter(|schema| schema.value.is_object()));
        for list in ["allOf", "anyOf", "oneOf"]
            .into_iter()
            .filter_map(|key| self.child(key))
        {
            schemas.extend(list.elements());
        }
        schemas
    }

    /// Whether the member `key` is `true`.
    pub(crate) fn says(&self, key: &str) -> bool {
        self.value.get(key) == Some(&Value::Bool(true))
    }

    /// The properties of a schema in document order, through `$ref`, `allOf` and "or null".
    pub(crate) fn properties(&self) -> Vec<(&'d str, Self)> {
        let schema = self.target();
        if let Some(one) = schema.or_null() {
            return one.properties();
        }
        let mut properties = schema
            .child("properties")
            .map(|own| own.members())
            .unwrap_or_default();
        for part in schema
            .child("allOf")
            .map(|parts| parts.elements())
            .unwrap_or_default()
        {
            properties.extend(part.properties());
        }
        properties
    }

    /// Adds the names of the properties of a schema that are not there yet, those of `allOf` first.
    pub(crate) fn collect_member_names(&self, names: &mut Vec<&'d str>) {
        let schema = self.target();
        if let Some(one) = schema.or_null() {
            return one.collect_member_names(names);
        }
        let parts = schema.child("allOf").map(|parts| parts.elements());
        for part in parts.unwrap_or_default() {
            part.collect_member_names(names);
        }
        let own = schema.child("properties").map(|own| own.members());
        for (name, _) in own.unwrap_or_default() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }

    /// The property of a schema called `name`, through `$ref` and `allOf`.
    pub(crate) fn property(&self, name: &str) -> Option<Self> {
        self.properties()
            .into_iter()
            .find_map(|(property, place)| (property == name).then_some(place))
    }

    /// The schema of the member at `pointer` of the records that this schema describes.
    pub(crate) fn member(&self, pointer: &Pointer) -> Option<Self> {
        pointer
            .segments()
            .iter()
            .try_fold(self.clone(), |schema, name| schema.property(name))
    }

    /// Visits every object of the document from here on, in document order, examples and the like left out.
    pub(crate) fn walk<E>(&self, visit: &mut impl FnMut(&Self) -> Result<(), E>) -> Result<(), E> {
        self.descend(false, visit)
    }

    /// `names` says that the keys here are names somebody gave, not keywords: a property may well be called `example`.
    fn descend<E>(&self, names: bool, visit: &mut impl FnMut(&Self) -> Result<(), E>) -> Result<(), E> {
        if self.value.is_object() && !names {
            visit(self)?;
        }
        for (key, member) in self.members() {
            if names || !OPAQUE.contains(&key) {
                member.descend(!names && key == "properties", visit)?;
            }
        }
        self.elements()
            .iter()
            .try_for_each(|element| element.descend(false, visit))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::Document;

    #[test]
    fn a_place_comes_down_to_the_schema_that_the_document_says() {
        let schemas = json!({
            "Text": {"type": "string"},
            "Refers": {"$ref": "#/components/schemas/Text"},
            "Wraps": {"allOf": [{"$ref": "#/components/schemas/Text"}], "description": "Also."},
            "Adds": {"allOf": [{"$ref": "#/components/schemas/Text"}], "properties": {"a": {}}},
            "Joins": {"allOf": [{"$ref": "#/components/schemas/Text"}, {}]},
            "Perhaps": {"anyOf": [{"$ref": "#/components/schemas/Wraps"}, {"type": "null"}]},
            "Either": {"anyOf": [{"$ref": "#/components/schemas/Text"}, {"type": "integer"}]},
        });
        let document = Document::of(json!({"components": {"schemas": schemas}})).unwrap();
        for (name, down_to) in [
            ("Text", "Text"),
            ("Refers", "Text"),
            ("Wraps", "Text"),
            ("Adds", "Adds"),
            ("Joins", "Joins"),
            ("Perhaps", "Text"),
            ("Either", "Either"),
        ] {
            let found = document.schema_place(name).unwrap().underlying();
            assert_eq!(
                found.at().to_string(),
                format!("/components/schemas/{down_to}"),
                "{name}"
            );
            assert_eq!(found.value(), document.underlying(&schemas[name]), "{name}");
        }
    }

    #[test]
    fn the_schemas_that_a_schema_is_written_with_are_found_where_keywords_have_them() {
        let schema = json!({
            "properties": {"a": {"title": "a"}, "items": {"title": "b"}},
            "items": {"title": "c"},
            "additionalProperties": {"title": "d"},
            "not": {"title": "e"},
            "allOf": [{"title": "f"}],
            "anyOf": [{"title": "g"}, {"title": "h"}],
            "oneOf": [{"title": "i"}],
            "example": {"title": "j"},
        });
        let document = Document::of(
            json!({"components": {"schemas": {"A": schema, "B": {"additionalProperties": false}}}}),
        );
        let document = document.unwrap();
        let titles = |name: &str| -> String {
            let parts = document.schema_place(name).unwrap().subschemas();
            parts
                .iter()
                .map(|part| part.value()["title"].as_str().unwrap_or("?"))
                .collect()
        };
        assert_eq!((titles("A").as_str(), titles("B").as_str()), ("abcdefghi", ""));
    }
}
