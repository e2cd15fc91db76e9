//! What a write leaves as it was: every other record, and of its own record all but state and times (W14).
//!
//! Invariant: only members that no rule of the specification derives from others are compared, and only where the lists
//! stayed as they were from the beginning of the run until the writes began.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::Pointer;
use serde_json::Value;

use super::{Session, written};
use crate::checks::CheckFuture;
use crate::corpus::members::{Kind, Members};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::exchange::Evidence;
use crate::http::retry_after::PAUSES;
use crate::http::target::TargetError;

/// What the records of one list show, by their identifiers.
type ShownById = BTreeMap<String, Value>;

/// What every list showed before the writes.
#[derive(Debug, Default)]
pub(crate) struct Before {
    lists: BTreeMap<usize, ShownById>,
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
            compare(engine, list, &session, result).await?;
        }
        Ok(())
    })
}

/// Compares one list with what it showed before the writes, again and again until a difference stays or goes.
async fn compare(
    engine: &mut Engine,
    list: usize,
    session: &Session,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let Some(before) = session.before.lists.get(&list) else {
        return Ok(());
    };
    let record = &engine.list(list).spec.list.record;
    let is_written = session
        .sequences
        .iter()
        .any(|sequence| sequence.operation.answer.schema.as_ref() == Some(record));
    let members = Members::of(&engine.contract, record);
    let mut suspects: Option<BTreeMap<String, String>> = None;
    for pause in PAUSES {
        renew(engine, list).await?;
        let now = differences(engine, list, before, (&members, is_written));
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
            return Ok(());
        }
        suspects = Some(is_still_changed);
        tokio::time::sleep(pause).await;
    }
    if let Some((id, what)) = suspects.as_ref().and_then(BTreeMap::first_key_value) {
        let told = (
            "records as they were before the writes, but for state and times",
            format!("{id}: {what}"),
        );
        let evidence = evidence(engine, list, id, session);
        let about = engine.list(list).spec.name().to_owned();
        result.finding(engine.finding(about, told, evidence));
    }
    Ok(())
}

/// The page that shows the record, and the writes that were granted.
fn evidence(engine: &Engine, list: usize, id: &str, session: &Session) -> Vec<Evidence> {
    let base = &engine.target.config().base_url;
    let attempts = session.sequences.iter().flat_map(|sequence| &sequence.attempts);
    let granted = attempts.filter(|attempt| attempt.exchange.is_success()).take(1);
    let writes = granted.map(|attempt| attempt.exchange.evidence(base));
    let page = engine
        .list(list)
        .widest_snapshot()
        .map(|snapshot| snapshot.response.page_with(Some(id)).evidence(base));
    writes.chain(page).collect()
}

/// The records that show something else, each with what; in lists that nothing was written to only what a person owns.
fn differences(
    engine: &Engine,
    list: usize,
    before: &ShownById,
    (members, is_written): (&Members, bool),
) -> BTreeMap<String, String> {
    let now = shown(engine, list);
    let own: BTreeSet<&String> = engine.written.iter().collect();
    let mut differences = BTreeMap::new();
    for (id, old) in before {
        let Some(new) = now.get(id) else {
            differences.insert(id.clone(), "is no longer in the list".to_owned());
            continue;
        };
        let may_end = own.contains(id) || !is_written;
        let differs =
            |place: &&Pointer| place.find(old) != place.find(new) && !is_derived(members, place, may_end);
        if let Some(place) = members.comparable().find(differs) {
            let (old, new) = (place.find(old), place.find(new));
            let text = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
            differences.insert(
                id.clone(),
                format!("{place} was {}, and is {}", text(old), text(new)),
            );
        }
    }
    differences
}

/// Whether a write may change a member of a record: counts and free-form members follow from other records, the time of
/// the last update from anything; `may_end` if the write is about the state and the times of the record.
fn is_derived(members: &Members, place: &Pointer, may_end: bool) -> bool {
    match members.kind(place) {
        Kind::Count | Kind::FreeForm | Kind::Link => true,
        Kind::Timestamp => {
            place.last() == Some("updated_at") || may_end && place.last() != Some("created_at")
        }
        Kind::Enumerated => may_end && place.last() == Some("state"),
        Kind::Member | Kind::Identifier => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_derived_and_a_count_always() {
        let contract = crate::our_contract().unwrap();
        let members = Members::of(&contract, "DirectoryAttribute");
        let derived = |place: &[&str], may_end| is_derived(&members, &Pointer::of(place.to_vec()), may_end);
        for may_end in [true, false] {
            assert!(!derived(&["name"], may_end) && derived(&["count", "policy_rules"], may_end));
            assert!(derived(&["timestamp", "updated_at"], may_end));
        }
        assert!(derived(&["state"], true) && !derived(&["state"], false));
        assert!(derived(&["timestamp", "expires_at"], true) && !derived(&["timestamp", "created_at"], true));
    }
}
