//! §2.1, §3: what the members of a record say of each other, and of the records that refer to it.
//!
//! Only records are looked at, no filters: whatever was read of a list is enough. But one rule has an exception for records
//! to which soft-deleted ones refer; where the list was not read to its end, these are asked for.

use std::sync::Arc;

use rollcall_contract::{Match, Pointer, Relation, StateTime, Tense};
use serde_json::Value;

use super::{Check, Level, Looking};
use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::Listed;
use crate::members::{Members, shown_at};
use crate::moment;
use crate::outcome::Tally;
use crate::request::Request;
use crate::seen::{MARGIN, ONLY, folded};
use crate::target::Trouble;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "F1",
        covers: &[],
        clause: "§2.1",
        level: Level::Guarded,
        says: "Every user named as a manager has `is_manager: true`.",
        needs: "a record that refers to another as its manager, neither of them soft-deleted",
        finds: "a flag that is kept by hand, or forgotten when a report moves",
        advice: "Derive the flag from the reports that a person has, in one place, whenever a report moves.",
        core: true,
        run: referred,
    },
    Check {
        id: "F2",
        covers: &[],
        clause: "§2.1",
        level: Level::Guarded,
        says: "Every manager has direct reports, and every user with direct reports is a manager.",
        needs: "a record without soft-deleted reports",
        finds: "a flag and a count that are kept apart",
        advice: "Derive flag and count from the same query, and leave out soft-deleted reports.",
        core: true,
        run: flagged,
    },
    Check {
        id: "F3",
        covers: &[],
        clause: "§2.1",
        level: Level::Must,
        says: "A full name contains the first name and the last name.",
        needs: "a record that shows its names",
        finds: "a name that is stored twice and changed once",
        advice: "Derive the full name from its parts when one of them changes.",
        core: true,
        run: composed,
    },
    Check {
        id: "F4",
        covers: &[],
        clause: "§3",
        level: Level::Guarded,
        says: "A record in the state `expiring` has an expiration in the future.",
        needs: "a record that is about to expire, and not within two days",
        finds: "a state that is older than its time; an expiration that is not shown",
        advice: "Derive the state from the expiration when a record is read, or move expired records on by a job that \
                 runs often.",
        core: true,
        run: |context, tally| timed(context, tally, Tense::Future),
    },
    Check {
        id: "F5",
        covers: &[],
        clause: "§3",
        level: Level::Guarded,
        says: "A record in the state `expired` has an expiration in the past.",
        needs: "a record that has expired, and not within two days",
        finds: "a record that expired too early",
        advice: "Derive the state from the expiration when a record is read. Do not expire a record at another event.",
        core: true,
        run: |context, tally| timed(context, tally, Tense::Past),
    },
];

/// So many records that look wrong are told of, under each rule.
const TOLD: usize = 3;

/// What a rule says of a record.
enum Verdict {
    /// Nothing.
    Silent,
    /// It keeps the rule.
    Kept,
    /// It breaks the rule: what it should show and what it shows, and another record that tells so.
    Broken {
        expected: String,
        actual: String,
        beside: Option<String>,
    },
}

type Rule = Arc<dyn Fn(&Surveyed, &str, &Value) -> Verdict + Send + Sync>;

/// A request about the record with an identifier. If it finds anything, the record need not keep the rule.
type Excuse = Box<dyn Fn(&str) -> Request + Send + Sync>;

/// The lists whose records the specification describes.
fn described(context: &Context) -> Vec<usize> {
    let is_described =
        |list: &usize| Members::of(&context.contract, &context.list(*list).subject.list.record).described;
    context.readable().into_iter().filter(is_described).collect()
}

/// Holds every live record of a list against a rule; what looks wrong is looked at again. Says how many records the rule
/// speaks of.
async fn hold(
    context: &mut Context,
    list: usize,
    about: &Pointer,
    (rule, excuse): (Rule, Option<Excuse>),
    tally: &mut Tally,
) -> Result<usize, Trouble> {
    let mut kept = 0;
    let mut broken: Vec<(String, Option<String>)> = Vec::new();
    for (id, record) in context.list(list).live() {
        match rule(context.list(list), id, record) {
            Verdict::Silent => {}
            Verdict::Kept => kept += 1,
            Verdict::Broken { beside, .. } => {
                // The same other record may be why several look wrong.
                if beside.is_none() || broken.iter().all(|(_, other)| *other != beside) {
                    broken.push((id.to_owned(), beside));
                }
            }
        }
    }
    tally.cases(kept);
    let judged = kept + broken.len();
    let cases = broken.into_iter().take(TOLD).map(|(id, _)| {
        let rule = Arc::clone(&rule);
        let requests = excuse.iter().map(|excuse| excuse(&id)).collect();
        let judge = move |answers: &[Arc<Listed>], list: &Surveyed| {
            let finds_none =
                |answer: &Arc<Listed>| answer.reading().is_some_and(|found| found.records.is_empty());
            accusation(list, &id, &rule).filter(|_| answers.iter().all(finds_none))
        };
        Case::new(list, about.to_string(), requests, judge)
    });
    let cases = cases.collect();
    context.settle(cases, tally).await?;
    Ok(judged)
}

fn accusation(list: &Surveyed, id: &str, rule: &Rule) -> Option<Accusation> {
    let record = list.fullest()?.record(id)?;
    match rule(list, id, record) {
        Verdict::Broken {
            expected,
            actual,
            beside,
        } if !list.subject.is_deleted(record) => Some(Accusation {
            expected,
            actual: format!("{id}: {actual}"),
            culprits: Some(beside.into_iter().chain([id.to_owned()]).collect()),
            absence: true,
            shows: None,
        }),
        _ => None,
    }
}

/// Whether a record is a manager, and who refers to it: the flag of a list that a filter looks at, and the relation that
/// joins records of one list by their identifier.
#[derive(Clone)]
struct Management {
    flag: Pointer,
    relation: Relation,
    /// The member that refers to the manager.
    reference: Pointer,
}

impl Management {
    fn of(context: &Context, list: usize) -> Option<Self> {
        let subject = &context.list(list).subject;
        let mut flags = subject
            .matching(Match::Flag)
            .filter(|flag| flag.filter.all.is_empty());
        let flag = flags.next()?.filter.fields.first()?.clone();
        let relation = subject.list.relations.iter().find(|relation| {
            let here = relation
                .listed_by
                .as_ref()
                .is_some_and(|by| by.operation == subject.operation.id);
            here && relation.many
                && relation
                    .join
                    .as_ref()
                    .is_some_and(|join| join.ours == subject.identifier)
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
    fn deleted_reports(&self, context: &Context, list: usize) -> Option<Excuse> {
        let surveyed = context.list(list);
        let mut exact = surveyed.subject.matching(Match::Exact);
        let by_manager = exact.find(|judged| judged.filter.fields == [self.reference.clone()])?;
        let scope = surveyed.subject.matching(Match::Trashed).next()?;
        if surveyed.is_read_whole() {
            return None;
        }
        let bare = context.query(list, &[(scope.name.as_str(), ONLY)]);
        let name = by_manager.name.clone();
        Some(Box::new(move |id| bare.clone().with(&name, id)))
    }

    /// Whether a soft-deleted record refers to this one.
    fn has_deleted_report(&self, list: &Surveyed, id: &str) -> bool {
        let Some(view) = list.fullest() else { return false };
        let reports = view.by(&self.reference);
        !reports.group(id).deleted.is_empty()
    }
}

fn referred<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in described(context) {
            let Some(management) = Management::of(context, list) else {
                continue;
            };
            let flag = management.flag.clone();
            let rule: Rule = Arc::new(move |list, _, record| {
                let referred = management.referred(record);
                let named = referred.and_then(|id| Some((id, list.fullest()?.record(id)?)));
                match named {
                    Some((id, named)) if !list.subject.is_deleted(named) => match management.says(named) {
                        None => Verdict::Silent,
                        Some(true) => Verdict::Kept,
                        Some(false) => Verdict::Broken {
                            expected: format!("{} true of each person that others refer to", management.flag),
                            actual: format!("{} is {id}, where it is false", management.reference),
                            beside: Some(id.to_owned()),
                        },
                    },
                    _ => Verdict::Silent,
                }
            });
            hold(context, list, &flag, (rule, None), tally).await?;
        }
        tally.gap_if_empty("a record that refers to another as its manager");
        Ok(())
    })
}

fn flagged<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in described(context) {
            let Some(management) = Management::of(context, list) else {
                continue;
            };
            let Some(member) = management.relation.count.clone() else {
                continue;
            };
            let count = Pointer::of(["count", member.as_str()]);
            let flag = management.flag.clone();
            let excuse = management.deleted_reports(context, list);
            let rule: Rule = Arc::new(move |list, id, record| {
                let counted = count.find(record).and_then(Value::as_u64);
                let (Some(says), Some(counted)) = (management.says(record), counted) else {
                    return Verdict::Silent;
                };
                if says == (counted > 0) {
                    return Verdict::Kept;
                }
                // Soft-deleted reports may count or not (R15), here one way and there the other.
                if management.has_deleted_report(list, id) {
                    return Verdict::Silent;
                }
                Verdict::Broken {
                    expected: format!("{} true if {count} is more than 0, else false", management.flag),
                    actual: format!("{says} and {counted}"),
                    beside: None,
                }
            });
            hold(context, list, &flag, (rule, excuse), tally).await?;
        }
        tally.gap_if_empty("a record that shows whether it is a manager and its number of reports");
        Ok(())
    })
}

fn composed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in described(context) {
            let made = context.contract.made_of(&context.list(list).subject.list.record);
            for (whole, parts) in made.unwrap_or_default() {
                let about = whole.clone();
                let rule: Rule = Arc::new(move |_, _, record| contained(record, &whole, &parts));
                hold(context, list, &about, (rule, None), tally).await?;
            }
        }
        tally.gap_if_empty("a record that shows its names");
        Ok(())
    })
}

/// Whether a member contains others. Case and blanks may differ.
fn contained(record: &Value, whole: &Pointer, parts: &[Pointer]) -> Verdict {
    let text = |place: &Pointer| place.find(record).and_then(Value::as_str);
    let plain = |text: &str| folded(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let Some(full) = text(whole) else {
        return Verdict::Silent;
    };
    let missing = parts.iter().find_map(|part| {
        let value = text(part)?;
        (!plain(full).contains(&plain(value))).then(|| format!("{part} is {value:?}"))
    });
    match missing {
        None => Verdict::Kept,
        Some(part) => Verdict::Broken {
            expected: format!("{whole} made of its parts"),
            actual: format!("{full:?}, while {part}"),
            beside: None,
        },
    }
}

fn timed<'a>(context: &'a mut Context, tally: &'a mut Tally, tense: Tense) -> Looking<'a> {
    Box::pin(async move {
        for list in described(context) {
            let times = context
                .contract
                .state_times(&context.list(list).subject.list.record);
            let times = times.unwrap_or_default().into_iter();
            for time in times.filter(|time| time.tense == tense) {
                let (member, state) = (time.member.clone(), time.state.clone());
                let rule: Rule = Arc::new(move |_, _, record| lies(record, &time));
                if hold(context, list, &member, (rule, None), tally).await? == 0 {
                    tally.gap(format!(
                        "{}: a record that is {state}",
                        context.list(list).subject.name()
                    ));
                }
            }
        }
        tally.gap_if_empty("a list that answers with records");
        Ok(())
    })
}

/// Whether the time of a state lies where the state says. Clocks differ, and states may be kept by a nightly job.
fn lies(record: &Value, time: &StateTime) -> Verdict {
    let state = Pointer::of(["state"]).find(record).and_then(Value::as_str);
    let Some(shown) = shown_at(&time.member, record).filter(|_| state == Some(&time.state)) else {
        return Verdict::Silent;
    };
    let word = match time.tense {
        Tense::Past => "past",
        Tense::Future => "future",
    };
    let expected = format!("{} in the {word} while the state is {}", time.member, time.state);
    let Some(text) = shown.as_str() else {
        return Verdict::Broken {
            expected,
            actual: shown.to_string(),
            beside: None,
        };
    };
    let now = moment::now();
    let Some(at) = moment::read(text).filter(|at| at.duration_since(now).abs() > MARGIN) else {
        return Verdict::Silent;
    };
    match (at < now) == (time.tense == Tense::Past) {
        true => Verdict::Kept,
        false => Verdict::Broken {
            expected,
            actual: text.to_owned(),
            beside: None,
        },
    }
}
