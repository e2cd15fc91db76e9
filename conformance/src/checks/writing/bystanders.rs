//! What a write leaves as it was: every other record, and of its own record all but state and times (W14). The lists are
//! compared twice: after the first write that an operation grants, and after all writes.
//!
//! Invariant: only members that no rule of the specification derives from others are compared, and only where the lists
//! stayed as they were from the beginning of the run until the writes began.

use rollcall_oracle::http::again::PAUSES;
use rollcall_oracle::http::target::TargetError;

use super::bystander_rule::{BystanderRule, Changes};
use super::sequence::Sequence;
use super::shown_lists::{ShownById, renew, shown_by_id};
use super::written;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::engine::suspect::Suspect;

/// A record that shows something else, by its identifier, and what.
type Change = (String, String);

/// W14: the records show the same as before the writes.
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
            let rule = BystanderRule::of(engine, list, &session.sequences);
            if let Some(change) = lasting(engine, list, (before, &rule), result).await? {
                tell(engine, list, &change, &session.sequences, result);
                continue;
            }
            for sequence in &session.sequences {
                if let Some(change) = hidden(engine, list, (before, &rule), sequence).await? {
                    tell(engine, list, &change, std::slice::from_ref(sequence), result);
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
    (before, rule): (&ShownById, &BystanderRule),
    result: &mut CheckResult,
) -> Result<Option<Change>, TargetError> {
    let mut suspects: Option<Changes> = None;
    for pause in PAUSES {
        renew(engine, list).await?;
        let mut now = rule.differences(engine, before, &shown_by_id(engine, list));
        if let Some(known) = &suspects {
            now.retain(|id, _| known.contains_key(id));
        }
        if now.is_empty() {
            match suspects {
                None => result.count_case(),
                Some(_) => result.moved(format!("{} changed once", engine.list(list).spec.name())),
            }
            return Ok(None);
        }
        suspects = Some(now);
        tokio::time::sleep(pause).await;
    }
    Ok(suspects.and_then(|suspects| suspects.into_iter().next()))
}

/// The first record that showed something else after the first write of an operation, and does so once more after the same
/// write, whatever later writes have made of it.
async fn hidden(
    engine: &mut Engine,
    list: usize,
    (before, rule): (&ShownById, &BystanderRule),
    sequence: &Sequence,
) -> Result<Option<Change>, TargetError> {
    let aside = sequence.aside.as_ref().and_then(|aside| aside.get(&list));
    let first = sequence.attempts.iter().find(|attempt| attempt.is_granted());
    let (Some(aside), Some(first)) = (aside, first) else {
        return Ok(None);
    };
    let suspects = rule.differences(engine, before, aside);
    if suspects.is_empty() {
        return Ok(None);
    }
    let Some(aside) = sequence.look_aside(engine, first).await? else {
        return Ok(None);
    };
    let empty = ShownById::new();
    let now = rule.differences(engine, before, aside.get(&list).unwrap_or(&empty));
    Ok(now.into_iter().find(|(id, _)| suspects.contains_key(id)))
}

/// Adds a violation, shown by a write that was granted and the page that has the record.
fn tell(engine: &Engine, list: usize, (id, what): &Change, sequences: &[Sequence], result: &mut CheckResult) {
    let base = &engine.target.config().base_url;
    let mut attempts = sequences.iter().flat_map(|sequence| &sequence.attempts);
    let granted = attempts.find(|attempt| attempt.is_granted());
    let write = granted.map(|attempt| attempt.exchange.evidence(base));
    let list = engine.list(list);
    let snapshot = list.widest_snapshot();
    let page = snapshot.map(|snapshot| snapshot.response.page_with(Some(id)).evidence(base));
    let expected = "records as they were before the writes, but for state and times";
    let told = (expected, format!("{id}: {what}"));
    let evidence = write.into_iter().chain(page).collect();
    let operations = sequences.iter().map(|sequence| sequence.operation.path.clone());
    let finding = engine.finding(list.spec.name(), told, evidence);
    result.finding(finding.suspecting(operations.map(Suspect::Operation)));
}
