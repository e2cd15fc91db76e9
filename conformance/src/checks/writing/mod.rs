//! §4.2, §4.3: the writes. What is sent is decided in [`session`], which writes once for all checks; each check judges a
//! part of what came back.
//!
//! Invariant: a run that may not write sends nothing but what has to be refused for want of a token.

pub(crate) mod answers;
pub(crate) mod attempt;
pub(crate) mod body;
mod bystander_rule;
mod bystanders;
mod candidates;
mod carried_out;
mod confirm;
mod effects;
mod extensions;
mod near_misses;
mod observer;
mod refused;
mod refusing;
mod replay;
mod sending;
pub(crate) mod sequence;
pub(crate) mod session;
mod spellings;
pub(super) mod unauthorized;
mod unknown_ids;
mod views;
mod write_target;

use std::sync::Arc;

use rollcall_contract::{Contract, Method, Operation};

pub(crate) use session::Session;
pub(super) use write_target::path;

use self::attempt::{Attempt, Ruling};
use self::sequence::Sequence;
use super::{Check, CheckFuture, Level};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;

/// What most of these checks need.
const A_WRITE: &str =
    "--allow-writes, and the id of a record to write to: a fixture, or one seen in a list or a relation";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "W10",
        covers: &[],
        clause: "§4.2",
        level: Level::Must,
        says: "A write to a record that does not exist is refused.",
        needs: A_WRITE,
        finds: "success for an unknown identifier; an error of the server where nothing is found",
        advice: "Look the record up by its whole identifier, and answer 404 where there is none.",
        core: false,
        run: |engine, result| over(engine, result, refused::unknown_ids),
    },
    Check {
        id: "W1",
        covers: &[],
        clause: "§8",
        level: Level::Must,
        says: "Days outside the range, and days that are not a whole number, are refused.",
        needs: A_WRITE,
        finds: "a bound that is off by one or not checked; fractions, texts or booleans taken for a number",
        advice: "Check type and range before anything is stored: a whole JSON number from the lowest to the highest \
                 day, both included.",
        core: false,
        run: |engine, result| over(engine, result, refused::days),
    },
    Check {
        id: "W4",
        covers: &[],
        clause: "§4.3",
        level: Level::Must,
        says: "A timestamp that is not a date-time is refused.",
        needs: A_WRITE,
        finds: "text that is stored, ignored or taken for now; months that roll over",
        advice: "Parse the text as a date-time with a strict parser, and refuse what it does not take.",
        core: false,
        run: |engine, result| over(engine, result, refused::timestamps),
    },
    Check {
        id: "W8",
        covers: &[],
        clause: "§4.2",
        level: Level::Must,
        says: "A required boolean that is missing or has another type is refused.",
        needs: A_WRITE,
        finds: "a member that may be missing; texts and numbers taken for a boolean",
        advice: "Ask for a JSON boolean: texts, numbers and null are none, and a missing member is refused.",
        core: false,
        run: |engine, result| over(engine, result, refused::flags),
    },
    Check {
        id: "W13",
        covers: &[],
        clause: "§4",
        level: Level::Must,
        says: "A body that is not JSON is refused with a status that blames the request, such as 400.",
        needs: A_WRITE,
        finds: "an error of the server; a broken body taken for an empty one",
        advice: "Let the parser's error become status 400 or 422, and do not treat a broken body as an empty one.",
        core: false,
        run: |engine, result| over(engine, result, refused::malformed),
    },
    Check {
        id: "W11",
        covers: &[],
        clause: "§4.3",
        level: Level::Guarded,
        says: "A refused request changes nothing.",
        needs: "--allow-writes, and an answer in which the record can be seen",
        finds: "a write that is carried out before it is checked",
        advice: "Judge the whole request before the first write, and write in one transaction.",
        core: false,
        run: refused::unchanged,
    },
    Check {
        id: "W2",
        covers: &[],
        clause: "§8",
        level: Level::Guarded,
        says: "The lowest and the highest number of days are accepted.",
        needs: A_WRITE,
        finds: "zero taken for no value; an upper bound that is off by one; an operation that is missing",
        advice: "The range includes both ends. Zero is a number of days and not an absent value.",
        core: false,
        run: |engine, result| over(engine, result, carried_out::days),
    },
    Check {
        id: "W3",
        covers: &[],
        clause: "§4.3",
        level: Level::Guarded,
        says: "Optional members can be omitted; nullable members can be null.",
        needs: A_WRITE,
        finds: "null refused; an error for an empty body or for both members",
        advice: "Tell null and absent apart from a wrong value, and allow both where the member is optional.",
        core: false,
        run: |engine, result| over(engine, result, carried_out::nulls),
    },
    Check {
        id: "W5",
        covers: &[],
        clause: "§4.3",
        level: Level::Guarded,
        says: "A write answers with the complete record that was changed, and its state agrees with its expiration.",
        needs: A_WRITE,
        finds: "another record; an incomplete record; expired with an expiration in the future",
        advice: "Read the record again after the write, in the same transaction, and render it as the list does.",
        core: false,
        run: |engine, result| over_unless(engine, result, effects::answers, effects::lacks_granted),
    },
    Check {
        id: "W6",
        covers: &[],
        clause: "§4.3",
        level: Level::Guarded,
        says: "`expires_after_days: N` sets the expiration to N days from now.",
        needs: A_WRITE,
        finds: "hours or months in place of days; days that are ignored; an answer from before the write",
        advice: "Add days to the present time in UTC. Look for a unit that the date library takes in hours or months.",
        core: false,
        run: |engine, result| over_unless(engine, result, effects::days, effects::lacks_granted),
    },
    Check {
        id: "W7",
        covers: &[],
        clause: "§4.3",
        level: Level::Guarded,
        says: "A timestamp comes back as the same instant, in the answer and afterwards.",
        needs: A_WRITE,
        finds: "timestamps shifted by a time zone; a time of day that is cut off; an answer that differs from the \
                stored record",
        advice: "Keep the instant: convert an offset to UTC, keep the time of the day and six digits of the second.",
        core: false,
        run: |engine, result| over(engine, result, effects::timestamps),
    },
    Check {
        id: "W9",
        covers: &[],
        clause: "§4.2",
        level: Level::Guarded,
        says: "Either value of the flag restores a deprecated record, which is then no longer soft-deleted.",
        needs: "--allow-writes, and a deprecated record, or a target that can deprecate it",
        finds: "another record; deleted_at left as it was; one of the two values refused; nothing stored",
        advice: "Clear deleted_at under either value, on the record that the path names, and store it.",
        core: false,
        run: |engine, result| {
            over_unless(
                engine,
                result,
                effects::brought_back,
                effects::lacks_bringing_back,
            )
        },
    },
    Check {
        id: "W14",
        covers: &[],
        clause: "§4.2, §4.3",
        level: Level::Guarded,
        says: "A write changes the state and the timestamps of its record, and no other record.",
        needs: "--allow-writes, a write that is granted, and data that stays as it is otherwise",
        finds: "a change to another record; a name that is lost; a record that disappears",
        advice: "Write by the identifier of the record alone, and only the columns that the operation is about.",
        core: false,
        run: |engine, result| {
            Box::pin(async {
                over(&mut *engine, &mut *result, effects::other_record).await?;
                bystanders::unchanged(engine, result).await
            })
        },
    },
    Check {
        id: "W15",
        covers: &[],
        clause: "§5",
        level: Level::Must,
        says: "A write that the token grants is refused without it, with an altered one and under another scheme.",
        needs: "--allow-writes, and a write that is granted",
        finds: "one operation without a guard; a token that is looked for in the wrong place",
        advice: "Put authentication before routing, so that no operation can be without it.",
        core: false,
        run: |engine, result| match refused::failed_access(engine) {
            Some(check) => {
                result.blocked_by(format!("access failed {check}"));
                Box::pin(std::future::ready(Ok(())))
            }
            None => over(engine, result, refused::without_right),
        },
    },
    Check {
        id: "W16",
        covers: &[],
        clause: "§4.2, §4.3",
        level: Level::Guarded,
        says: "After a write the record, its list and the records that include it show the same state and timestamps.",
        needs: "--allow-writes, a write that is granted, and two places that show the record",
        finds: "a list from a cache; a copy that is not written along",
        advice: "Show every record from what is stored, or write every copy of it in the same transaction.",
        core: false,
        run: |engine, result| over_unless(engine, result, effects::agreement, effects::lacks_views),
    },
];

/// The writes that the specification has.
pub(crate) fn writes(contract: &Contract) -> Vec<Operation> {
    let operations = contract.operations.iter();
    let writes =
        operations.filter(|operation| operation.method == Method::Patch && !operation.origin.extension);
    writes.cloned().collect()
}

/// What a check says of each attempt.
type Judge = fn(&Engine, &Sequence, &Attempt) -> Vec<Ruling>;
/// What a sequence lacks for a check to say anything.
type Lacks = fn(&Sequence) -> Option<String>;

/// Judges every attempt of every sequence of writes, if the run may write.
fn over<'a>(engine: &'a mut Engine, result: &'a mut CheckResult, judge: Judge) -> CheckFuture<'a> {
    over_unless(engine, result, judge, |_| None)
}

/// The same for a check that may lack something in spite of attempts.
fn over_unless<'a>(
    engine: &'a mut Engine,
    result: &'a mut CheckResult,
    judge: Judge,
    lacks: Lacks,
) -> CheckFuture<'a> {
    Box::pin(async move {
        let Some(session) = written(engine, result).await? else {
            return Ok(());
        };
        for sequence in &session.sequences {
            for attempt in &sequence.attempts {
                for ruling in judge(engine, sequence, attempt) {
                    match ruling {
                        Ruling::Holds => result.case(),
                        Ruling::Missing(what) => result.gap(what),
                        Ruling::Violated(_) => {
                            let case_result = confirm::confirm(engine, sequence, attempt, judge).await?;
                            result.run_cases(case_result);
                            break; // The other rulings of the same answer are part of what was confirmed.
                        }
                    }
                }
            }
            if let Some(what) = lacks(sequence) {
                result.gap(what);
            }
        }
        Ok(())
    })
}

/// The flag without which nothing is written.
pub(crate) const ALLOW_WRITES: &str = "--allow-writes";

/// What was written, if the run may write.
pub(super) async fn written(
    engine: &mut Engine,
    result: &mut CheckResult,
) -> Result<Option<Arc<Session>>, TargetError> {
    if !engine.config.allow_writes {
        result.gap(ALLOW_WRITES);
        return Ok(None);
    }
    let session = session::session(engine).await?;
    for gap in &session.gaps {
        result.gap(gap);
    }
    for write in session.sequences.iter().flat_map(|sequence| &sequence.unanswered) {
        result.gap(format!("an answer to {write}: the target is too busy"));
    }
    Ok(Some(session))
}
