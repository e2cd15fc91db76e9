//! §2: the shape of records, from the schemas of the contract. Each violation of a schema belongs to the check that its
//! place in the record belongs to; every list is validated once, for all of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jsonschema::{ValidationError, Validator};
use rollcall_contract::{Contract, Form, Pointer};
use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::listing::{Pages, single_page};
use rollcall_oracle::corpus::members::{Kind, Members};
use rollcall_oracle::corpus::records::{Record, id_of};
use rollcall_oracle::corpus::shape_fault;
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::again::PAUSES;
use rollcall_oracle::http::exchange::{Exchange, shortened};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::open_points::timestamp;
use serde_json::Value;

use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::engine::suspect::Suspect;

/// A report shows this many places; the rest is a number.
const PLACES: usize = 8;

/// What is wrong with the shape of the records of one list.
#[derive(Debug)]
pub(crate) struct ShapeFaults {
    inspector: Inspector,
    /// One fault for each place, however many records are wrong there. Each was seen again every time its record was read.
    faults: BTreeMap<String, Fault>,
    /// Faults that were gone when their record was read again.
    moved: Vec<(Kind, String)>,
}

#[derive(Debug)]
struct Fault {
    /// Where it was seen first.
    place: Pointer,
    kind: Kind,
    why: String,
    /// The first record that has it, and the answer it stands in.
    record: Arc<Record>,
    page: Exchange,
    /// How many records have it.
    records: usize,
}

/// Finds what is wrong with the shape of one record.
#[derive(Debug)]
struct Inspector {
    members: Members,
    validator: Option<Validator>,
}

pub(super) fn check<'a>(engine: &'a mut Engine, result: &'a mut CheckResult, kind: Kind) -> CheckFuture<'a> {
    Box::pin(async move {
        for index in 0..engine.corpus.lists.len() {
            let list = engine.list(index);
            if !list.offered {
                result.absent(list.spec.name());
                continue;
            }
            if list.widest_snapshot().is_none_or(Snapshot::is_empty) {
                result.gap(format!("a record in {}", list.spec.name()));
                continue;
            }
            let shape = match engine.recall::<ShapeFaults>(index) {
                Some(shape) => shape,
                None => Arc::new(ShapeFaults::confirmed(engine, index).await?),
            };
            tell(engine, index, &shape, kind, result);
            if kind == Kind::Member {
                for (place, _) in shape.faults.iter().filter(|(_, fault)| fault.kind == kind) {
                    engine.distrust(index, place, engine.check.id);
                }
            }
            engine.remember(index, &shape);
        }
        Ok(())
    })
}

impl ShapeFaults {
    /// Inspects every record of a list; records that look wrong are read again.
    async fn confirmed(engine: &mut Engine, index: usize) -> Result<Self, TargetError> {
        let inspector = Inspector::of(&engine.contract, &engine.list(index).spec.list.record);
        let snapshot = engine.list(index).widest_snapshot();
        let mut faults = BTreeMap::new();
        if let Some(reading) = snapshot.and_then(|snapshot| snapshot.response.reading()) {
            for (record, page) in reading.records.iter().zip(&reading.page_of) {
                for (place, why) in inspector.inspect(record) {
                    let fault = || Fault {
                        kind: inspector.members.kind(&place),
                        why,
                        place: place.clone(),
                        record: Arc::clone(record),
                        page: reading.pages[*page].clone(),
                        records: 0,
                    };
                    faults.entry(general(&place)).or_insert_with(fault).records += 1;
                }
            }
        }
        let mut shape = Self {
            inspector,
            faults,
            moved: Vec::new(),
        };
        for pause in PAUSES {
            if shape.faults.is_empty() {
                break;
            }
            tokio::time::sleep(pause).await;
            shape.look_again(engine, index).await?;
        }
        Ok(shape)
    }

    /// Reads the record of each fault again and drops the faults that it no longer has.
    async fn look_again(&mut self, engine: &mut Engine, index: usize) -> Result<(), TargetError> {
        let faulty = self.faults.values().filter_map(|fault| id_of(&fault.record));
        let ids: BTreeSet<String> = faulty.map(str::to_owned).collect();
        if let Some(projection) = engine.list(index).widest_projection() {
            let list = &mut engine.corpus.lists[index];
            list.refresh(&engine.target, &projection, &ids).await?;
        }
        let mut pages: HashMap<String, Vec<Arc<Record>>> = HashMap::new();
        let faults = self.faults.values();
        for fault in faults.filter(|fault| id_of(&fault.record).is_none()) {
            // A record without an identifier is looked for on its page.
            let (request, paging) = (&fault.page.request, &engine.list(index).paging);
            let again = single_page(engine.target.send(request).await?, &engine.target, paging);
            let records = again.reading().map(|reading| reading.records.clone());
            pages.insert(request.line(), records.unwrap_or_default());
        }
        let snapshot = engine.list(index).widest_snapshot();
        let name = engine.list(index).spec.name();
        let (inspector, moved) = (&self.inspector, &mut self.moved);
        let is_seen =
            |place: &str, record: &Value| inspector.inspect(record).any(|(seen, _)| general(&seen) == place);
        let is_still = |place: &str, fault: &Fault| match id_of(&fault.record) {
            Some(id) => snapshot
                .and_then(|snapshot| snapshot.record(id))
                .is_some_and(|record| is_seen(place, record)),
            None => pages
                .get(&fault.page.request.line())
                .is_some_and(|page| page.iter().any(|record| is_seen(place, record))),
        };
        self.faults.retain(|place, fault| {
            if is_still(place, fault) {
                return true;
            }
            let what = format!("{name} {place}: {}, but not every time", fault.why);
            moved.push((fault.kind, what));
            false
        });
        Ok(())
    }

    /// How many records have anything that a kind speaks of.
    fn judged(&self, reading: &Pages, kind: Kind) -> usize {
        let members = &self.inspector.members;
        let places: Vec<_> = members.of_kind(kind).collect();
        let concerns = |record: &Value| {
            kind == Kind::Member
                || members.described && places.iter().any(|place| place.find(record).is_some())
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
        let validator = self.validator.iter();
        let errors = validator.flat_map(|validator| validator.iter_errors(record));
        let errors = errors.map(|error| (place(&error), shortened(&shape_fault::describe(&error), 200)));
        let impossible = impossible(&self.members, record).filter(|_| self.members.described);
        let impossible = impossible.map(|(place, text)| {
            let why = format!("{text:?} is a date or time that does not exist");
            (place.clone(), why)
        });
        errors.chain(impossible)
    }
}

fn tell(engine: &Engine, index: usize, shape: &ShapeFaults, kind: Kind, result: &mut CheckResult) {
    let list = engine.list(index);
    let faults = shape.faults.iter().filter(|(_, fault)| fault.kind == kind);
    let elsewhere = match faults.clone().count().saturating_sub(PLACES) {
        0 => String::new(),
        more => format!(" ({more} further places)"),
    };
    for (place, fault) in faults.take(PLACES) {
        let id = id_of(&fault.record).unwrap_or("without id");
        let others = match fault.records.saturating_sub(1) {
            0 => String::new(),
            others => format!(", and {others} others"),
        };
        let place = if place.is_empty() { "(the record)" } else { place };
        let mut evidence = fault.page.evidence(&engine.target.config().base_url);
        evidence.body = shortened(&fault.record.to_string(), 400);
        let finding = Finding::new(
            format!("{} {place}", list.spec.name()),
            clause(&engine.contract, &list.spec.list.record),
            (
                kind.expects(),
                format!("{} (record {id}{others}){elsewhere}", fault.why),
            ),
            vec![evidence],
        );
        result.finding(finding.suspecting([
            Suspect::member(&list.spec.frame, &fault.place),
            Suspect::Members(kind),
        ]));
    }
    let moved = shape.moved.iter().filter(|(moved, _)| *moved == kind);
    moved.for_each(|(_, what)| result.moved(what));
    let snapshot = list.widest_snapshot();
    let reading = snapshot.and_then(|snapshot| snapshot.response.reading());
    result.count_cases(reading.map_or(0, |reading| shape.judged(reading, kind)));
}

fn place(error: &ValidationError<'_>) -> Pointer {
    error.instance_path().to_string().parse().unwrap_or_default()
}

/// The place without the indices of arrays, so that a fault in all elements is one.
fn general(place: &Pointer) -> String {
    let is_index = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let names = place.segments().iter().map(|name| match is_index(name) {
        true => "/*".to_owned(),
        false => format!("/{name}"),
    });
    names.collect()
}

/// The timestamps of a record that look like one and are none, such as a 31st of February.
fn impossible<'v>(members: &'v Members, record: &'v Value) -> impl Iterator<Item = (&'v Pointer, &'v str)> {
    let places = members.of_kind(Kind::Timestamp);
    let written = places.filter_map(|place| Some((place, place.find(record)?.as_str()?)));
    written.filter(|(_, text)| text.len() > 15 && timestamp::read(text).is_none())
}

/// The clause that describes a record.
fn clause(contract: &Contract, record: &str) -> Clause {
    let at = Pointer::of(["components", "schemas", record]);
    let mark = contract.marks.iter().find(|mark| mark.at == at);
    Clause::of_source(mark.map_or(&[], |mark| &mark.origin.source))
}
