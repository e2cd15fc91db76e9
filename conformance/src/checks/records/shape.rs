//! §2: the shape of records, from the schemas of the contract. Each violation of a schema belongs to the check that its
//! place in the record belongs to; every list is validated once, for all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use rollcall_contract::{Contract, Form, Pointer};
use serde_json::Value;

use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::exchange::shortened;
use crate::finding::Finding;
use crate::listing::Reading;
use crate::members::{Kind, Members};
use crate::outcome::Tally;

/// A report shows this many places; the rest is a number.
const PLACES: usize = 8;

/// What is wrong with the shape of the records of one list.
#[derive(Debug)]
pub(crate) struct Shape {
    members: Members,
    /// One fault for each place, however many records are wrong there.
    faults: BTreeMap<String, Fault>,
}

#[derive(Debug)]
struct Fault {
    kind: Kind,
    why: String,
    /// The first record that has it, as an index into the reading.
    first: usize,
    records: usize,
}

pub(super) fn check<'a>(context: &'a mut Context, tally: &'a mut Tally, kind: Kind) -> Looking<'a> {
    Box::pin(async move {
        for index in 0..context.corpus.lists.len() {
            if !context.list(index).offered {
                tally.absent(context.list(index).subject.name());
                continue;
            }
            let shape = context.shapes.get(&index).map(Arc::clone);
            let list = context.list(index);
            let view = list.fullest().filter(|view| !view.is_empty());
            let Some(reading) = view.and_then(|view| view.listed.reading()) else {
                tally.gap(format!("a record in {}", list.subject.name()));
                continue;
            };
            let shape = match shape {
                Some(shape) => shape,
                None => Arc::new(Shape::of(&context.contract, &list.subject.list.record, reading)),
            };
            tell(context, list, reading, &shape, kind, tally);
            context.shapes.insert(index, shape);
        }
        Ok(())
    })
}

impl Shape {
    fn of(contract: &Contract, record: &str, reading: &Reading) -> Self {
        let members = Members::of(contract, record);
        let mut faults = BTreeMap::new();
        let schema = contract.document().json_schema(record, Form::Judging);
        let validator = schema.and_then(|schema| jsonschema::validator_for(&schema).ok());
        for (index, value) in reading.records.iter().enumerate() {
            let mut add = |place: &Pointer, why: String| {
                let fault = Fault {
                    kind: members.kind(place),
                    why,
                    first: index,
                    records: 0,
                };
                faults.entry(general(place)).or_insert(fault).records += 1;
            };
            for error in validator
                .iter()
                .flat_map(|validator| validator.iter_errors(value))
            {
                add(&place(&error), shortened(&reason(&error), 200));
            }
            if members.described {
                for (place, text) in impossible(&members, value) {
                    add(place, format!("{text:?} is no moment that ever was"));
                }
            }
        }
        Self { members, faults }
    }

    /// How many records have anything that a kind speaks of.
    fn judged(&self, reading: &Reading, kind: Kind) -> usize {
        let places: Vec<_> = self.members.of_kind(kind).collect();
        let concerns = |record: &Value| {
            kind == Kind::Member
                || self.members.described && places.iter().any(|place| place.find(record).is_some())
        };
        reading.records.iter().filter(|record| concerns(record)).count()
    }
}

fn tell(context: &Context, list: &Surveyed, reading: &Reading, shape: &Shape, kind: Kind, tally: &mut Tally) {
    let faults: Vec<_> = shape
        .faults
        .iter()
        .filter(|(_, fault)| fault.kind == kind)
        .collect();
    let more = faults.len().saturating_sub(PLACES);
    for (place, fault) in faults.into_iter().take(PLACES) {
        let record = &reading.records[fault.first];
        let id = crate::subject::id_of(record).unwrap_or("without id");
        let others = if fault.records > 1 {
            format!(", and {} others", fault.records - 1)
        } else {
            String::new()
        };
        let elsewhere = if more > 0 {
            format!(" ({more} further places)")
        } else {
            String::new()
        };
        let page = &reading.pages[reading.page_of[fault.first]];
        let mut evidence = page.evidence(&context.target.config().base_url);
        evidence.body = shortened(&record.to_string(), 400);
        tally.finding(Finding {
            about: format!(
                "{} {}",
                list.subject.name(),
                if place.is_empty() { "(the record)" } else { place }
            ),
            clause: clause(&context.contract, &list.subject.list.record),
            expected: kind.expects().to_owned(),
            actual: format!("{} (record {id}{others}){elsewhere}", fault.why),
            evidence: vec![evidence],
        });
    }
    tally.cases(shape.judged(reading, kind));
}

fn place(error: &ValidationError<'_>) -> Pointer {
    error.instance_path().to_string().parse().unwrap_or_default()
}

/// Why a value is wrong; of something or null, what is wrong with it as something.
fn reason(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::AnyOf { context } => {
            let first = context.iter().flatten().next();
            first.map_or_else(|| error.to_string(), |first| reason(first))
        }
        _ => error.to_string(),
    }
}

/// The place without the indices of arrays, so that a fault in all elements is one.
fn general(place: &Pointer) -> String {
    let index = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let names = place.segments().iter();
    names
        .map(|name| {
            if index(name) {
                "/*".to_owned()
            } else {
                format!("/{name}")
            }
        })
        .collect()
}

/// The timestamps of a record that look like one and are none, such as a 31st of February.
fn impossible<'v>(members: &'v Members, record: &'v Value) -> impl Iterator<Item = (&'v Pointer, &'v str)> {
    let written = members
        .of_kind(Kind::Timestamp)
        .filter_map(|place| Some((place, place.find(record)?.as_str()?)));
    written.filter(|(_, text)| text.len() > 15 && text.parse::<jiff::Timestamp>().is_err() && has_zone(text))
}

/// Whether a time says its zone; one without is found by its schema.
fn has_zone(text: &str) -> bool {
    text.ends_with(['Z', 'z'])
        || text
            .get(text.len().saturating_sub(6)..)
            .is_some_and(|end| end.contains(['+', '-']))
}

/// The clause that describes a record.
fn clause(contract: &Contract, record: &str) -> String {
    let at = Pointer::of(["components", "schemas", record]);
    let mark = contract.marks.iter().find(|mark| mark.at == at);
    mark.map(|mark| mark.origin.source.join(", ")).unwrap_or_default()
}
