//! §4.2, §4.3: the writes. What is sent is decided in [`session`], which writes once for all checks; each check
//! judges a part of what came back.
//!
//! Invariant: a run that may not write sends nothing but what has to be refused for want of a token.

pub(crate) mod answers;
pub(crate) mod attempt;
pub(crate) mod body;
mod bystander_rule;
mod bystanders;
mod candidates;
mod confirm;
mod day_length;
mod difference;
mod effects;
mod extensions;
mod near_misses;
mod observer;
mod refused;
mod refusing;
mod replay;
mod sending;
pub(crate) mod sequence;
mod session;
mod shown_lists;
pub(super) mod unauthorized;
mod views;
mod write_target;

use rollcall_oracle::judge::Ruling;

use crate::checks::scope::WRITES;

pub(super) use session::written;

use self::attempt::{Attempt, WriteRuling};
use self::sequence::Sequence;
use super::{BASE, Check, CheckFuture, Level};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// What the checks of writes that have to be refused have in common.
const REFUSED: Check = Check {
    needs: "--allow-writes, and the id of a record to write to: a fixture, or one seen in a list or a relation",
    ..BASE
};

/// What the checks of writes that may be granted have in common.
const GRANTED: Check = Check {
    level: Level::Guarded,
    ..REFUSED
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "W10",
        topics: &[WRITES],
        clause: "§4.2, §4.3",
        demands: &["restore", "deprecate"],
        says: "A write to a record that does not exist is refused.",
        finds: "success or an error of the server for an unknown identifier; an identifier that is compared in part",
        advice: "Look the record up by its whole identifier, and answer 404 where there is none.",
        run: |engine, result| over(engine, result, &[refused::unknown_ids]),
        ..REFUSED
    },
    Check {
        id: "W1",
        topics: &[WRITES],
        clause: "§8",
        demands: &["days-range"],
        says: "Days outside the range are refused in any form. A value that is no number of days is refused, or taken for the number \
               that it plainly means.",
        finds: "a bound that is off by one or not checked; fractions that are cut; texts read as 0",
        advice: "Check the range before anything is stored, after every conversion: from the lowest to the highest day, both \
                 included.",
        run: |engine, result| over(engine, result, &[refused::days]),
        ..REFUSED
    },
    Check {
        id: "W4",
        topics: &[WRITES],
        clause: "§4.3",
        demands: &["deprecate-options"],
        says: "A value that is no date-time is refused, or taken for the timestamp that it plainly means.",
        finds: "text that is stored, ignored or taken for now; months that roll over",
        advice: "Parse the text as a date-time with a strict parser, and refuse what it does not take.",
        run: |engine, result| over(engine, result, &[refused::timestamps]),
        ..REFUSED
    },
    Check {
        id: "W8",
        topics: &[WRITES],
        clause: "§4.2",
        demands: &["restore-roles"],
        says: "A required boolean that is missing is refused, and so is a value that no reading makes a boolean.",
        finds: "a member that may be missing or null; any text taken for true",
        advice: "Refuse a body without the member, and every value but a boolean or a usual word for one.",
        run: |engine, result| over(engine, result, &[refused::flags]),
        ..REFUSED
    },
    Check {
        id: "W13",
        topics: &[WRITES],
        clause: "§4",
        demands: &["json-bodies"],
        says: "A body that is not JSON is not carried out.",
        finds: "a broken body taken for an empty one",
        advice: "Let the parser's error become status 400 or 422, and do not treat a broken body as an empty one.",
        run: |engine, result| over(engine, result, &[refused::malformed]),
        ..REFUSED
    },
    Check {
        id: "W11",
        topics: &[WRITES],
        clause: "§4.2, §4.3",
        demands: &["restore", "deprecate"],
        says: "A refused request changes nothing.",
        needs: "--allow-writes, and an answer in which the record can be seen",
        finds: "a write that is carried out before it is checked",
        advice: "Judge the whole request before the first write, and write in one transaction.",
        run: refused::unchanged,
        ..GRANTED
    },
    Check {
        id: "W2",
        topics: &[WRITES],
        clause: "§8",
        demands: &["days-range"],
        says: "The lowest and the highest number of days are accepted.",
        finds: "zero taken for no value; an upper bound that is off by one; an operation that is missing",
        advice: "The range includes both ends. Zero is a number of days and not an absent value.",
        run: |engine, result| over(engine, result, &[effects::days_granted]),
        ..GRANTED
    },
    Check {
        id: "W3",
        topics: &[WRITES],
        clause: "§4.3",
        demands: &["deprecate-options"],
        says: "Optional members can be omitted; nullable members can be null.",
        finds: "null refused; an error for an empty body or for both members",
        advice: "Tell null and absent apart from a wrong value, and allow both where the member is optional.",
        run: |engine, result| over(engine, result, &[effects::nulls]),
        ..GRANTED
    },
    Check {
        id: "W5",
        topics: &[WRITES],
        clause: "§1, §4.2, §4.3",
        demands: &["restore", "deprecate", "json-api"],
        says: "A write answers with the complete record that was changed, as JSON, and its state agrees with its expiration.",
        finds: "another record; an incomplete record; expired with an expiration in the future; a record called HTML",
        advice: "Read the record again after the write, in the same transaction, and render it as the list does.",
        run: |engine, result| over_unless(engine, result, &[effects::answers], effects::lacks_granted),
        ..GRANTED
    },
    Check {
        id: "W6",
        topics: &[WRITES],
        clause: "§4.3",
        demands: &["deprecate-options"],
        says: "`expires_after_days: N` sets the expiration to N days from now, each of 24 hours.",
        finds: "hours or months in place of days; days that are ignored; days in a time zone with summer time; an answer from \
                before the write",
        advice: "Add days to the present time in UTC, not in a local time zone. Look for a unit that the date library takes in hours or months.",
        run: |engine, result| over_unless(engine, result, &[effects::days], effects::lacks_granted),
        ..GRANTED
    },
    Check {
        id: "W7",
        topics: &[WRITES],
        clause: "§4.3",
        demands: &["deprecate-options"],
        says: "A timestamp comes back as the same instant, in the answer and afterwards.",
        finds: "timestamps shifted by a time zone; a time of day that is cut off; an answer that differs from the \
                stored record",
        advice: "Keep the instant: convert an offset to UTC, keep the time of the day and six digits of the second.",
        run: |engine, result| over(engine, result, &[effects::timestamps]),
        ..GRANTED
    },
    Check {
        id: "W9",
        topics: &[WRITES],
        clause: "§4.2",
        demands: &["restore", "restore-roles"],
        says: "Either value of the flag restores a deprecated record, which is then no longer soft-deleted.",
        needs: "--allow-writes, and a deprecated record, or a target that can deprecate it",
        finds: "another record; deleted_at left as it was; one of the two values refused; nothing stored",
        advice: "Clear deleted_at under either value, on the record that the path names, and store it.",
        run: |engine, result| {
            let judges: Judges = &[effects::brought_back, effects::stays_back];
            over_unless(engine, result, judges, effects::lacks_flags)
        },
        ..GRANTED
    },
    Check {
        id: "W14",
        topics: &[WRITES],
        clause: "§4.2, §4.3",
        demands: &["restore", "deprecate"],
        says: "A write changes the state and the timestamps of its record, and no other record.",
        needs: "--allow-writes, a write that is granted, and data that stays as it is otherwise",
        finds: "a change to another record; a name that is lost; a record that disappears",
        advice: "Write by the identifier of the record alone, and only the columns that the operation is about.",
        run: |engine, result| {
            Box::pin(async {
                over(&mut *engine, &mut *result, &[effects::other_record]).await?;
                bystanders::unchanged(engine, result).await
            })
        },
        ..GRANTED
    },
    Check {
        id: "W15",
        topics: &[WRITES],
        clause: "§5",
        demands: &["bearer-token"],
        says: "A write that the token grants is refused without it and with an altered one.",
        needs: "--allow-writes, and a write that is granted",
        finds: "one operation without a guard; a token that is looked for in the wrong place",
        advice: "Put authentication before routing, so that no operation can be without it.",
        run: |engine, result| match refused::failed_access(engine) {
            Some(check) => {
                result.blocked_by("access", check);
                Box::pin(std::future::ready(Ok(())))
            }
            None => over(engine, result, &[refused::without_right]),
        },
        ..REFUSED
    },
    Check {
        id: "W16",
        topics: &[WRITES],
        clause: "§4.2, §4.3",
        demands: &["restore", "deprecate"],
        says: "After a write the record, its list and the records that include it show the same state and timestamps.",
        needs: "--allow-writes, a write that is granted, and two places that show the record",
        finds: "a list from a cache; a copy that is not written along",
        advice: "Show every record from what is stored, or write every copy of it in the same transaction.",
        run: |engine, result| over_unless(engine, result, &[effects::agreement], effects::lacks_views),
        ..GRANTED
    },
];

/// What a check says of each attempt: one ruling of each function.
type Judges = &'static [fn(&Engine, &Sequence, &Attempt) -> WriteRuling];
/// What a sequence lacks for a check to say anything.
type Lacks = fn(&Sequence) -> Option<String>;

/// Judges every attempt of every sequence of writes, if the run may write.
fn over<'a>(engine: &'a mut Engine, result: &'a mut CheckResult, judges: Judges) -> CheckFuture<'a> {
    over_unless(engine, result, judges, |_| None)
}

/// The same for a check that may lack something in spite of attempts.
fn over_unless<'a>(
    engine: &'a mut Engine,
    result: &'a mut CheckResult,
    judges: Judges,
    lacks: Lacks,
) -> CheckFuture<'a> {
    Box::pin(async move {
        let Some(session) = written(engine, result).await? else {
            return Ok(());
        };
        for sequence in &session.sequences {
            for attempt in &sequence.attempts {
                for judge in judges {
                    match judge(engine, sequence, attempt) {
                        Ruling::NotApplicable => {}
                        Ruling::Missing(what) => result.gap(what),
                        Ruling::Holds => result.count_case(),
                        Ruling::Violated(_) => {
                            let case_result = confirm::confirm(engine, sequence, attempt, judges).await?;
                            result.add(case_result);
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
