//! §2: the shape of records, from the schemas of the contract. Each violation of a schema belongs to the check that its
//! place in the record belongs to.

use std::collections::BTreeMap;

use jsonschema::{ValidationError, Validator};
use rollcall_contract::{Contract, Form, Pointer};
use serde_json::Value;

use super::Looking;
use crate::context::Context;
use crate::corpus::{Surveyed, View};
use crate::exchange::shortened;
use crate::finding::Finding;
use crate::outcome::Tally;

/// The part of a record that a violation lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any member that is none of the following.
    Member,
    /// A value from a closed list.
    Enumerated,
    /// A string with a pattern.
    Identifier,
    /// A timestamp, or the object of them.
    Timestamp,
    /// A count, or the object of them.
    Count,
    /// A link, or the object of them.
    Link,
    /// An object without given members.
    FreeForm,
}

/// A report shows this many places; the rest is a number.
const PLACES: usize = 8;

pub(super) fn check(context: &mut Context, kind: Kind) -> Looking<'_> {
    Box::pin(async move {
        let mut tally = Tally::default();
        for list in &context.corpus.lists {
            if !list.offered {
                tally.absent(list.subject.name());
                continue;
            }
            match list.fullest().filter(|view| !view.is_empty()) {
                None => tally.gap(format!("a record in {}", list.subject.name())),
                Some(view) => judge(context, list, view, kind, &mut tally),
            }
        }
        Ok(tally)
    })
}

fn judge(context: &Context, list: &Surveyed, view: &View, kind: Kind, tally: &mut Tally) {
    let contract = &context.contract;
    let record = &list.subject.list.record;
    let validator = contract
        .document()
        .json_schema(record, Form::Judging)
        .and_then(|schema| jsonschema::validator_for(&schema).ok());
    let Some(validator) = validator else {
        tally.gap(format!("a schema for {record} that a validator understands"));
        return;
    };
    let Some(reading) = view.listed.reading() else {
        return;
    };
    let described = is_described(contract, record);
    // One finding for each place, however many records are wrong there.
    let mut places: BTreeMap<String, (usize, String, usize)> = BTreeMap::new();
    let mut judged = 0;
    for (index, value) in reading.records.iter().enumerate() {
        judged += usize::from(kind == Kind::Member || described && concerns(contract, record, value, kind));
        for (place, why) in violations(contract, record, &validator, value, kind, described) {
            places.entry(place).or_insert((0, why, index)).0 += 1;
        }
    }
    let more = places.len().saturating_sub(PLACES);
    for (place, (count, why, index)) in places.into_iter().take(PLACES) {
        let id = reading.records[index]["id"].as_str().unwrap_or("(no id)");
        let page = &reading.pages[reading.page_of[index]];
        let others = if count > 1 {
            format!(", and {} others", count - 1)
        } else {
            String::new()
        };
        let elsewhere = if more > 0 {
            format!(" ({more} further places)")
        } else {
            String::new()
        };
        let mut evidence = page.evidence(&context.target.config().base_url);
        evidence.body = shortened(&reading.records[index].to_string(), 400);
        tally.finding(Finding {
            about: format!(
                "{} {}",
                list.subject.name(),
                if place.is_empty() { "(the record)" } else { &place }
            ),
            clause: clause(contract, record),
            expected: "what the table of the record says".to_owned(),
            actual: format!("{why} (record {id}{others}){elsewhere}"),
            evidence: vec![evidence],
        });
    }
    tally.cases(judged);
}

/// Where a record is wrong in the way of one kind, and how.
fn violations(
    contract: &Contract,
    record: &str,
    validator: &Validator,
    value: &Value,
    kind: Kind,
    described: bool,
) -> Vec<(String, String)> {
    let mut found: Vec<_> = validator
        .iter_errors(value)
        .filter(|error| kind_of(contract, record, &place(error)) == kind)
        .map(|error| (general(&place(&error)), shortened(&error.to_string(), 200)))
        .collect();
    if kind == Kind::Timestamp && described && found.is_empty() {
        found.extend(timestamps(contract, record, value).filter_map(|(place, text)| {
            let moment = text.parse::<jiff::Timestamp>();
            moment
                .is_err()
                .then(|| (place.to_string(), format!("{text:?} is no moment that ever was")))
        }));
    }
    found
}

fn place(error: &ValidationError<'_>) -> Pointer {
    error.instance_path().to_string().parse().unwrap_or_default()
}

/// The place without the indices of arrays, so that a fault in all elements is one.
fn general(place: &Pointer) -> String {
    let index = |name: &&String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    place
        .segments()
        .iter()
        .map(|name| {
            if index(&name) {
                "/*".to_owned()
            } else {
                format!("/{name}")
            }
        })
        .collect()
}

/// The kind that a place in a record is of: by the object it stands in, else by its schema.
fn kind_of(contract: &Contract, record: &str, place: &Pointer) -> Kind {
    let Some(first) = place.segments().first() else {
        return Kind::Member;
    };
    match first.as_str() {
        "timestamp" => return Kind::Timestamp,
        "count" => return Kind::Count,
        "links" => return Kind::Link,
        "included" => return Kind::Member,
        _ => {}
    }
    let Some(schema) = contract.member_schema(record, &Pointer::of([first.as_str()])) else {
        return Kind::Member;
    };
    let schema = contract.document().underlying(schema);
    if schema.get("enum").is_some() {
        Kind::Enumerated
    } else if schema.get("pattern").is_some() {
        Kind::Identifier
    } else if schema["type"] == "object" && schema.get("properties").is_none() {
        Kind::FreeForm
    } else {
        Kind::Member
    }
}

/// Whether a record has anything that a kind speaks of.
fn concerns(contract: &Contract, record: &str, value: &Value, kind: Kind) -> bool {
    let specified = |name: &String| {
        let place = Pointer::of([name.as_str()]);
        kind_of(contract, record, &place) == kind && contract.member_schema(record, &place).is_some()
    };
    value
        .as_object()
        .is_some_and(|members| members.keys().any(specified))
}

/// Whether the specification describes the members of a record at all; of some it only says that they exist.
pub(crate) fn is_described(contract: &Contract, record: &str) -> bool {
    let schema = contract.document().json_schema(record, Form::Judging);
    let definition = schema
        .map(|mut schema| schema["$defs"][record].take())
        .unwrap_or_default();
    definition.get("allOf").is_some() || definition.get("properties").is_some()
}

/// The timestamps of a record that the contract knows and that are strings.
fn timestamps<'v>(
    contract: &'v Contract,
    record: &'v str,
    value: &'v Value,
) -> impl Iterator<Item = (Pointer, &'v str)> {
    let members = value
        .get("timestamp")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    members.filter_map(move |(name, value)| {
        let place = Pointer::of(["timestamp", name]);
        contract.member_schema(record, &place)?;
        Some((place, value.as_str()?))
    })
}

/// The clause that describes a record.
fn clause(contract: &Contract, record: &str) -> String {
    let at = Pointer::of(["components", "schemas", record]);
    let mark = contract.marks.iter().find(|mark| mark.at == at);
    mark.map(|mark| mark.origin.source.join(", ")).unwrap_or_default()
}
