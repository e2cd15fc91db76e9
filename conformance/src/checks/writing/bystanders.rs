//! What a write leaves as it was: every other record, and of its own record all but state and times (W14). The lists are
//! compared twice: after the first write that an operation grants, and after all writes.
//!
//! Invariant: only members that no rule of the specification derives from others are compared, and only where the lists
//! stayed as they were from the beginning of the run until the writes began.

use std::collections::BTreeMap;

use serde_json::Value;

use super::bystander_rule::Rule;
use super::sequence::Sequence;
use super::written;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::exchange::Evidence;
use crate::http::retry_after::PAUSES;
use crate::http::target::TargetError;

/// What the records of one list show, by their identifiers.
type ShownById = BTreeMap<String, Value>;

/// What lists show, by their places in the corpus.
pub(crate) type Lists = BTreeMap<usize, ShownById>;

/// What every list showed before the writes.
#[derive(Debug, Default)]
pub(crate) struct Before {
    lists: Lists,
    /// Whether something changed while the run only read.
    moves: bool,
}

/// Reads every list once more before anything is written.
pub(super) async fn before(engine: &mut Engine) -> Result<Before, TargetError> {
    let mut before = Before::default();
    for list in engine.readable() {
        let at_first = shown(engine, list);
        renew(engine, list).await?;
        let now = shown(engine, list);
        before.moves |= at_first != now;
        before.lists.insert(list, now);
    }
    Ok(before)
}

/// Reads every list as it is now, but for those that are too long to be read whole.
pub(super) async fn look(engine: &mut Engine) -> Result<Lists, TargetError> {
    let mut lists = Lists::new();
    let short = engine.readable().into_iter();
    let short: Vec<usize> = short.filter(|list| !engine.list(*list).paging.is_long).collect();
    for list in short {
        renew(engine, list).await?;
        lists.insert(list, shown(engine, list));
    }
    Ok(lists)
}

async fn renew(engine: &mut Engine, list: usize) -> Result<(), TargetError> {
    match engine.list(list).widest_projection() {
        Some(projection) => engine.corpus.lists[list].renew(&engine.target, &projection).await,
        None => Ok(()),
    }
}

fn shown(engine: &Engine, list: usize) -> ShownById {
    let snapshot = engine.list(list).widest_snapshot();
    let records = snapshot.into_iter().flat_map(|snapshot| snapshot.records());
    records
        .map(|(id, record)| (id.to_owned(), Value::clone(record)))
        .collect()
}

pub(super) fn unchanged<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let Some(session) = written(engine, result).await? else {
            return Ok(());
        };
        if session.before.moves {
            result.gap("data that stays as it is while nothing is written");
            return Ok(());
        }
        if engine.written.is_empty() {
            result.gap("a write that is granted");
            return Ok(());
        }
        for list in engine.readable() {
            let Some(before) = session.before.lists.get(&list) else {
                continue;
            };
            let rule = Rule::of(engine, list, &session);
            if let Some((id, what)) = lasting(engine, list, (before, &rule), result).await? {
                tell(engine, list, (&id, &what), &session.sequences, result);
                continue;
            }
            for sequence in &session.sequences {
                if let Some((id, what)) = hidden(engine, list, (before, &rule), sequence).await? {
                    tell(engine, list, (&id, &what), std::slice::from_ref(sequence), result);
                }
            }
        }
        Ok(())
    })
}

/// The first record that goes on to show something else than before the writes.
async fn lasting(
    engine: &mut Engine,
    list: usize,
    (before, rule): (&ShownById, &Rule),
    result: &mut CheckResult,
) -> Result<Option<(String, String)>, TargetError> {
    let mut suspects: Option<BTreeMap<String, String>> = None;
    for pause in PAUSES {
        renew(engine, list).await?;
        let now = rule.differences(engine, before, &shown(engine, list));
        let known = suspects.take();
        let is_still_changed = now
            .into_iter()
            .filter(|(id, _)| known.as_ref().is_none_or(|known| known.contains_key(id)));
        let is_still_changed: BTreeMap<_, _> = is_still_changed.collect();
        if is_still_changed.is_empty() {
            match known.is_none() {
                true => result.case(),
                false => result.moved(format!("{} changed once", engine.list(list).spec.name())),
            }
            return Ok(None);
        }
        suspects = Some(is_still_changed);
        tokio::time::sleep(pause).await;
    }
    Ok(suspects.and_then(|suspects| suspects.into_iter().next()))
}

/// The first record that showed something else after the first write of an operation, and does so once more after the same
/// write, whatever later writes have made of it.
async fn hidden(
    engine: &mut Engine,
    list: usize,
    (before, rule): (&ShownById, &Rule),
    sequence: &Sequence,
) -> Result<Option<(String, String)>, TargetError> {
    let Some(aside) = sequence.aside.as_ref().and_then(|aside| aside.get(&list)) else {
        return Ok(None);
    };
    let suspects = rule.differences(engine, before, aside);
    if suspects.is_empty() {
        return Ok(None);
    }
    let Some(first) = sequence.attempts.iter().find(|attempt| attempt.is_granted()) else {
        return Ok(None);
    };
    let Some(aside) = sequence.look_aside(engine, first).await? else {
        return Ok(None);
    };
    let empty = ShownById::new();
    let now = rule.differences(engine, before, aside.get(&list).unwrap_or(&empty));
    Ok(now.into_iter().find(|(id, _)| suspects.contains_key(id)))
}

fn tell(
    engine: &Engine,
    list: usize,
    (id, what): (&str, &str),
    sequences: &[Sequence],
    result: &mut CheckResult,
) {
    let told = (
        "records as they were before the writes, but for state and times",
        format!("{id}: {what}"),
    );
    let evidence = evidence(engine, list, id, sequences);
    let about = engine.list(list).spec.name().to_owned();
    result.finding(engine.finding(about, told, evidence));
}

/// The page that shows the record, and a write that was granted.
fn evidence(engine: &Engine, list: usize, id: &str, sequences: &[Sequence]) -> Vec<Evidence> {
    let base = &engine.target.config().base_url;
    let attempts = sequences.iter().flat_map(|sequence| &sequence.attempts);
    let granted = attempts.filter(|attempt| attempt.is_granted()).take(1);
    let writes = granted.map(|attempt| attempt.exchange.evidence(base));
    let page = engine
        .list(list)
        .widest_snapshot()
        .map(|snapshot| snapshot.response.page_with(Some(id)).evidence(base));
    writes.chain(page).collect()
}
