//! §2: what holds over several answers: an identifier stands in a list once, a record is the same wherever it stands.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::exchange::{Evidence, Exchange};
use crate::finding::Finding;
use crate::listing::{Reading, identity, single_page};
use crate::members::Members;
use crate::outcome::Tally;
use crate::records::{Record, id_at, id_of};
use crate::request::{Request, segment};
use crate::target::Trouble;

/// S8: an identifier stands in a list once.
pub(super) fn unique<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for index in 0..context.corpus.lists.len() {
            for look in [Look::Default, Look::Trashed] {
                unique_in(context, index, &look, tally).await?;
            }
        }
        Ok(())
    })
}

async fn unique_in(
    context: &mut Context,
    index: usize,
    look: &Look,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let Some(view) = context.list(index).view(look) else {
        return Ok(());
    };
    let Some(reading) = view.listed.reading().filter(|reading| reading.records.len() > 1) else {
        tally.gap(format!("two records in {}", context.list(index).subject.name()));
        return Ok(());
    };
    let mut twice = repeated(reading);
    // A record that moves while pages are read may be seen on two of them; on one page it cannot. Where the order
    // changes from request to request, pages overlap and nothing follows.
    let stable = context.list(index).paging.stable;
    twice.retain(|_, pages| stable || pages.len() == 1);
    for _ in 0..3 {
        if twice.values().all(|pages| pages.len() == 1) {
            break;
        }
        context.corpus.lists[index].reread(&context.target, look).await?;
        let again = context
            .list(index)
            .view(look)
            .and_then(|view| view.listed.reading())
            .map(repeated);
        let again = again.unwrap_or_default();
        let before = twice.len();
        twice.retain(|id, _| again.contains_key(id));
        if twice.len() < before {
            tally.moved(format!(
                "a record stood twice in {} once",
                context.list(index).subject.name()
            ));
        }
    }
    match twice.first_key_value() {
        None => tally.case(),
        Some((id, pages)) => {
            let reading = context
                .list(index)
                .view(look)
                .and_then(|view| view.listed.reading());
            let base = &context.target.config().base_url;
            let shown = pages
                .iter()
                .filter_map(|page| Some(reading?.pages.get(*page)?.evidence(base)));
            let actual = format!(
                "{id} stands there more than once; so do {} others",
                twice.len() - 1
            );
            let told = ("every identifier once", actual);
            let about = context.list(index).subject.name();
            tally.finding(context.finding(about, told, shown.collect()));
        }
    }
    Ok(())
}

/// The identifiers that stand in a reading more than once, each with the pages it stands on.
fn repeated(reading: &Reading) -> BTreeMap<String, BTreeSet<usize>> {
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
pub(super) fn same<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for index in 0..context.corpus.lists.len() {
            if context.list(index).offered {
                same_in(context, index, tally).await?;
            }
        }
        Ok(())
    })
}

async fn same_in(context: &mut Context, index: usize, tally: &mut Tally) -> Result<(), Trouble> {
    let (ids, sample): (Vec<String>, Vec<String>) = {
        let Some(view) = context.list(index).view(&Look::Default) else {
            return Ok(());
        };
        let ids: Vec<_> = view
            .records()
            .filter(|(_, r)| id_of(r).is_some())
            .map(|(id, _)| id.to_owned())
            .collect();
        let sample = context.choice("S9").some(&ids, 4);
        (ids, sample)
    };
    let members = &Members::of(&context.contract, &context.list(index).subject.list.record);
    if !members.described {
        return Ok(()); // Of this record the specification names no member.
    }
    if ids.is_empty() {
        tally.gap(format!("a record in {}", context.list(index).subject.name()));
        return Ok(());
    }
    for look in [Look::Trashed].into_iter().chain(including(context.list(index))) {
        context.view(index, &look).await?;
        let list = context.list(index);
        let differs = |id: &&String| {
            let (ours, theirs) = (record(list, &Look::Default, id), record(list, &look, id));
            ours.zip(theirs)
                .is_some_and(|(ours, theirs)| difference(members, ours, theirs).is_some())
        };
        let Some(suspect) = ids.iter().find(differs).cloned() else {
            tally.cases(ids.iter().filter(|id| record(list, &look, id).is_some()).count());
            continue;
        };
        settle_views(context, index, members, &look, &suspect, tally).await?;
    }
    for id in sample {
        for request in other_requests(context.list(index), &id) {
            settle_request(context, index, members, (&request, &id), tally).await?;
        }
    }
    Ok(())
}

/// The relations that an oracle will need anyway: reading them costs nothing more.
fn including(list: &Surveyed) -> Vec<Look> {
    let seen = list.subject.filters.iter().filter(|judged| !judged.filter.shown);
    seen.filter_map(|judged| Some(Look::Including(judged.filter.seen_in.as_ref()?.include.clone())))
        .collect()
}

fn record<'l>(list: &'l Surveyed, look: &Look, id: &str) -> Option<&'l Record> {
    list.view(look)?.record(id)
}

/// Other requests that show a record: the filter by its identifier, and the single record.
fn other_requests(list: &Surveyed, id: &str) -> Vec<Request> {
    let by_id = list.subject.by_identifier();
    let list_path = &list.subject.operation.path;
    let by_id = by_id.map(|filter| Request::get(list_path).with(&filter.name, id));
    let single = list
        .subject
        .single
        .as_ref()
        .map(|_| Request::get(format!("{list_path}/{}", segment(id))));
    by_id.into_iter().chain(single).collect()
}

/// Compares two ways to read the list, reading both again until the difference stays or goes.
async fn settle_views(
    context: &mut Context,
    index: usize,
    members: &Members,
    look: &Look,
    id: &str,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let ids = BTreeSet::from([id.to_owned()]);
    for _ in 0..3 {
        context.corpus.lists[index]
            .refresh(&context.target, look, &ids)
            .await?;
        let theirs = record(context.list(index), look, id).cloned();
        let before = record(context.list(index), &Look::Default, id).cloned();
        context.corpus.lists[index]
            .refresh(&context.target, &Look::Default, &ids)
            .await?;
        let ours = record(context.list(index), &Look::Default, id).cloned();
        let quiet = ours == before;
        let pair = ours.zip(theirs);
        let Some(what) = pair.and_then(|(ours, theirs)| difference(members, &ours, &theirs)) else {
            tally.moved(format!("{id} looked different in two answers once"));
            return Ok(());
        };
        if quiet {
            let shown =
                [&Look::Default, look].map(|look| context.list(index).view(look).map(|view| &view.listed));
            let evidence = shown
                .into_iter()
                .flatten()
                .map(|listed| context.evidence(listed))
                .collect();
            tally.finding(different(context, index, id, &what, evidence));
            return Ok(());
        }
    }
    tally.moved(format!("{id} changes all the time"));
    Ok(())
}

/// Compares the record with what another request shows of it.
async fn settle_request(
    context: &mut Context,
    index: usize,
    members: &Members,
    (request, id): (&Request, &str),
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let ids = BTreeSet::from([id.to_owned()]);
    for attempt in 0..3 {
        let exchange = context.target.send(request).await?;
        let Some(theirs) = shown_by(context, index, &exchange, id) else {
            tally.gap(format!("{} that shows its record", request.path));
            return Ok(());
        };
        let before = record(context.list(index), &Look::Default, id).cloned();
        if attempt > 0
            || before
                .as_ref()
                .is_some_and(|ours| difference(members, ours, &theirs).is_some())
        {
            context.corpus.lists[index]
                .refresh(&context.target, &Look::Default, &ids)
                .await?;
        }
        let Some(ours) = record(context.list(index), &Look::Default, id).cloned() else {
            return Ok(());
        };
        let Some(what) = difference(members, &ours, &theirs) else {
            tally.case();
            return Ok(());
        };
        if before.as_ref() == Some(&ours) {
            let base = &context.target.config().base_url;
            let list = context
                .list(index)
                .view(&Look::Default)
                .map(|view| context.evidence(&view.listed));
            let evidence = list.into_iter().chain([exchange.evidence(base)]).collect();
            tally.finding(different(context, index, id, &what, evidence));
            return Ok(());
        }
    }
    tally.moved(format!("{id} changes all the time"));
    Ok(())
}

/// The record with this identifier in an answer, be it a record, one in an envelope, or a list.
fn shown_by(context: &Context, index: usize, exchange: &Exchange, id: &str) -> Option<Value> {
    let mut body = exchange.json().filter(|_| exchange.is_success())?;
    let identifier = &context.contract.identifier;
    if id_at(identifier, &body) == Some(id) {
        return Some(body);
    }
    if let Some(inner) = context
        .target
        .config()
        .envelope
        .as_ref()
        .and_then(|name| body.get_mut(name))
        && id_at(identifier, inner) == Some(id)
    {
        return Some(inner.take());
    }
    let listed = single_page(exchange.clone(), &context.target, &context.list(index).paging);
    let found = listed
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

fn different(context: &Context, index: usize, id: &str, what: &str, evidence: Vec<Evidence>) -> Finding {
    let expected = format!("the same record {id} in both answers");
    context.finding(context.list(index).subject.name(), (expected, what), evidence)
}
