//! Walks through two documents side by side and reports each difference once.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Change;
use super::direction::{Direction, Uses};
use super::judge::{self, Range};
use super::place::Place;
use super::reason::Reason;
use crate::reference::{is_null, target};
use crate::{Document, Pointer};

/// Keywords whose values are sets.
const SETS: [&str; 3] = ["enum", "required", "x-enum-varnames"];

struct Comparison<'d> {
    old: &'d Document,
    new: &'d Document,
    old_uses: Uses,
    new_uses: Uses,
    changes: Vec<Change>,
}

/// A parameter, and where it is.
struct Parameter {
    value: Value,
    at: Pointer,
}

pub(super) fn documents(old: &Document, new: &Document) -> Vec<Change> {
    let mut comparison = Comparison {
        old,
        new,
        old_uses: Uses::of(old),
        new_uses: Uses::of(new),
        changes: Vec::new(),
    };
    comparison.values(&Place::default(), old.raw(), new.raw());
    comparison.changes
}

impl Comparison<'_> {
    fn report(&mut self, place: &Place, difference: &str, reason: Reason) {
        let keys = place.keys();
        let by = reason.direction();
        let mut operations = self.old_uses.operations(&keys, by);
        for operation in self.new_uses.operations(&keys, by) {
            if !operations.contains(&operation) {
                operations.push(operation);
            }
        }
        self.changes.push(Change {
            element: place.element(),
            difference: place.inside(difference),
            reason,
            operations,
            at: place.at().clone(),
        });
    }

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
        match null_joined(self, old, new) {
            Some(Range::Wider) => {
                let reason = Reason::wider(self.direction(place), Reason::NullPossible);
                return self.report(place, "can be null now", reason);
            }
            Some(_) => {
                let reason = Reason::narrower(self.direction(place), Reason::RequestRefused);
                return self.report(place, "cannot be null any more", reason);
            }
            None => {}
        }
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => self.objects(place, old, new),
            (Value::Array(old), Value::Array(new)) if is_by_index(place, old, new) => {
                for (index, (old, new)) in old.iter().zip(new).enumerate() {
                    self.values(&place.child(&index.to_string()), old, new);
                }
            }
            _ => {
                let reason = self.reason_of_value(place, old, new);
                self.report(place, &format!("{} → {}", shown(old), shown(new)), reason);
            }
        }
    }

    fn reason_of_value(&self, place: &Place, old: &Value, new: &Value) -> Reason {
        let keys = place.keys();
        let key = keys.last().copied().unwrap_or_default();
        match judge::range(key, Some(old), Some(new)) {
            Some(range) if is_schema(&keys) => range.reason(self.direction(place)),
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
                (old, new) => self.sides(&child, key, old, new),
            }
        }
    }

    /// A part that one of the documents has, or both.
    fn sides(&mut self, place: &Place, key: &str, old: Option<&Value>, new: Option<&Value>) {
        match (old, new) {
            (Some(old), Some(new)) => self.values(place, old, new),
            (Some(part), None) => self.part(place, key, part, false),
            (None, Some(part)) => self.part(place, key, part, true),
            (None, None) => {}
        }
    }

    fn words(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let difference = match (old, new) {
            (None, _) => "is new",
            (_, None) => "is gone",
            _ => "has other words",
        };
        self.report(place, difference, Reason::ReadersOnly);
    }

    /// A part that only one of the documents has.
    fn part(&mut self, place: &Place, key: &str, part: &Value, is_added: bool) {
        let keys = place.keys();
        let sides = if is_added {
            (None, Some(part))
        } else {
            (Some(part), None)
        };
        let reason = match judge::range(key, sides.0, sides.1) {
            Some(range) if is_schema(&keys) && !is_name(&keys[..keys.len() - 1]) => {
                range.reason(self.direction(place))
            }
            _ => judge::presence(&keys, part, is_added, self.direction(place)),
        };
        let value = if part.is_object() || part.is_array() {
            String::new()
        } else {
            format!(" ({})", shown(part))
        };
        let verb = if is_added { "is new" } else { "is gone" };
        self.report(place, &format!("{verb}{value}"), reason);
    }

    /// Parameters are the same if they have the same name in the same part of the request, wherever they are written.
    fn parameters(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let (old_list, new_list) = (items(old), items(new));
        // A reference that both have is compared where it leads to.
        let is_shared = |parameter: &Value| {
            parameter.get("$ref").is_some() && old_list.contains(parameter) && new_list.contains(parameter)
        };
        let named = |document: &Document, list: &[Value]| {
            let items = list.iter().enumerate().filter(|(_, item)| !is_shared(item));
            let named = items.map(|(index, item)| {
                let value = document.resolve(item).clone();
                let part = |key: &str| value[key].as_str().unwrap_or_default();
                let name = format!("{} {}", part("in"), part("name"));
                let at = target(item).unwrap_or_else(|| place.at().child(&index.to_string()));
                (name, Parameter { value, at })
            });
            named.collect::<Vec<_>>()
        };
        let (old, new) = (named(self.old, old_list), named(self.new, new_list));
        let find = |list: &'_ [(String, Parameter)], name: &str| list.iter().position(|(own, _)| own == name);
        for (name, parameter) in &old {
            match find(&new, name) {
                Some(found) => {
                    let new = &new[found].1;
                    let child = place.moved(name, new.at.clone());
                    self.values(&child, &parameter.value, &new.value);
                }
                None => self.part(&place.child(name), name, &parameter.value, false),
            }
        }
        for (name, parameter) in new.iter().filter(|(name, _)| find(&old, name).is_none()) {
            self.part(
                &place.moved(name, parameter.at.clone()),
                name,
                &parameter.value,
                true,
            );
        }
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
            "required" => (
                Reason::narrower(direction, Reason::ParameterRequired),
                Reason::wider(direction, Reason::MemberOptional),
            ),
            "enum" => (Range::Wider.reason(direction), Range::Narrower.reason(direction)),
            _ => (Reason::Added, Reason::NamesChanged),
        };
        let join = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>().join(", ");
        let (added, removed) = (
            join(new.difference(&old).collect()),
            join(old.difference(&new).collect()),
        );
        if !added.is_empty() {
            self.report(place, &format!("has {added} now"), more);
        }
        if !removed.is_empty() {
            self.report(place, &format!("has no {removed} any more"), fewer);
        }
        if added.is_empty() && removed.is_empty() {
            self.report(place, "has another order", Reason::ReadersOnly);
        }
    }
}

/// Whether null was added to a schema or taken away from it: `anyOf` of the schema and null, the form that contracts use.
fn null_joined(comparison: &Comparison<'_>, old: &Value, new: &Value) -> Option<Range> {
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

/// The items of a list; none of anything else.
fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
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
        ["paths"]
        | ["components", _]
        | ["components"]
        | ["x-rules"]
        | ["x-open-points"]
        | ["x-clauses", ..] => true,
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
