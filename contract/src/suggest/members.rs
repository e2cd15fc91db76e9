//! The members of a record, those of its objects as well, and the search for one by a name.

use std::collections::HashSet;

use serde_json::Value;

use super::name::{joined, time_stem, words};
use crate::Pointer;
use crate::place::Place;

/// So deep are members looked for: `/timestamp/created_at` has the depth 2.
const DEPTH: usize = 3;
/// So many members of a record are looked at.
const MOST: usize = 1_000;

/// Ends of names of members that are strings and no texts.
const NO_TEXTS: [&str; 12] = [
    "id", "url", "uri", "href", "type", "status", "state", "kind", "token", "hash", "sha", "etag",
];

/// One member of a record.
#[derive(Clone, Debug)]
pub(super) struct Member<'d> {
    pub(super) at: Pointer,
    /// What its schema comes down to.
    pub(super) schema: &'d Value,
    /// Its name without separators, and that of its whole pointer.
    name: String,
    path: String,
    /// See [`time_stem`].
    stem: String,
    /// Whether its schema is one of several (`oneOf`, `anyOf`), as that of a reference that can be expanded.
    is_varied: bool,
}

/// The members of a record, those nearest to the top first.
#[derive(Clone, Debug)]
pub(super) struct Members<'d>(Vec<Member<'d>>);

/// Why a name leads to no member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotFound {
    /// There is none.
    Unknown,
    /// There are several.
    Ambiguous(String),
}

impl<'d> Members<'d> {
    pub(super) fn of(record: &Place<'d>) -> Self {
        let (mut found, mut known) = (Vec::new(), HashSet::new());
        let mut level = vec![(Pointer::root(), record.clone())];
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for (parent, object) in &level {
                for (key, property) in object.properties() {
                    if found.len() == MOST {
                        return Self(found);
                    }
                    let (at, schema) = (parent.child(key), property.underlying());
                    // Several parts of an `allOf` may have it.
                    if !known.insert(at.clone()) {
                        continue;
                    }
                    found.push(Member::new(at.clone(), key, schema.value()));
                    if found.last().is_some_and(Member::is_object) {
                        next.push((at, schema));
                    }
                }
            }
            level = next;
        }
        Self(found)
    }

    /// The members at the top of the record.
    pub(super) fn top(&self) -> impl Iterator<Item = &Member<'d>> {
        self.0.iter().filter(|member| member.at.segments().len() == 1)
    }

    /// The member that a name in words stands for.
    pub(super) fn named(&self, name: &[String]) -> Result<&Member<'d>, NotFound> {
        let name = name.concat();
        if name.is_empty() {
            return Err(NotFound::Unknown);
        }
        let is_called = |member: &&Member<'d>| member.name == name;
        self.pick(self.0.iter().filter(|member| member.path == name))
            .or_unknown(|| self.pick(self.0.iter().filter(is_called)))
            // `owner` for `owner_id` and for the object `owner` with an `id`.
            .or_unknown(|| self.pick(self.top().filter(|member| member.name == format!("{name}id"))))
    }

    /// The flag that a name in words stands for: `manager` and `has_manager` for `is_manager`.
    pub(super) fn flag(&self, name: &[String]) -> Option<&Member<'d>> {
        let bare = |name: &str| {
            name.strip_prefix("is")
                .or_else(|| name.strip_prefix("has"))
                .unwrap_or(name)
                .to_owned()
        };
        let name = bare(&name.concat());
        self.top()
            .find(|member| member.kind() == Some("boolean") && bare(&member.name) == name)
    }

    /// The timestamp that a name in words stands for.
    pub(super) fn timed(&self, name: &[String]) -> Result<&Member<'d>, NotFound> {
        let stem = time_stem(name);
        let times = || self.0.iter().filter(|member| member.is_time());
        self.pick(times().filter(|member| member.name == name.concat()))
            .or_unknown(|| match stem.is_empty() {
                true => Err(NotFound::Unknown),
                false => self.pick(times().filter(|member| member.stem == stem)),
            })
    }

    /// The only one of several members; that nearest to the top where only one is so near.
    fn pick<'m>(
        &'m self,
        mut candidates: impl Iterator<Item = &'m Member<'d>>,
    ) -> Result<&'m Member<'d>, NotFound> {
        let first = candidates.next().ok_or(NotFound::Unknown)?;
        match candidates.next() {
            Some(second) if second.depth() == first.depth() => {
                Err(NotFound::Ambiguous(format!("{} or {}", first.at, second.at)))
            }
            _ => Ok(first),
        }
    }

    /// The only member of an object that is neither object nor array, or its identifier.
    pub(super) fn within(&self, object: &Member<'d>) -> Option<&Member<'d>> {
        let below = |member: &&Member<'d>| {
            member.depth() == object.depth() + 1 && member.at.segments().starts_with(object.at.segments())
        };
        let id = self.0.iter().filter(below).find(|member| member.name == "id");
        let mut scalars = self.0.iter().filter(below).filter(|member| member.is_scalar());
        id.or_else(|| scalars.next().filter(|_| scalars.next().is_none()))
    }

    /// The timestamps.
    pub(super) fn times(&self) -> impl Iterator<Item = &Member<'d>> {
        self.0.iter().filter(|member| member.is_date_time())
    }

    /// The members with any text: no words, no identifier, no timestamp and no address, as far as schema and name say.
    pub(super) fn texts(&self) -> impl Iterator<Item = &Member<'d>> {
        self.0.iter().filter(|member| {
            let free = ["enum", "pattern", "format"]
                .iter()
                .all(|key| member.schema.get(*key).is_none());
            let is_named_text = !NO_TEXTS.iter().any(|end| member.name.ends_with(end));
            member.depth() <= 2
                && member.kind() == Some("string")
                && free
                && is_named_text
                && !member.is_time()
        })
    }
}

trait OrUnknown: Sized {
    /// Asks again where nothing was found.
    fn or_unknown(self, again: impl FnOnce() -> Self) -> Self;
}

impl<T> OrUnknown for Result<T, NotFound> {
    fn or_unknown(self, again: impl FnOnce() -> Self) -> Self {
        match self {
            Err(NotFound::Unknown) => again(),
            found => found,
        }
    }
}

impl<'d> Member<'d> {
    fn new(at: Pointer, key: &str, schema: &'d Value) -> Self {
        Self {
            name: joined(key),
            path: at.segments().iter().map(|segment| joined(segment)).collect(),
            stem: time_stem(&words(key)),
            is_varied: schema.get("oneOf").is_some() || schema.get("anyOf").is_some(),
            at,
            schema,
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.at.segments().len()
    }

    pub(super) fn kind(&self) -> Option<&'d str> {
        kind(self.schema)
    }

    pub(super) fn is_object(&self) -> bool {
        self.kind() == Some("object")
    }

    /// Whether it is a text, a number or a truth value; also where it can be expanded to an object.
    pub(super) fn is_scalar(&self) -> bool {
        self.is_varied || !matches!(self.kind(), None | Some("object" | "array"))
    }

    pub(super) fn is_date_time(&self) -> bool {
        self.schema
            .get("format")
            .is_some_and(|format| format == "date-time")
    }

    /// Whether it is a point in time in any form.
    fn is_time(&self) -> bool {
        let format = self.schema.get("format").and_then(Value::as_str);
        let told = matches!(format, Some("date-time" | "date" | "unix-time" | "timestamp"));
        told || ["at", "date", "time", "on"]
            .iter()
            .any(|end| self.name.ends_with(end))
            && self.is_scalar()
    }
}

/// The type of a schema besides null, or the one that it can only have.
pub(super) fn kind(schema: &Value) -> Option<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => Some(kind),
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null"),
        _ if schema.get("properties").is_some() || schema.get("allOf").is_some() => Some("object"),
        _ if schema.get("items").is_some() => Some("array"),
        _ => schema.get("enum").map(|_| "string"),
    }
}

/// The words of an enum, if the schema has one.
pub(super) fn enum_words(schema: &Value) -> Option<Vec<&str>> {
    let values = schema.get("enum")?.as_array()?;
    Some(values.iter().filter_map(Value::as_str).collect())
}
