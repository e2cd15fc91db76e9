//! §2: what holds over several answers: an identifier stands in a list once, a record is the same wherever it stands.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::checks::CheckFuture;
use crate::corpus::listing::{Pages, identity, single_page};
use crate::corpus::members::Members;
use crate::corpus::records::{Record, id_at, id_of};
use crate::corpus::{ListCorpus, Projection};
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::engine::{Engine, PAGE};
use crate::http::exchange::{Evidence, Exchange};
use crate::http::request::{Request, segment};
use crate::http::target::TargetError;

/// So many records of each list are asked for alone. What other answers show of a record is held against the list by the plan.
const SINGLE: usize = 2;

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
    let Some(snapshot) = engine.list(index).snapshot(projection) else {
        return Ok(());
    };
    let Some(reading) = snapshot
        .response
        .reading()
        .filter(|reading| reading.records.len() > 1)
    else {
        result.gap(format!("two records in {}", engine.list(index).spec.name()));
        return Ok(());
    };
    let mut twice = repeated(reading);
    // A record that moves while pages are read may be seen on two of them; on one page it cannot. Where the order
    // changes from request to request, pages overlap and nothing follows.
    let stable = engine.list(index).paging.stable;
    twice.retain(|_, pages| stable || pages.len() == 1);
    for _ in 0..3 {
        if twice.values().all(|pages| pages.len() == 1) {
            break;
        }
        engine.corpus.lists[index]
            .reread(&engine.target, projection)
            .await?;
        let again = engine
            .list(index)
            .snapshot(projection)
            .and_then(|snapshot| snapshot.response.reading())
            .map(repeated);
        let again = again.unwrap_or_default();
        let before = twice.len();
        twice.retain(|id, _| again.contains_key(id));
        if twice.len() < before {
            result.moved(format!(
                "a record stood twice in {} once",
                engine.list(index).spec.name()
            ));
        }
    }
    if !twice.is_empty() && twice.values().all(|pages| pages.len() > 1) {
        // The pages overlap: nothing is repeated on one page.
        engine.invalidate(index, PAGE, engine.check.id);
    }
    match twice.first_key_value() {
        None => result.case(),
        Some((id, pages)) => {
            let reading = engine
                .list(index)
                .snapshot(projection)
                .and_then(|snapshot| snapshot.response.reading());
            let base = &engine.target.config().base_url;
            let shown = pages
                .iter()
                .filter_map(|page| Some(reading?.pages.get(*page)?.evidence(base)));
            let others = match twice.len() - 1 {
                0 => String::new(),
                others => format!("; so do {others} others"),
            };
            let actual = format!("{id} is there more than once{others}");
            let told = ("every identifier once", actual);
            let about = engine.list(index).spec.name();
            result.finding(engine.finding(about, told, shown.collect()));
        }
    }
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
    seen.into_iter()
        .filter(|(_, (count, _))| *count > 1)
        .map(|(id, (_, pages))| (id, pages))
        .collect()
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
    let (ids, sample): (Vec<String>, Vec<String>) = {
        let Some(snapshot) = engine.list(index).snapshot(&Projection::Default) else {
            return Ok(());
        };
        let ids: Vec<_> = snapshot
            .records()
            .filter(|(_, r)| id_of(r).is_some())
            .map(|(id, _)| id.to_owned())
            .collect();
        let sample = engine.choice("S9").some(&ids, SINGLE);
        (ids, sample)
    };
    let members = &Members::of(&engine.contract, &engine.list(index).spec.list.record);
    if !members.described {
        return Ok(()); // Of this record the specification names no member.
    }
    if ids.is_empty() {
        result.gap(format!("a record in {}", engine.list(index).spec.name()));
        return Ok(());
    }
    let list = engine.list(index);
    let shown = |projection, id: &str| record(list, projection, id);
    let differs = |id: &&String| {
        let views = shown(&Projection::Default, id).zip(shown(&Projection::Trashed, id));
        views.is_some_and(|(ours, theirs)| difference(members, ours, theirs).is_some())
    };
    match ids.iter().find(differs).cloned() {
        Some(suspect) => settle_views(engine, index, members, &suspect, result).await?,
        None => {
            let both = ids.iter().filter(|id| shown(&Projection::Trashed, id).is_some());
            result.cases(both.count());
        }
    }
    for id in sample {
        if let Some(request) = single(engine.list(index), &id) {
            settle_request(engine, index, members, (&request, &id), result).await?;
        }
    }
    Ok(())
}

fn record<'l>(list: &'l ListCorpus, projection: &Projection, id: &str) -> Option<&'l Record> {
    list.snapshot(projection)?.record(id)
}

/// The request for a record alone.
fn single(list: &ListCorpus, id: &str) -> Option<Request> {
    let path = &list.spec.operation.path;
    list.spec.single.as_ref()?;
    Some(Request::get(format!("{path}/{}", segment(id))))
}

/// Compares the list without and with soft-deleted records, reading both again until the difference stays or goes.
async fn settle_views(
    engine: &mut Engine,
    index: usize,
    members: &Members,
    id: &str,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let ids = BTreeSet::from([id.to_owned()]);
    for _ in 0..3 {
        engine.corpus.lists[index]
            .refresh(&engine.target, &Projection::Trashed, &ids)
            .await?;
        let theirs = record(engine.list(index), &Projection::Trashed, id).cloned();
        let before = record(engine.list(index), &Projection::Default, id).cloned();
        engine.corpus.lists[index]
            .refresh(&engine.target, &Projection::Default, &ids)
            .await?;
        let ours = record(engine.list(index), &Projection::Default, id).cloned();
        let quiet = ours == before;
        let pair = ours.zip(theirs);
        let Some(what) = pair.and_then(|(ours, theirs)| difference(members, &ours, &theirs)) else {
            result.moved(format!("{id} looked different in two answers once"));
            return Ok(());
        };
        if quiet {
            let shown = [Projection::Default, Projection::Trashed].map(|projection| {
                engine
                    .list(index)
                    .snapshot(&projection)
                    .map(|snapshot| &snapshot.response)
            });
            let evidence = shown
                .into_iter()
                .flatten()
                .map(|response| engine.evidence(response))
                .collect();
            result.finding(different(engine, index, id, &what, evidence));
            return Ok(());
        }
    }
    result.moved(format!("{id} changes all the time"));
    Ok(())
}

/// Compares the record with what another request shows of it.
async fn settle_request(
    engine: &mut Engine,
    index: usize,
    members: &Members,
    (request, id): (&Request, &str),
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let ids = BTreeSet::from([id.to_owned()]);
    for attempt in 0..3 {
        let exchange = engine.target.send(request).await?;
        let Some(theirs) = shown_by(engine, index, &exchange, id) else {
            result.gap(format!("{} that shows its record", request.path));
            return Ok(());
        };
        let before = record(engine.list(index), &Projection::Default, id).cloned();
        if attempt > 0
            || before
                .as_ref()
                .is_some_and(|ours| difference(members, ours, &theirs).is_some())
        {
            engine.corpus.lists[index]
                .refresh(&engine.target, &Projection::Default, &ids)
                .await?;
        }
        let Some(ours) = record(engine.list(index), &Projection::Default, id).cloned() else {
            return Ok(());
        };
        let Some(what) = difference(members, &ours, &theirs) else {
            result.case();
            return Ok(());
        };
        if before.as_ref() == Some(&ours) {
            let base = &engine.target.config().base_url;
            let list = engine
                .list(index)
                .snapshot(&Projection::Default)
                .map(|snapshot| engine.evidence(&snapshot.response));
            let evidence = list.into_iter().chain([exchange.evidence(base)]).collect();
            result.finding(different(engine, index, id, &what, evidence));
            return Ok(());
        }
    }
    result.moved(format!("{id} changes all the time"));
    Ok(())
}

/// The record with this identifier in an answer, be it a record, one in an envelope, or a list.
fn shown_by(engine: &Engine, index: usize, exchange: &Exchange, id: &str) -> Option<Value> {
    let mut body = exchange.json().filter(|_| exchange.is_success())?;
    let identifier = &engine.contract.identifier;
    if id_at(identifier, &body) == Some(id) {
        return Some(body);
    }
    if let Some(inner) = engine
        .target
        .config()
        .envelope
        .as_ref()
        .and_then(|name| body.get_mut(name))
        && id_at(identifier, inner) == Some(id)
    {
        return Some(inner.take());
    }
    let response = single_page(exchange.clone(), &engine.target, &engine.list(index).paging);
    let found = response
        .reading()?
        .records
        .iter()
        .find(|record| id_of(record) == Some(id))?;
    Some(Value::clone(found))
}

/// The first member, of those the specification gives the record, in which two sightings differ.
fn difference(members: &Members, ours: &Value, theirs: &Value) -> Option<String> {
    members
        .comparable()
        .find_map(|place| match (place.find(ours), place.find(theirs)) {
            (Some(ours), Some(theirs)) if ours != theirs => Some(format!("{place} is {ours} and {theirs}")),
            _ => None,
        })
}

fn different(engine: &Engine, index: usize, id: &str, what: &str, evidence: Vec<Evidence>) -> Finding {
    let expected = format!("the same record {id} in both answers");
    engine.finding(engine.list(index).spec.name(), (expected, what), evidence)
}
