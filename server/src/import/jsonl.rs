//! JSON lines → entries: one object per line, with the members of `column`.

use std::fmt;
use std::io::BufRead;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::column::{self, Field, METADATA, ORG};
use super::lines::{Line, Lines};
use super::row::Row;
use super::{Entry, Kind, MAX_LINE, Membership, Options, Person, PresentColumns, Refusal, check, number};

/// Reads a file of JSON lines.
pub(super) struct Jsonl<R> {
    lines: Lines<R>,
    options: Options,
    present: PresentColumns,
}

impl<R: BufRead> Jsonl<R> {
    pub(super) fn new(source: R, options: Options) -> Self {
        Self {
            lines: Lines::new(source),
            options,
            present: PresentColumns::default(),
        }
    }

    pub(super) fn present_columns(&self) -> &PresentColumns {
        &self.present
    }
}

impl<R: BufRead> Iterator for Jsonl<R> {
    type Item = Result<Entry, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (line, content) = self.lines.next()?;
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
            let mut row = Row::default();
            return Some(match fill(&mut row, &mut self.present, bytes) {
                Err(reason) => Err(Refusal::new(line, row.label(), reason)),
                Ok(()) => {
                    let label = row.label().to_owned();
                    entry(row, &self.options, line).map_err(|reason| Refusal::new(line, &label, reason))
                }
            });
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

fn fill(row: &mut Row, present: &mut PresentColumns, line: &[u8]) -> Result<(), String> {
    let line = std::str::from_utf8(line).map_err(|_| "is not UTF-8")?;
    let Value::Object(members) = strict(line)? else {
        return Err("is not a JSON object".to_owned());
    };
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
