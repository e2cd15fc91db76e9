//! §4.1: the filters that are true or false. A flag of one member parts the list in two; a flag of several conditions
//! says something of the records it finds.

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Condition, Match, Test};

use super::cases::{complete, filters, is_whole, sound};
use super::exact::sets::common;
use super::{Check, CheckFuture, Level};
use crate::corpus::ListCorpus;
use crate::corpus::listing::ListResponse;
use crate::corpus::predicate::{Membership, ObservableFilter};
use crate::corpus::query::Query;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::oracle::Violation;

const YES: &str = "true";
const NO: &str = "false";

const FLAGGED: &str = "a record of which the flag is true";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "B1",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "The filter for managers finds every manager and no other user.",
        needs: FLAGGED,
        finds: "a flag that is ignored, reversed, or counts soft-deleted reports",
        advice: "Read the flag as a boolean and compare it with the same member that the record shows.",
        core: true,
        run: trues,
    },
    Check {
        id: "B2",
        covers: &["B3"],
        clause: "§4.1",
        level: Level::Must,
        says: "The filter for individual contributors finds no manager, and no user whom the filter for managers \
               finds.",
        needs: "a record of which the flag is false, and one of which it is true",
        finds: "`false` read as if the filter were missing",
        advice: "`false` is a value: ask whether the parameter is present and not whether it is true.",
        core: true,
        run: falses,
    },
    Check {
        id: "B4",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "A user who is no manager is an individual contributor: both filters together find the whole list.",
        needs: "a record, and a stable order where there are several pages",
        finds: "records without a value, which neither filter finds",
        advice: "Take a missing flag for false: in SQL, `NULL = false` is not true.",
        core: true,
        run: both,
    },
    Check {
        id: "B5",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "A user who waits for deactivation is still active.",
        needs: "an active record that the vendor has deprovisioned",
        finds: "a filter that ignores the state, or is ignored",
        advice: "Join both conditions: the state is active, and the vendor has deprovisioned the record.",
        core: true,
        run: |engine, result| waiting(engine, result, |test| matches!(test, Test::Is(_))),
    },
    Check {
        id: "B6",
        covers: &[],
        clause: "§4.1",
        level: Level::Guarded,
        says: "A user who waits for deactivation was deprovisioned.",
        needs: "an active record that the vendor has deprovisioned",
        finds: "a filter that looks at the state alone",
        advice: "Join both conditions: the state is active, and the vendor has deprovisioned the record.",
        core: true,
        run: |engine, result| waiting(engine, result, |test| matches!(test, Test::Present(_))),
    },
];

/// The flags of one member, of which records show true and false; what is not shown is a gap.
async fn parting(
    engine: &mut Engine,
    result: &mut CheckResult,
) -> Result<Vec<ObservableFilter>, crate::http::target::TargetError> {
    let mut parting = Vec::new();
    for filter in filters(engine, Match::Flag, result).await? {
        if !filter.all.is_empty() {
            continue;
        }
        let values = engine.values(&filter);
        let missing: Vec<_> = [YES, NO]
            .into_iter()
            .filter(|value| !values.contains_key(*value))
            .collect();
        if missing.is_empty() {
            parting.push(filter);
        } else {
            result.gap(format!(
                "{}: a record of which it is {}",
                filter.name,
                missing.join(" or ")
            ));
        }
    }
    Ok(parting)
}

fn trues<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for filter in parting(engine, result).await? {
            cases.push(sound(engine, Query::by(&filter, YES)));
            cases.push(complete(engine, Query::by(&filter, YES)));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

fn falses<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for filter in parting(engine, result).await? {
            cases.push(sound(engine, Query::by(&filter, NO)));
            let requests = [NO, YES].map(|value| Query::by(&filter, value).request(engine.list(filter.list)));
            let about = (filter.name.clone(), filter.clause.clone());
            let judge = |answers: &[Arc<ListResponse>], _: &_| common(&answers[0], &answers[1]);
            let case = Case::new(filter.list, about, requests.into(), judge);
            cases.push(case.invalidates([filter.name.clone()]).needing(FLAGGED));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

fn both<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for filter in parting(engine, result).await? {
            if !is_whole(engine, filter.list) {
                result.gap(format!(
                    "{}: a stable order",
                    engine.list(filter.list).spec.name()
                ));
                continue;
            }
            let requests = [NO, YES].map(|value| Query::by(&filter, value).request(engine.list(filter.list)));
            let about = (filter.name.clone(), filter.clause.clone());
            let case = Case::new(filter.list, about, requests.into(), left_out);
            cases.push(case.invalidates([filter.name.clone()]));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

/// The live records that stand in neither answer.
fn left_out(answers: &[Arc<ListResponse>], list: &ListCorpus) -> Option<Violation> {
    let (mut found, mut readings) = (BTreeSet::new(), Vec::new());
    for (index, answer) in answers.iter().enumerate() {
        let Some(reading) = answer.reading() else {
            return Some(Violation::of_answer("the records of which it is so", answer).shown_by([index]));
        };
        readings.push(reading);
        found.extend(reading.ids());
    }
    let reached = |id: &&str| readings.iter().all(|reading| reading.reaches(id));
    let left = list
        .live()
        .map(|(id, _)| id)
        .filter(|id| !found.contains(id))
        .filter(reached);
    let left: BTreeSet<_> = left.map(str::to_owned).collect();
    let expected = "every record under true or under false";
    let violation = Violation::of_records(left, expected, |names| format!("{names} under neither"))?;
    Some(violation.of_absence())
}

/// What a flag of several conditions finds keeps those conditions that are meant.
fn waiting<'a>(
    engine: &'a mut Engine,
    result: &'a mut CheckResult,
    meant: fn(&Test) -> bool,
) -> CheckFuture<'a> {
    Box::pin(async move {
        let mut cases = Vec::new();
        for mut filter in filters(engine, Match::Flag, result).await? {
            let is_meant = |condition: &Condition| meant(&condition.test);
            if !filter.all.iter().any(is_meant) {
                continue;
            }
            let records = engine.list(filter.list).live();
            let known = records
                .filter(|(_, record)| filter.says(record, YES) == Membership::Included)
                .count();
            if known == 0 {
                result.gap(format!(
                    "{}: an active record that the vendor has deprovisioned",
                    filter.name
                ));
                continue;
            }
            filter.all.retain(is_meant);
            cases.push(sound(engine, Query::by(&filter, YES)));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}
