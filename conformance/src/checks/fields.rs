//! §2.1, §3: what the members of a record say of each other, and of the records that refer to it.
//!
//! Only records are looked at, no filters: whatever was read of a list is enough. But one rule has an exception for records
//! to which soft-deleted ones refer; where the list was not read to its end, these are asked for.

use crate::checks::scope::{COUNTS, MADE_OF, RELATIONS, STATE_TIMES};
use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Frame, Match, Pointer, Relation, StateTime, Tense};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::members::{Members, count_of, shown_at};
use rollcall_oracle::corpus::predicate::{MARGIN, ONLY, folded};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Ruling, Violation};
use rollcall_oracle::open_points::timestamp;
use serde_json::Value;

use super::{BASE, Check, CheckFuture, Level};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "F1",
        topics: &[RELATIONS],
        clause: "§2.1",
        demands: &["is-manager"],
        level: Level::Guarded,
        says: "Every user named as a manager has `is_manager: true`.",
        needs: "a record that refers to another as its manager, neither of them soft-deleted",
        finds: "a flag that is set by hand, or forgotten when a report moves",
        advice: "Derive the flag from the reports that a person has, in one place, whenever a report moves.",
        core: true,
        run: referred,
        ..BASE
    },
    Check {
        id: "F2",
        topics: &[RELATIONS, COUNTS],
        clause: "§2.1",
        demands: &["is-manager"],
        level: Level::Guarded,
        says: "Every manager has direct reports, and every user with direct reports is a manager.",
        needs: "a record without soft-deleted reports",
        finds: "a flag and a count that are stored apart",
        advice: "Derive flag and count from the same query, and leave out soft-deleted reports.",
        core: true,
        run: flagged,
        ..BASE
    },
    Check {
        id: "F3",
        topics: &[MADE_OF],
        clause: "§2.1",
        demands: &["full-name"],
        says: "A full name contains the first name and the last name.",
        needs: "a record that shows its names",
        finds: "a name that is stored twice and changed once",
        advice: "Derive the full name from its parts when one of them changes.",
        core: true,
        run: composed,
        ..BASE
    },
    Check {
        id: "F4",
        topics: &[STATE_TIMES],
        clause: "§3",
        demands: &["expiring-future"],
        level: Level::Guarded,
        says: "A record in the state `expiring` has an expiration in the future.",
        needs: "a record that is about to expire, and not within two days",
        finds: "a state that is older than its time; an expiration that is not shown",
        advice: "Derive the state from the expiration when a record is read, or move expired records on by a job that \
                 runs often.",
        core: true,
        run: |engine, result| timed(engine, result, Tense::Future),
        ..BASE
    },
    Check {
        id: "F5",
        topics: &[STATE_TIMES],
        clause: "§3",
        demands: &["expired-past"],
        level: Level::Guarded,
        says: "A record in the state `expired` has an expiration in the past.",
        needs: "a record that has expired, and not within two days",
        finds: "a record that expired too early",
        advice: "Derive the state from the expiration when a record is read. Do not expire a record at another event.",
        core: true,
        run: |engine, result| timed(engine, result, Tense::Past),
        ..BASE
    },
];

/// So many records that look wrong are told of, under each rule.
const TOLD: usize = 3;

/// How a record breaks a rule.
struct RecordViolation {
    /// What it should show.
    expected: String,
    /// What it shows.
    actual: String,
    /// Another record that tells so.
    beside: Option<String>,
}

impl RecordViolation {
    /// A record that breaks the rule by itself.
    fn ruling(expected: String, actual: String) -> Ruling<Self> {
        Ruling::Violated(Self {
            expected,
            actual,
            beside: None,
        })
    }
}

type RecordRule = Arc<dyn Fn(&ListCorpus, &str, &Value) -> Ruling<RecordViolation> + Send + Sync>;

/// A request about the record with an identifier. If it finds anything, the record need not keep the rule.
type Excuse = Box<dyn Fn(&str) -> Request + Send + Sync>;

/// The lists whose records the specification describes.
fn described(engine: &Engine) -> Vec<usize> {
    let is_described =
        |list: &usize| Members::of(&engine.contract, &engine.list(*list).spec.list.record).described;
    engine.readable().into_iter().filter(is_described).collect()
}

/// Holds every live record of a list against a rule about some members, the first of which a report names. A record that looks
/// wrong is looked at again. Says how many records the rule speaks of.
async fn hold(
    engine: &mut Engine,
    list: usize,
    members: &[Pointer],
    (rule, excuse): (RecordRule, Option<Excuse>),
    result: &mut CheckResult,
) -> Result<usize, TargetError> {
    let mut kept = 0;
    let mut broken: Vec<(String, Option<String>)> = Vec::new();
    for (id, record) in engine.list(list).live() {
        match rule(engine.list(list), id, record) {
            Ruling::NotApplicable | Ruling::Missing(_) => {}
            Ruling::Holds => kept += 1,
            Ruling::Violated(RecordViolation { beside, .. }) => {
                // The same other record may be why several look wrong.
                if beside.is_none() || broken.iter().all(|(_, other)| *other != beside) {
                    broken.push((id.to_owned(), beside));
                }
            }
        }
    }
    result.count_cases(kept);
    let judged = kept + broken.len();
    let cases = broken.into_iter().take(TOLD).map(|(id, _)| {
        let rule = Arc::clone(&rule);
        let requests = excuse.iter().map(|excuse| excuse(&id)).collect();
        let places = members.iter().cloned().collect();
        let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
            let finds_none =
                |answer: &Arc<ListResponse>| answer.reading().is_some_and(|found| found.records.is_empty());
            let violation = violation(list, &id, &rule).filter(|_| answers.iter().all(finds_none))?;
            Some(Violation {
                places: BTreeSet::clone(&places),
                ..violation
            })
        };
        let about = members.first().map(ToString::to_string);
        Case::new(list, about.unwrap_or_default(), requests, judge)
    });
    let cases = cases.collect();
    engine.run_cases(cases, result).await?;
    Ok(judged)
}

fn violation(list: &ListCorpus, id: &str, rule: &RecordRule) -> Option<Violation> {
    let record = list.widest_snapshot()?.record(id);
    let live = record.filter(|record| !list.spec.is_deleted(record))?;
    let Ruling::Violated(RecordViolation {
        expected,
        actual,
        beside,
    }) = rule(list, id, live)
    else {
        return None;
    };
    let record_ids = beside.into_iter().chain([id.to_owned()]).collect();
    let violation = Violation::of_records(record_ids, expected, |_| format!("{id}: {actual}"));
    violation.map(Violation::of_absence)
}

/// Whether a record is a manager, and who refers to it: the flag of a list that a filter looks at, and the relation that
/// joins records of one list by their identifier.
struct Management {
    flag: Pointer,
    relation: Relation,
    /// The member that refers to the manager.
    reference: Pointer,
}

impl Management {
    fn of(engine: &Engine, list: usize) -> Option<Self> {
        let spec = &engine.list(list).spec;
        let mut flags = spec.matching(Match::Flag);
        let flag = flags.find(|flag| flag.filter.all.is_empty())?;
        let flag = flag.filter.fields.first()?.clone();
        let relation = spec.list.relations.iter().find(|relation| {
            let (listed_by, join) = (relation.listed_by.as_ref(), relation.join.as_ref());
            let is_here = listed_by.is_some_and(|by| by.operation == spec.operation.id);
            relation.many && is_here && join.is_some_and(|join| join.ours == spec.identifier)
        })?;
        Some(Self {
            flag,
            reference: relation.join.as_ref()?.theirs.clone(),
            relation: relation.clone(),
        })
    }

    fn says(&self, record: &Value) -> Option<bool> {
        self.flag.find(record)?.as_bool()
    }

    /// The record that a record refers to.
    fn referred<'r>(&self, record: &'r Value) -> Option<&'r str> {
        self.reference.find(record)?.as_str()
    }

    /// Asks for the soft-deleted records that refer to one, where not all records of the list were read.
    fn deleted_reports(&self, engine: &Engine, list: usize) -> Option<Excuse> {
        let list_corpus = engine.list(list);
        let mut exact = list_corpus.spec.matching(Match::Exact);
        let by_manager = exact.find(|judged| judged.filter.fields == [self.reference.clone()])?;
        let scope = list_corpus.spec.matching(Match::Trashed).next()?;
        if list_corpus.is_read_whole() {
            return None;
        }
        let bare = engine.query(list, &[(scope.name.as_str(), ONLY)]);
        let name = by_manager.name.clone();
        Some(Box::new(move |id| bare.clone().with(&name, id)))
    }

    /// Whether a soft-deleted record refers to this one.
    fn has_deleted_report(&self, list: &ListCorpus, id: &str) -> bool {
        let Some(snapshot) = list.widest_snapshot() else {
            return false;
        };
        let reports = snapshot.by(&self.reference);
        !reports.group(id).deleted.is_empty()
    }
}

fn referred<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in described(engine) {
            let Some(management) = Management::of(engine, list) else {
                continue;
            };
            let members = [management.flag.clone(), management.reference.clone()];
            let rule: RecordRule = Arc::new(move |list, _, record| {
                let id = management.referred(record);
                let named = id.and_then(|id| list.widest_snapshot()?.entry(id));
                let live = named.filter(|(_, named)| !list.spec.is_deleted(named));
                match live.and_then(|(id, named)| Some((id, management.says(named)?))) {
                    None => Ruling::NotApplicable,
                    Some((_, true)) => Ruling::Holds,
                    Some((id, false)) => Ruling::Violated(RecordViolation {
                        expected: format!("{} true of each person that others refer to", management.flag),
                        actual: format!("{} is {id}, where it is false", management.reference),
                        beside: Some(id.to_owned()),
                    }),
                }
            });
            hold(engine, list, &members, (rule, None), result).await?;
        }
        result.gap_if_empty("a record that refers to another as its manager");
        Ok(())
    })
}

fn flagged<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in described(engine) {
            let Some(management) = Management::of(engine, list) else {
                continue;
            };
            let Some(count) = management.relation.count_at.clone() else {
                continue;
            };
            let members = [management.flag.clone(), count.clone()];
            let excuse = management.deleted_reports(engine, list);
            let rule: RecordRule = Arc::new(move |list, id, record| {
                let counted = count.find(record).and_then(count_of);
                let (Some(says), Some(counted)) = (management.says(record), counted) else {
                    return Ruling::NotApplicable;
                };
                if says == (counted > 0) {
                    return Ruling::Holds;
                }
                // Soft-deleted reports may count or not (R15), here one way and there the other.
                if management.has_deleted_report(list, id) {
                    return Ruling::NotApplicable;
                }
                let expected = format!("{} true if {count} is more than 0, else false", management.flag);
                RecordViolation::ruling(expected, format!("{says} and {counted}"))
            });
            hold(engine, list, &members, (rule, excuse), result).await?;
        }
        result.gap_if_empty("a record that shows whether it is a manager and its number of reports");
        Ok(())
    })
}

fn composed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in described(engine) {
            let made = engine.contract.made_of(&engine.list(list).spec.list.record);
            for (whole, parts) in made.unwrap_or_default() {
                let members: Vec<_> = [&whole].into_iter().chain(&parts).cloned().collect();
                let rule: RecordRule = Arc::new(move |_, _, record| contained(record, &whole, &parts));
                hold(engine, list, &members, (rule, None), result).await?;
            }
        }
        result.gap_if_empty("a record that shows its names");
        Ok(())
    })
}

/// Whether a member contains others. Case and blanks may differ.
fn contained(record: &Value, whole: &Pointer, parts: &[Pointer]) -> Ruling<RecordViolation> {
    let text = |place: &Pointer| place.find(record).and_then(Value::as_str);
    let plain = |text: &str| folded(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let Some(full) = text(whole) else {
        return Ruling::NotApplicable;
    };
    let missing = parts.iter().find_map(|part| {
        let value = text(part)?;
        (!plain(full).contains(&plain(value))).then(|| format!("{part} is {value:?}"))
    });
    match missing {
        None => Ruling::Holds,
        Some(part) => {
            let expected = format!("{whole} made of its parts");
            RecordViolation::ruling(expected, format!("{full:?}, while {part}"))
        }
    }
}

fn timed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult, tense: Tense) -> CheckFuture<'a> {
    Box::pin(async move {
        for list in described(engine) {
            let times = engine.contract.state_times(&engine.list(list).spec.list.record);
            let times = times.unwrap_or_default().into_iter();
            for time in times.filter(|time| time.tense == tense) {
                let members = [Some(time.member.clone()), engine.contract.frame.state.clone()];
                let members = Vec::from_iter(members.into_iter().flatten());
                let state = time.state.clone();
                let rule: RecordRule = Arc::new(move |list, _, record| lies(&list.spec.frame, record, &time));
                if hold(engine, list, &members, (rule, None), result).await? == 0 {
                    let name = engine.list(list).spec.name();
                    result.gap(format!("{name}: a record that is {state}"));
                }
            }
        }
        result.gap_if_empty("a list that answers with records");
        Ok(())
    })
}

/// Whether the time of a state lies where the state says. Clocks differ, and states may be kept by a nightly job.
fn lies(frame: &Frame, record: &Value, time: &StateTime) -> Ruling<RecordViolation> {
    let state = frame.state_of(record);
    let Some(shown) = shown_at(&time.member, record).filter(|_| state == Some(&time.state)) else {
        return Ruling::NotApplicable;
    };
    let word = match time.tense {
        Tense::Past => "past",
        Tense::Future => "future",
    };
    let expected = format!("{} in the {word} while the state is {}", time.member, time.state);
    let Some(text) = shown.as_str() else {
        return RecordViolation::ruling(expected, shown.to_string());
    };
    let now = timestamp::now();
    let Some(at) = timestamp::read(text).filter(|at| at.duration_since(now).abs() > MARGIN) else {
        return Ruling::NotApplicable;
    };
    match (at < now) == (time.tense == Tense::Past) {
        true => Ruling::Holds,
        false => RecordViolation::ruling(expected, text.to_owned()),
    }
}
