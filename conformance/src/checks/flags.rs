//! §4.1: the filters that are true or false. A flag of one member parts the list in two; a flag of several conditions
//! says something of the records it finds.

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Condition, Match, Test};

use super::asking::{complete, filters, is_whole, sound};
use super::exact::sets::common;
use super::{Check, Level, Looking};
use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::Listed;
use crate::outcome::Tally;
use crate::query::Query;
use crate::seen::{Says, SeenFilter};

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
        run: |context, tally| waiting(context, tally, |test| matches!(test, Test::Is(_))),
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
        run: |context, tally| waiting(context, tally, |test| matches!(test, Test::Present(_))),
    },
];

/// The flags of one member, of which records show true and false; what is not shown is a gap.
async fn parting(
    context: &mut Context,
    tally: &mut Tally,
) -> Result<Vec<SeenFilter>, crate::target::Trouble> {
    let mut parting = Vec::new();
    for filter in filters(context, Match::Flag, tally).await? {
        if !filter.all.is_empty() {
            continue;
        }
        let values = context.values(&filter);
        let missing: Vec<_> = [YES, NO]
            .into_iter()
            .filter(|value| !values.contains_key(*value))
            .collect();
        if missing.is_empty() {
            parting.push(filter);
        } else {
            tally.gap(format!(
                "{}: a record of which it is {}",
                filter.name,
                missing.join(" or ")
            ));
        }
    }
    Ok(parting)
}

fn trues<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for filter in parting(context, tally).await? {
            cases.push(sound(context, Query::by(&filter, YES)));
            cases.push(complete(context, Query::by(&filter, YES)));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

fn falses<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for filter in parting(context, tally).await? {
            cases.push(sound(context, Query::by(&filter, NO)));
            let requests =
                [NO, YES].map(|value| Query::by(&filter, value).request(context.list(filter.list)));
            let about = (filter.name.clone(), filter.clause.clone());
            let judge = |answers: &[Arc<Listed>], _: &_| common(&answers[0], &answers[1]);
            let case = Case::new(filter.list, about, requests.into(), judge);
            cases.push(case.discrediting([filter.name.clone()]).needing(FLAGGED));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

fn both<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for filter in parting(context, tally).await? {
            if !is_whole(context, filter.list) {
                tally.gap(format!(
                    "{}: a stable order",
                    context.list(filter.list).subject.name()
                ));
                continue;
            }
            let requests =
                [NO, YES].map(|value| Query::by(&filter, value).request(context.list(filter.list)));
            let about = (filter.name.clone(), filter.clause.clone());
            let case = Case::new(filter.list, about, requests.into(), left_out);
            cases.push(case.discrediting([filter.name.clone()]));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

/// The live records that stand in neither answer.
fn left_out(answers: &[Arc<Listed>], list: &Surveyed) -> Option<Accusation> {
    let (mut found, mut readings) = (BTreeSet::new(), Vec::new());
    for (index, answer) in answers.iter().enumerate() {
        let Some(reading) = answer.reading() else {
            return Some(Accusation::of_answer("the records of which it is so", answer).shown_by([index]));
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
    let accusation = Accusation::of_records(left, expected, |names| format!("{names} under neither"))?;
    Some(accusation.of_absence())
}

/// What a flag of several conditions finds keeps those conditions that are meant.
fn waiting<'a>(context: &'a mut Context, tally: &'a mut Tally, meant: fn(&Test) -> bool) -> Looking<'a> {
    Box::pin(async move {
        let mut cases = Vec::new();
        for mut filter in filters(context, Match::Flag, tally).await? {
            let is_meant = |condition: &Condition| meant(&condition.test);
            if !filter.all.iter().any(is_meant) {
                continue;
            }
            let records = context.list(filter.list).live();
            let known = records
                .filter(|(_, record)| filter.says(record, YES) == Says::Yes)
                .count();
            if known == 0 {
                tally.gap(format!(
                    "{}: an active record that the vendor has deprovisioned",
                    filter.name
                ));
                continue;
            }
            filter.all.retain(is_meant);
            cases.push(sound(context, Query::by(&filter, YES)));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}
