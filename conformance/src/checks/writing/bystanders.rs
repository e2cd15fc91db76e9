//! What a write leaves as it was: every other record, and of its own record all but state and times (W14).
//!
//! Invariant: only members that no rule of the specification derives from others are compared, and only where the lists
//! stayed as they were from the beginning of the run until the writes began.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::Pointer;
use serde_json::Value;

use super::{Session, written};
use crate::checks::Looking;
use crate::context::Context;
use crate::exchange::Evidence;
use crate::members::{Kind, Members};
use crate::outcome::Tally;
use crate::patience::PAUSES;
use crate::target::Trouble;

/// What the records of one list show, by their identifiers.
type Shown = BTreeMap<String, Value>;

/// What every list showed before the writes.
#[derive(Debug, Default)]
pub(crate) struct Before {
    lists: BTreeMap<usize, Shown>,
    /// Whether something changed while the run only read.
    moves: bool,
}

/// Reads every list once more before anything is written.
pub(super) async fn before(context: &mut Context) -> Result<Before, Trouble> {
    let mut before = Before::default();
    for list in context.readable() {
        let at_first = shown(context, list);
        renew(context, list).await?;
        let now = shown(context, list);
        before.moves |= at_first != now;
        before.lists.insert(list, now);
    }
    Ok(before)
}

async fn renew(context: &mut Context, list: usize) -> Result<(), Trouble> {
    match context.list(list).fullest_look() {
        Some(look) => context.corpus.lists[list].renew(&context.target, &look).await,
        None => Ok(()),
    }
}

fn shown(context: &Context, list: usize) -> Shown {
    let view = context.list(list).fullest();
    let records = view.into_iter().flat_map(|view| view.records());
    records
        .map(|(id, record)| (id.to_owned(), Value::clone(record)))
        .collect()
}

pub(super) fn unchanged<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let Some(session) = written(context, tally).await? else {
            return Ok(());
        };
        if session.before.moves {
            tally.gap("data that stays as it is while nothing is written");
            return Ok(());
        }
        if context.written.is_empty() {
            tally.gap("a write that is granted");
            return Ok(());
        }
        for list in context.readable() {
            compare(context, list, &session, tally).await?;
        }
        Ok(())
    })
}

/// Compares one list with what it showed before the writes, again and again until a difference stays or goes.
async fn compare(
    context: &mut Context,
    list: usize,
    session: &Session,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let Some(before) = session.before.lists.get(&list) else {
        return Ok(());
    };
    let record = &context.list(list).subject.list.record;
    let is_written = session
        .sequences
        .iter()
        .any(|sequence| sequence.operation.answer.schema.as_ref() == Some(record));
    let members = Members::of(&context.contract, record);
    let mut suspects: Option<BTreeMap<String, String>> = None;
    for pause in PAUSES {
        renew(context, list).await?;
        let now = differences(context, list, before, (&members, is_written));
        let known = suspects.take();
        let still = now
            .into_iter()
            .filter(|(id, _)| known.as_ref().is_none_or(|known| known.contains_key(id)));
        let still: BTreeMap<_, _> = still.collect();
        if still.is_empty() {
            match known.is_none() {
                true => tally.case(),
                false => tally.moved(format!("{} changed once", context.list(list).subject.name())),
            }
            return Ok(());
        }
        suspects = Some(still);
        tokio::time::sleep(pause).await;
    }
    if let Some((id, what)) = suspects.as_ref().and_then(BTreeMap::first_key_value) {
        let told = (
            "records as they were before the writes, but for state and times",
            format!("{id}: {what}"),
        );
        let evidence = evidence(context, list, id, session);
        let about = context.list(list).subject.name().to_owned();
        tally.finding(context.finding(about, told, evidence));
    }
    Ok(())
}

/// The page that shows the record, and the writes that were granted.
fn evidence(context: &Context, list: usize, id: &str, session: &Session) -> Vec<Evidence> {
    let base = &context.target.config().base_url;
    let attempts = session.sequences.iter().flat_map(|sequence| &sequence.attempts);
    let granted = attempts.filter(|attempt| attempt.exchange.is_success()).take(1);
    let writes = granted.map(|attempt| attempt.exchange.evidence(base));
    let page = context
        .list(list)
        .fullest()
        .map(|view| view.listed.page_with(Some(id)).evidence(base));
    writes.chain(page).collect()
}

/// The records that show something else, each with what; in lists that nothing was written to only what a person owns.
fn differences(
    context: &Context,
    list: usize,
    before: &Shown,
    (members, is_written): (&Members, bool),
) -> BTreeMap<String, String> {
    let now = shown(context, list);
    let own: BTreeSet<&String> = context.written.iter().collect();
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
