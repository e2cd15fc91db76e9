//! JSON lines → entries: one object per line, with the members of `column`.

use std::collections::BTreeSet;
use std::fmt;
use std::io::BufRead;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::column::{self, Column, Field, METADATA, ORG};
use super::lines::{Line, Lines};
use super::mapping::{Source, Target};
use super::row::Row;
use super::{
    Entry, Kind, MAX_LINE, Membership, Options, PassedOver, Person, PresentColumns, Refusal, check, number,
};

/// Reads a file of JSON lines.
pub(super) struct Jsonl<R> {
    lines: Lines<R>,
    options: Options,
    present: PresentColumns,
    passed_over: PassedOver,
    /// The columns that a mapping has made so far.
    seen: BTreeSet<String>,
    /// Whether the file has a record.
    begun: bool,
    /// The last line that was read.
    last: u64,
}

impl<R: BufRead> Jsonl<R> {
    pub(super) fn new(source: R, options: Options) -> Self {
        Self {
            lines: Lines::new(source),
            options,
            present: PresentColumns::default(),
            passed_over: PassedOver::default(),
            seen: BTreeSet::new(),
            begun: false,
            last: 1,
        }
    }

    pub(super) fn present_columns(&self) -> &PresentColumns {
        &self.present
    }

    pub(super) fn passed_over(&self) -> &PassedOver {
        &self.passed_over
    }
}

impl<R: BufRead> Iterator for Jsonl<R> {
    type Item = Result<Entry, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((line, content)) = self.lines.next() else {
                let reason = std::mem::take(&mut self.begun).then(|| self.lacks()).flatten();
                return reason.map(|reason| Err(Refusal::fatal(self.last, "(file)", reason)));
            };
            self.last = line;
            let bytes = match content {
                Line::Bytes(bytes) if bytes.trim_ascii().is_empty() => continue,
                Line::Bytes(bytes) => bytes,
                Line::TooLong(_) => {
                    let reason = format!("the line is longer than {MAX_LINE} bytes");
                    return Some(Err(Refusal::new(line, "(line)", reason)));
                }
                Line::Broken(error) => {
                    return Some(Err(Refusal::fatal(
                        line,
                        "(line)",
                        format!("can't be read: {error}"),
                    )));
                }
            };
            self.begun = true;
            let mut row = Row::default();
            let members = members(bytes).and_then(|members| self.mapped(members, &mut row, line));
            return Some(
                match members.and_then(|members| fill(&mut row, &mut self.present, members)) {
                    Err(reason) => Err(Refusal::new(line, row.label(), reason)),
                    Ok(()) => {
                        let label = row.label().to_owned();
                        entry(row, &self.options, line).map_err(|reason| Refusal::new(line, &label, reason))
                    }
                },
            );
        }
    }
}

fn entry(row: Row, options: &Options, line: u64) -> Result<Entry, String> {
    let person: Person = row.person(options)?;
    Ok(Entry {
        line,
        kind: Kind::Person(Box::new(person)),
    })
}

fn members(line: &[u8]) -> Result<Map<String, Value>, String> {
    let line = std::str::from_utf8(line).map_err(|_| "is not UTF-8")?;
    match strict(line)? {
        Value::Object(members) => Ok(members),
        _ => Err("is not a JSON object".to_owned()),
    }
}

impl<R> Jsonl<R> {
    /// The members of an import that a mapping makes of those of an object. Members that are not read are counted.
    fn mapped(
        &mut self,
        given: Map<String, Value>,
        row: &mut Row,
        line: u64,
    ) -> Result<Map<String, Value>, String> {
        let mapping = &self.options.mapping;
        if mapping.is_empty() {
            return Ok(given);
        }
        let (mut members, mut seen) = (Map::new(), BTreeSet::new());
        let mut within = [ORG, METADATA].map(|name| (name, Map::new()));
        for (name, value) in given {
            let field = Field::named(&name);
            let source = match mapping.target(&name) {
                None if field.is_some()
                    || matches!(name.as_str(), ORG | METADATA)
                    || !mapping.ignores_others() =>
                {
                    let name = field.map_or(name, |field| field.name().to_owned());
                    if !seen.insert(name.clone()) {
                        return Err(format!("{} is given twice", check::label(&name)));
                    }
                    members.insert(name, value);
                    continue;
                }
                None | Some(Target::Ignored) => {
                    self.passed_over.attributes.add(&check::label(&name), line);
                    continue;
                }
                Some(Target::Read(source)) => source,
            };
            let column = source.column.to_string();
            if !self.seen.contains(&column) {
                self.present.add(&source.column);
                self.seen.insert(column.clone());
            }
            if seen.contains(&column) {
                return Err(format!("{}: {column} is given twice", check::label(&name)));
            }
            seen.insert(column);
            let value = meant(source, value)?;
            match &source.column {
                _ if value.is_null() => {}
                Column::Field(field) => drop(members.insert(field.name().to_owned(), value)),
                Column::Org(dimension) => drop(within[0].1.insert(dimension.clone(), value)),
                Column::Metadata(key) | Column::MetadataJson(key) => {
                    drop(within[1].1.insert(key.clone(), value))
                }
                Column::Account(attribute) => {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    row.account.push((attribute.clone(), text));
                }
            }
        }
        for source in mapping.needed().filter(|source| source.needs_value()) {
            if !seen.contains(&source.column.to_string()) {
                members.insert(source.column.to_string(), source.value("")?.into());
            }
        }
        for (name, more) in within.into_iter().filter(|(_, more)| !more.is_empty()) {
            match members.entry(name).or_insert_with(|| Value::Object(Map::new())) {
                Value::Object(known) => {
                    if let Some(twice) = more.keys().find(|key| known.contains_key(*key)) {
                        return Err(format!("{name}.{} is given twice", check::label(twice)));
                    }
                    known.extend(more);
                }
                _ => return Err(format!("{name}: is not an object")),
            }
        }
        Ok(members)
    }

    /// What is wrong with the file as a whole: it never has what the mapping reads as the standing of an account.
    fn lacks(&self) -> Option<String> {
        let mut needed = self.options.mapping.needed();
        let missing = needed.find(|source| !self.seen.contains(&source.column.to_string()))?;
        Some(format!(
            "the mapping reads {} from a member that no record has",
            missing.column
        ))
    }
}

/// What a value means by a mapping; `true` and numbers are texts to a field.
fn meant(source: &Source, value: Value) -> Result<Value, String> {
    let is_field = matches!(source.column, Column::Field(_));
    Ok(match value {
        Value::String(text) => source.value(&text)?.into(),
        Value::Null if source.needs_value() => source.value("")?.into(),
        Value::Bool(_) | Value::Number(_) if is_field => source.value(&value.to_string())?.into(),
        other => other,
    })
}

fn fill(row: &mut Row, present: &mut PresentColumns, members: Map<String, Value>) -> Result<(), String> {
    let both = members.contains_key("id") && members.contains_key("key");
    // Fields first, so that a refusal has its label whatever is wrong further on.
    let (fields, others): (Vec<_>, Vec<_>) = members
        .into_iter()
        .partition(|(name, _)| Field::named(name).is_some());
    for (name, value) in fields {
        Field::named(&name)
            .into_iter()
            .for_each(|field| present.field(field));
        match (Field::named(&name), value) {
            (Some(field), Value::String(text)) => row.set(field, text),
            (_, Value::Null) => {}
            _ => return Err(format!("{name}: is not a text")),
        }
    }
    if both {
        return Err("id and key are the same member; give one".to_owned());
    }
    for (name, value) in others {
        match (name.as_str(), value) {
            (ORG | METADATA, Value::Null) => {}
            (ORG, Value::Object(dimensions)) => {
                dimensions.keys().for_each(|handle| present.dimension(handle));
                row.attributes = memberships(dimensions)?;
            }
            (METADATA, Value::Object(metadata)) => {
                metadata.keys().for_each(|key| present.metadata(key));
                row.metadata = metadata;
            }
            (ORG | METADATA, _) => return Err(format!("{name}: is not an object")),
            _ => {
                let allowed = Field::ALL.into_iter().map(Field::name).chain([ORG, METADATA]);
                return Err(check::unknown("member", &name, allowed));
            }
        }
    }
    Ok(())
}

fn memberships(dimensions: Map<String, Value>) -> Result<Vec<Membership>, String> {
    let mut memberships = Vec::new();
    for (dimension, names) in dimensions {
        column::dimension(&dimension)?;
        let attribute = format!("{ORG}.{dimension}");
        let names = match names {
            Value::Null => Vec::new(),
            Value::Array(names) => names,
            name => vec![name],
        };
        for name in names {
            let Value::String(name) = name else {
                return Err(format!("{attribute}: is neither a name nor a list of names"));
            };
            let name =
                check::name(&attribute, &name)?.ok_or_else(|| format!("{attribute}: has an empty name"))?;
            memberships.push(Membership {
                dimension: dimension.clone(),
                name,
            });
        }
    }
    Ok(memberships)
}

/// JSON in which no object has a member twice; serde_json alone would keep the last one in silence.
pub(super) fn strict(text: &str) -> Result<Value, String> {
    match serde_json::from_str::<Strict>(text) {
        Ok(Strict(value)) => match number::altered(text) {
            None => Ok(value),
            Some(number) => Err(format!(
                "the number {} cannot be kept to its last digit; write it as a text",
                check::label(number)
            )),
        },
        Err(error) => {
            let column = error.column();
            let reason = error.to_string();
            let reason = reason
                .rsplit_once(" at line ")
                .map_or(reason.as_str(), |(reason, _)| reason);
            Err(format!(
                "column {column}: is not JSON as expected: {}",
                check::label(reason)
            ))
        }
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whole).map(Strict)
    }
}

struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some((name, Strict(value))) = map.next_entry::<String, Strict>()? {
            if members.contains_key(&name) {
                return Err(A::Error::custom(format_args!("member {name:?} comes twice")));
            }
            members.insert(name, value);
        }
        Ok(members.into())
    }
}
