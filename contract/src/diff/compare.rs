//! Walks through two documents side by side and reports each difference once.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Effect;
use super::direction::{Direction, Uses};
use super::judge::{self, Range};
use super::place::Place;
use crate::Document;
use crate::document::is_null;

/// Keywords whose values are sets.
const SETS: [&str; 3] = ["enum", "required", "x-enum-varnames"];

type Report<'r> = dyn FnMut(&Place, String, Effect) + 'r;

struct Comparison<'d, 'r> {
    old: &'d Document,
    new: &'d Document,
    old_uses: Uses,
    new_uses: Uses,
    report: &'r mut Report<'r>,
}

pub(super) fn documents(old: &Document, new: &Document, report: &mut Report<'_>) {
    let mut comparison = Comparison {
        old,
        new,
        old_uses: Uses::of(old),
        new_uses: Uses::of(new),
        report,
    };
    comparison.values(&Place::default(), old.raw(), new.raw());
}

impl Comparison<'_, '_> {
    fn direction(&self, place: &Place) -> Direction {
        let keys = place.keys();
        let (old, new) = (self.old_uses.direction(&keys), self.new_uses.direction(&keys));
        Direction {
            is_sent: old.is_sent || new.is_sent,
            is_received: old.is_received || new.is_received,
        }
    }

    fn values(&mut self, place: &Place, old: &Value, new: &Value) {
        if old == new {
            return;
        }
        if let Some(range) = null_joined(self, old, new) {
            let effect = range.effect(self.direction(place));
            let difference = if range == Range::Wider {
                "can be null now"
            } else {
                "cannot be null any more"
            };
            return (self.report)(place, difference.to_owned(), effect);
        }
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => self.objects(place, old, new),
            (Value::Array(old), Value::Array(new)) if is_by_index(place, old, new) => {
                for (index, (old, new)) in old.iter().zip(new).enumerate() {
                    self.values(&place.child(&index.to_string()), old, new);
                }
            }
            _ => {
                let effect = self.effect_of_value(place, old, new);
                (self.report)(place, format!("{} → {}", shown(old), shown(new)), effect);
            }
        }
    }

    fn effect_of_value(&self, place: &Place, old: &Value, new: &Value) -> Effect {
        let keys = place.keys();
        let key = keys.last().copied().unwrap_or_default();
        match judge::range(key, Some(old), Some(new)) {
            Some(range) if is_schema(&keys) => range.effect(self.direction(place)),
            _ => judge::value(&keys, new),
        }
    }

    fn objects(&mut self, place: &Place, old: &Map<String, Value>, new: &Map<String, Value>) {
        let names: Vec<&String> = old
            .keys()
            .chain(new.keys().filter(|key| !old.contains_key(*key)))
            .collect();
        for key in names {
            let child = place.child(key);
            // At the top, `x-rules` is the table that elements refer to.
            let is_name = match place.keys().as_slice() {
                [] => true,
                ["components"] => key.as_str() != "examples",
                keys => is_name(keys),
            };
            match (old.get(key), new.get(key)) {
                (old, new) if old == new => {}
                (old, new) if judge::is_words(key) && !is_name => self.words(&child, old, new),
                (old, new) if key == "parameters" && !is_name => self.parameters(&child, old, new),
                (old, new) if SETS.contains(&key.as_str()) && !is_name && is_set(old, new) => {
                    self.sets(&child, key, old, new)
                }
                (Some(old), Some(new)) => self.values(&child, old, new),
                (Some(part), None) => self.part(&child, key, part, false),
                (None, Some(part)) => self.part(&child, key, part, true),
                (None, None) => {}
            }
        }
    }

    fn words(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let difference = match (old, new) {
            (None, _) => "is new",
            (_, None) => "is gone",
            _ => "has other words",
        };
        (self.report)(place, difference.to_owned(), Effect::Words);
    }

    /// A part that only one of the documents has.
    fn part(&mut self, place: &Place, key: &str, part: &Value, is_added: bool) {
        let keys = place.keys();
        let sides = if is_added {
            (None, Some(part))
        } else {
            (Some(part), None)
        };
        let effect = match judge::range(key, sides.0, sides.1) {
            Some(range) if is_schema(&keys) && !is_name(&keys[..keys.len() - 1]) => {
                range.effect(self.direction(place))
            }
            _ => judge::presence(&keys, part, is_added, self.direction(place)),
        };
        let value = if part.is_object() || part.is_array() {
            String::new()
        } else {
            format!(" ({})", shown(part))
        };
        let verb = if is_added { "is new" } else { "is gone" };
        (self.report)(place, format!("{verb}{value}"), effect);
    }

    /// Parameters are the same if they have the same name in the same part of the request, wherever they are written.
    fn parameters(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let named = |document: &Document, list: Option<&Value>, other: Option<&Value>| {
            let list = list.and_then(Value::as_array).into_iter().flatten();
            // A reference that both have is compared where it leads to.
            let is_shared = |parameter: &Value| {
                let others = other.and_then(Value::as_array);
                parameter.get("$ref").is_some() && others.is_some_and(|others| others.contains(parameter))
            };
            let named = list.filter(|parameter| !is_shared(parameter)).map(|parameter| {
                let parameter = document.resolve(parameter).clone();
                let part = |key: &str| parameter[key].as_str().unwrap_or_default().to_owned();
                (format!("{} {}", part("in"), part("name")), parameter)
            });
            named.collect::<Map<_, _>>()
        };
        let (old, new) = (named(self.old, old, new), named(self.new, new, old));
        self.objects(place, &old, &new);
    }

    fn sets(&mut self, place: &Place, key: &str, old: Option<&Value>, new: Option<&Value>) {
        let members = |value: Option<&Value>| -> BTreeSet<String> {
            value
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(shown)
                .collect()
        };
        let (old, new) = (members(old), members(new));
        let direction = self.direction(place);
        // More values of an enum are a wider schema; more required members are a narrower one.
        let (more, fewer) = match key {
            "required" => (Range::Narrower.effect(direction), Range::Wider.effect(direction)),
            "enum" => (Range::Wider.effect(direction), Range::Narrower.effect(direction)),
            _ => (Effect::Compatible, Effect::Breaking),
        };
        let join = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>().join(", ");
        let (added, removed) = (
            join(new.difference(&old).collect()),
            join(old.difference(&new).collect()),
        );
        if !added.is_empty() {
            (self.report)(place, format!("has {added} now"), more);
        }
        if !removed.is_empty() {
            (self.report)(place, format!("has no {removed} any more"), fewer);
        }
        if added.is_empty() && removed.is_empty() {
            (self.report)(place, "has another order".to_owned(), Effect::Words);
        }
    }
}

/// Whether null was added to a schema or taken away from it: `anyOf` of the schema and null, the form that contracts use.
fn null_joined(comparison: &Comparison<'_, '_>, old: &Value, new: &Value) -> Option<Range> {
    let besides_null = |document: &Document, joined: &Value, plain: &Value| {
        let [one, null] = joined.get("anyOf")?.as_array()?.as_slice() else {
            return None;
        };
        let only = |value: &Value| value.get("allOf").and_then(|all| all.get(0)).cloned();
        let plain = only(plain).unwrap_or_else(|| plain.clone());
        (is_null(document.resolve(null)) && *one == plain).then_some(())
    };
    let wider = besides_null(comparison.new, new, old).map(|()| Range::Wider);
    wider.or_else(|| besides_null(comparison.old, old, new).map(|()| Range::Narrower))
}

/// Whether both sides are lists, or missing.
fn is_set(old: Option<&Value>, new: Option<&Value>) -> bool {
    [old, new]
        .into_iter()
        .all(|side| side.is_some_and(Value::is_array))
}

/// Whether the items of two arrays are compared one by one.
fn is_by_index(place: &Place, old: &[Value], new: &[Value]) -> bool {
    let is_structure = old.iter().chain(new).all(|item| item.is_object());
    old.len() == new.len() && is_structure && !place.keys().is_empty()
}

/// Whether a place is in a schema.
fn is_schema(keys: &[&str]) -> bool {
    keys.starts_with(&["components", "schemas"]) || keys.contains(&"schema")
}

/// Whether the keys below a place are names that somebody chose, and no keywords.
fn is_name(keys: &[&str]) -> bool {
    match keys {
        ["paths"] | ["components", _] | ["components"] | ["x-rules"] | ["x-open-points"] => true,
        ["paths", _, _, "responses" | "parameters"] => true,
        [.., "x-list", "relations"] | [.., "sort", "fields"] | ["x-open-points", _, "accepts"] => true,
        [.., before, "properties" | "headers" | "content"] => *before != "properties",
        _ => false,
    }
}

/// A value in a sentence.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
