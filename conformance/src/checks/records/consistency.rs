//! §2: what holds over several answers: an identifier stands in a list once, a record is the same wherever it stands.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::Pointer;
use rollcall_oracle::corpus::listing::{Pages, identity, single_page};
use rollcall_oracle::corpus::members::{Kind, Members};
use rollcall_oracle::corpus::records::{Record, id_at, id_of, unwrapped};
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::again::TIMES;
use rollcall_oracle::http::exchange::{Evidence, Exchange};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::plan::varied;
use serde_json::Value;

use crate::cases::{read, single};
use crate::checks::CheckFuture;
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::engine::suspect::{ParameterKind, Suspect};
use crate::engine::{Engine, PAGE};

/// So many records of each list are asked for alone, at most, chosen among so many. What other answers show of a record is held
/// against the list by the plan.
const SINGLE: usize = 6;
const AMONG: usize = 500;

/// S8: an identifier stands in a list once.
pub(super) fn unique<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for index in 0..engine.corpus.lists.len() {
            for projection in [Projection::Default, Projection::Trashed] {
                unique_in(engine, index, &projection, result).await?;
            }
        }
        Ok(())
    })
}

async fn unique_in(
    engine: &mut Engine,
    index: usize,
    projection: &Projection,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let list = engine.list(index);
    let (name, stable) = (list.spec.name().to_owned(), list.paging.stable);
    let Some(snapshot) = list.snapshot(projection) else {
        return Ok(());
    };
    let reading = snapshot.response.reading();
    let Some(reading) = reading.filter(|reading| reading.records.len() > 1) else {
        result.gap(format!("two records in {name}"));
        return Ok(());
    };
    let mut twice = repeated(reading);
    // A record that moves while pages are read may be seen on two of them; on one page it cannot. Where the order
    // changes from request to request, pages overlap and nothing follows.
    twice.retain(|_, pages| stable || pages.len() == 1);
    for _ in 0..TIMES {
        if twice.values().all(|pages| pages.len() == 1) {
            break;
        }
        let list = &mut engine.corpus.lists[index];
        list.reread(&engine.target, projection).await?;
        let again = read(engine.list(index), projection).map(repeated);
        let again = again.unwrap_or_default();
        let before = twice.len();
        twice.retain(|id, _| again.contains_key(id));
        if twice.len() < before {
            result.moved(format!("a record stood twice in {name} once"));
        }
    }
    if !twice.is_empty() && twice.values().all(|pages| pages.len() > 1) {
        // The pages overlap: nothing is repeated on one page.
        engine.invalidate(index, PAGE, engine.check.id);
    }
    let Some((id, pages)) = twice.first_key_value() else {
        result.count_case();
        return Ok(());
    };
    let reading = read(engine.list(index), projection);
    let base = &engine.target.config().base_url;
    let shown = pages.iter().filter_map(|page| reading?.pages.get(*page));
    let shown = shown.map(|page| page.evidence(base));
    let others = match twice.len() - 1 {
        0 => String::new(),
        others => format!("; so do {others} others"),
    };
    let actual = format!("{id} is there more than once{others}");
    let told = ("every identifier once", actual);
    let finding = engine.finding(name, told, shown.collect());
    result.finding(finding.suspecting([Suspect::Parameters(ParameterKind::Page)]));
    Ok(())
}

/// The identifiers that stand in a reading more than once, each with the pages it stands on.
fn repeated(reading: &Pages) -> BTreeMap<String, BTreeSet<usize>> {
    let mut seen: BTreeMap<String, (usize, BTreeSet<usize>)> = BTreeMap::new();
    for (record, page) in reading.records.iter().zip(&reading.page_of) {
        let entry = seen.entry(identity(record)).or_default();
        entry.0 += 1;
        entry.1.insert(*page);
    }
    seen.retain(|_, (count, _)| *count > 1);
    seen.into_iter().map(|(id, (_, pages))| (id, pages)).collect()
}

/// S9: a record is the same in every answer.
pub(super) fn same<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for index in 0..engine.corpus.lists.len() {
            if engine.list(index).offered {
                same_in(engine, index, result).await?;
            }
        }
        Ok(())
    })
}

async fn same_in(engine: &mut Engine, index: usize, result: &mut CheckResult) -> Result<(), TargetError> {
    let list = engine.list(index);
    let members = &Members::of(&engine.contract, &list.spec.list.record);
    let Some(snapshot) = list.snapshot(&Projection::Default) else {
        return Ok(());
    };
    if !members.described {
        return Ok(()); // Of this record the specification names no member.
    }
    let records = snapshot.records().filter(|(_, record)| id_of(record).is_some());
    let ids: Vec<String> = records.map(|(id, _)| id.to_owned()).collect();
    if ids.is_empty() {
        result.gap(format!("a record in {}", list.spec.name()));
        return Ok(());
    }
    let shown = |projection, id: &str| record(list, projection, id);
    let sample = engine.choice(engine.check.id).some(&ids, AMONG);
    let sample = sample
        .iter()
        .filter_map(|id| Some((id.as_str(), &**shown(&Projection::Default, id)?)));
    let places: Vec<_> = members.comparable().collect();
    let is_word = |place: &Pointer| members.kind(place) == Kind::Enumerated;
    let sample = varied(&places, is_word, &sample.collect::<Vec<_>>(), SINGLE);
    let sample: Vec<String> = sample.into_iter().map(str::to_owned).collect();
    let differs = |id: &&String| {
        let views = shown(&Projection::Default, id).zip(shown(&Projection::Trashed, id));
        views.is_some_and(|(ours, theirs)| difference(members, ours, theirs).is_some())
    };
    match ids.iter().find(differs).cloned() {
        Some(suspect) => {
            let differing: BTreeSet<String> = ids
                .iter()
                .filter_map(|id| shown(&Projection::Default, id).zip(shown(&Projection::Trashed, id)))
                .flat_map(|(ours, theirs)| differences(members, ours, theirs))
                .map(|(place, _)| place.to_string())
                .collect();
            if settle_views(engine, index, members, &suspect, result).await? {
                for place in differing {
                    engine.distrust(index, &place, engine.check.id);
                }
            }
        }
        None => {
            let both = ids.iter().filter(|id| shown(&Projection::Trashed, id).is_some());
            result.count_cases(both.count());
        }
    }
    for id in sample {
        if let Some(request) = single(&engine.list(index).spec, &id) {
            settle_request(engine, index, members, (&request, &id), result).await?;
        }
    }
    Ok(())
}

fn record<'l>(list: &'l ListCorpus, projection: &Projection, id: &str) -> Option<&'l Record> {
    list.snapshot(projection)?.record(id)
}

/// The record as the list shows it now.
async fn record_again(
    engine: &mut Engine,
    index: usize,
    projection: &Projection,
    id: &str,
) -> Result<Option<Record>, TargetError> {
    let ids = BTreeSet::from([id.to_owned()]);
    let list = &mut engine.corpus.lists[index];
    list.refresh(&engine.target, projection, &ids).await?;
    Ok(record(list, projection, id).cloned())
}

/// Compares the list without and with soft-deleted records, reading both again until the difference stays or goes. Whether it
/// stays.
async fn settle_views(
    engine: &mut Engine,
    index: usize,
    members: &Members,
    id: &str,
    result: &mut CheckResult,
) -> Result<bool, TargetError> {
    for _ in 0..TIMES {
        let theirs = record_again(engine, index, &Projection::Trashed, id).await?;
        let before = record(engine.list(index), &Projection::Default, id).cloned();
        let ours = record_again(engine, index, &Projection::Default, id).await?;
        let is_quiet = ours == before;
        let pair = ours.zip(theirs);
        let Some(what) = pair.and_then(|(ours, theirs)| difference(members, &ours, &theirs)) else {
            result.moved(format!("{id} looked different in two answers once"));
            return Ok(false);
        };
        if is_quiet {
            let list = engine.list(index);
            let shown = [Projection::Default, Projection::Trashed];
            let shown = shown.iter().filter_map(|projection| list.snapshot(projection));
            let evidence = shown.map(|snapshot| engine.evidence(&snapshot.response));
            result.finding(different(engine, index, id, &what, evidence.collect()));
            return Ok(true);
        }
    }
    result.moved(format!("{id} changes all the time"));
    Ok(false)
}

/// Compares the record with what another request shows of it.
async fn settle_request(
    engine: &mut Engine,
    index: usize,
    members: &Members,
    (request, id): (&Request, &str),
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    for attempt in 0..TIMES {
        let exchange = engine.target.send(request).await?;
        let Some(theirs) = shown_by(engine, index, &exchange, id) else {
            result.gap(format!("{} that shows its record", request.path));
            return Ok(());
        };
        let before = record(engine.list(index), &Projection::Default, id).cloned();
        let differs = |ours: &Record| difference(members, ours, &theirs).is_some();
        let ours = match attempt > 0 || before.as_ref().is_some_and(differs) {
            true => record_again(engine, index, &Projection::Default, id).await?,
            false => before.clone(),
        };
        let Some(ours) = ours else { return Ok(()) };
        let Some(what) = difference(members, &ours, &theirs) else {
            result.count_case();
            return Ok(());
        };
        if before.as_ref() == Some(&ours) {
            let list = engine.list(index).snapshot(&Projection::Default);
            let list = list.map(|snapshot| engine.evidence(&snapshot.response));
            let alone = exchange.evidence(&engine.target.config().base_url);
            let evidence = list.into_iter().chain([alone]).collect();
            result.finding(different(engine, index, id, &what, evidence));
            return Ok(());
        }
    }
    result.moved(format!("{id} changes all the time"));
    Ok(())
}

/// The record with this identifier in an answer, be it a record, one in an envelope, or a list.
fn shown_by(engine: &Engine, index: usize, exchange: &Exchange, id: &str) -> Option<Value> {
    let identifier = &engine.contract.identifier;
    let record = unwrapped(exchange, identifier).filter(|_| exchange.is_success());
    if let Some(record) = record.filter(|record| id_at(identifier, record) == Some(id)) {
        return Some(record);
    }
    let response = single_page(exchange.clone(), &engine.target, &engine.list(index).paging);
    let mut records = response.reading()?.records.iter();
    let found = records.find(|record| id_of(record) == Some(id))?;
    Some(Value::clone(found))
}

/// The members, of those the specification gives the record, in which two sightings differ, each with how.
fn differences<'m>(
    members: &'m Members,
    ours: &'m Value,
    theirs: &'m Value,
) -> impl Iterator<Item = (&'m Pointer, String)> {
    members.comparable().filter_map(move |place| {
        let (ours, theirs) = (place.find(ours)?, place.find(theirs)?);
        (ours != theirs).then(|| (place, format!("{place} is {ours} and {theirs}")))
    })
}

/// The first of them.
fn difference(members: &Members, ours: &Value, theirs: &Value) -> Option<String> {
    differences(members, ours, theirs).next().map(|(_, what)| what)
}

fn different(engine: &Engine, index: usize, id: &str, what: &str, evidence: Vec<Evidence>) -> Finding {
    let expected = format!("the same record {id} in both answers");
    engine.finding(engine.list(index).spec.name(), (expected, what), evidence)
}
