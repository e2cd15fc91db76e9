//! §2: the shape of records, from the schemas of the contract. Each violation of a schema belongs to the check that its
//! place in the record belongs to; every list is validated once, for all of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use rollcall_contract::{Contract, Form, Pointer};
use serde_json::Value;

use crate::checks::Looking;
use crate::context::Context;
use crate::exchange::{Exchange, shortened};
use crate::finding::{Clause, Finding};
use crate::listing::{Reading, single_page};
use crate::members::{Kind, Members};
use crate::outcome::Tally;
use crate::patience::PAUSES;
use crate::records::{Record, id_of};
use crate::target::Trouble;
use crate::view::View;

/// A report shows this many places; the rest is a number.
const PLACES: usize = 8;

/// What is wrong with the shape of the records of one list.
#[derive(Debug)]
pub(crate) struct Shape {
    members: Members,
    /// One fault for each place, however many records are wrong there. Each was seen again every time its record was read.
    faults: BTreeMap<String, Fault>,
    /// Faults that were gone when their record was read again.
    moved: Vec<(Kind, String)>,
}

#[derive(Debug)]
struct Fault {
    kind: Kind,
    why: String,
    /// The first record that has it, and the answer it stands in.
    record: Arc<Record>,
    page: Exchange,
    /// How many records have it.
    records: usize,
}

/// Finds what is wrong with the shape of one record.
struct Inspector {
    members: Members,
    validator: Option<Validator>,
}

pub(super) fn check<'a>(context: &'a mut Context, tally: &'a mut Tally, kind: Kind) -> Looking<'a> {
    Box::pin(async move {
        for index in 0..context.corpus.lists.len() {
            let list = context.list(index);
            if !list.offered {
                tally.absent(list.subject.name());
                continue;
            }
            if list.fullest().is_none_or(View::is_empty) {
                tally.gap(format!("a record in {}", list.subject.name()));
                continue;
            }
            let shape = match context.shapes.get(&index) {
                Some(shape) => Arc::clone(shape),
                None => Arc::new(Shape::confirmed(context, index).await?),
            };
            tell(context, index, &shape, kind, tally);
            context.shapes.insert(index, shape);
        }
        Ok(())
    })
}

impl Shape {
    /// Inspects every record of a list; records that look wrong are read again.
    async fn confirmed(context: &mut Context, index: usize) -> Result<Self, Trouble> {
        let inspector = Inspector::of(&context.contract, &context.list(index).subject.list.record);
        let reading = context
            .list(index)
            .fullest()
            .and_then(|view| view.listed.reading());
        let mut faults = BTreeMap::new();
        if let Some(reading) = reading {
            for (record, page) in reading.records.iter().zip(&reading.page_of) {
                for (place, why) in inspector.inspect(record) {
                    let fault = || Fault {
                        kind: inspector.members.kind(&place),
                        why,
                        record: Arc::clone(record),
                        page: reading.pages[*page].clone(),
                        records: 0,
                    };
                    faults.entry(general(&place)).or_insert_with(fault).records += 1;
                }
            }
        }
        let mut shape = Self {
            members: inspector.members.clone(),
            faults,
            moved: Vec::new(),
        };
        for pause in PAUSES {
            if shape.faults.is_empty() {
                break;
            }
            tokio::time::sleep(pause).await;
            shape.look_again(context, index, &inspector).await?;
        }
        Ok(shape)
    }

    /// Reads the record of each fault again and drops the faults that it no longer has.
    async fn look_again(
        &mut self,
        context: &mut Context,
        index: usize,
        inspector: &Inspector,
    ) -> Result<(), Trouble> {
        let faulty = self.faults.values().filter_map(|fault| id_of(&fault.record));
        let ids: BTreeSet<String> = faulty.map(str::to_owned).collect();
        if let Some(look) = context.list(index).fullest_look() {
            context.corpus.lists[index]
                .refresh(&context.target, &look, &ids)
                .await?;
        }
        let mut pages: HashMap<String, Vec<Arc<Record>>> = HashMap::new();
        for fault in self
            .faults
            .values()
            .filter(|fault| id_of(&fault.record).is_none())
        {
            // A record without an identifier is looked for on its page.
            let (request, paging) = (&fault.page.request, &context.list(index).paging);
            let again = single_page(context.target.send(request).await?, &context.target, paging);
            let records = again.reading().map(|reading| reading.records.clone());
            pages.insert(request.line(), records.unwrap_or_default());
        }
        let view = context.list(index).fullest();
        let is_seen =
            |place: &str, record: &Value| inspector.inspect(record).any(|(seen, _)| general(&seen) == place);
        let is_still = |place: &str, fault: &Fault| match id_of(&fault.record) {
            Some(id) => view
                .and_then(|view| view.record(id))
                .is_some_and(|record| is_seen(place, record)),
            None => pages
                .get(&fault.page.request.line())
                .is_some_and(|page| page.iter().any(|record| is_seen(place, record))),
        };
        let name = context.list(index).subject.name();
        let moved = &mut self.moved;
        self.faults.retain(|place, fault| {
            let still = is_still(place, fault);
            if !still {
                moved.push((
                    fault.kind,
                    format!("{name} {place}: {}, but not every time", fault.why),
                ));
            }
            still
        });
        Ok(())
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

impl Inspector {
    fn of(contract: &Contract, record: &str) -> Self {
        let schema = contract.document().json_schema(record, Form::Judging);
        Self {
            members: Members::of(contract, record),
            validator: schema.and_then(|schema| jsonschema::validator_for(&schema).ok()),
        }
    }

    /// The places where a record is wrong, each with the reason.
    fn inspect<'r>(&'r self, record: &'r Value) -> impl Iterator<Item = (Pointer, String)> + 'r {
        let errors = self
            .validator
            .iter()
            .flat_map(|validator| validator.iter_errors(record));
        let errors = errors.map(|error| (place(&error), shortened(&reason(&error), 200)));
        let impossible = impossible(&self.members, record).filter(|_| self.members.described);
        let impossible = impossible.map(|(place, text)| {
            (
                place.clone(),
                format!("{text:?} is a date or time that does not exist"),
            )
        });
        errors.chain(impossible)
    }
}

fn tell(context: &Context, index: usize, shape: &Shape, kind: Kind, tally: &mut Tally) {
    let list = context.list(index);
    let faults: Vec<_> = shape
        .faults
        .iter()
        .filter(|(_, fault)| fault.kind == kind)
        .collect();
    let more = faults.len().saturating_sub(PLACES);
    for (place, fault) in faults.into_iter().take(PLACES) {
        let id = id_of(&fault.record).unwrap_or("without id");
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
        let mut evidence = fault.page.evidence(&context.target.config().base_url);
        evidence.body = shortened(&fault.record.to_string(), 400);
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
    let moved = shape.moved.iter().filter(|(moved, _)| *moved == kind);
    moved.for_each(|(_, what)| tally.moved(what));
    let reading = list.fullest().and_then(|view| view.listed.reading());
    tally.cases(reading.map_or(0, |reading| shape.judged(reading, kind)));
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
fn clause(contract: &Contract, record: &str) -> Clause {
    let at = Pointer::of(["components", "schemas", record]);
    let mark = contract.marks.iter().find(|mark| mark.at == at);
    Clause::of_source(mark.map_or(&[], |mark| &mark.origin.source))
}
