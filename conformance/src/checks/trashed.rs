//! §4.1, §4.4.4: soft-deleted records, which a filter of their own keeps out, lets in, or leaves alone. Under any other
//! filter it has to mean the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::Match;

use super::asking::{self, is_whole};
use super::exact::repeats::difference;
use super::{Check, Level, Looking};
use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::listing::{Listed, identity};
use crate::outcome::Tally;
use crate::query::Query;
use crate::sample::is_usable;
use crate::seen::{ONLY, SeenFilter, WITH, WITHOUT};
use crate::target::Trouble;

const DELETED: &str = "a soft-deleted record";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "T1",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "Without the filter, the list contains no soft-deleted record.",
        needs: "a record",
        finds: "soft-deleted records in the default list",
        advice: "Leave soft-deleted records out in one place that all lists use.",
        core: true,
        run: usual,
    },
    Check {
        id: "T2",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "The value for the default gives the same list as no filter.",
        needs: "a record, and a stable order where there are several pages",
        finds: "a default that has two meanings",
        advice: "Treat the word like a request without the filter, in the same branch.",
        core: true,
        run: spelled_out,
    },
    Check {
        id: "T3",
        covers: &["T4"],
        clause: "§4.1",
        level: Level::Must,
        says: "The value for soft-deleted records finds no other record, and no list without them contains one.",
        needs: DELETED,
        finds: "live records among the soft-deleted records",
        advice: "Ask for records whose deleted_at is set, and for no others.",
        core: true,
        run: alone,
    },
    Check {
        id: "T5",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "The list with soft-deleted records is the list without them plus the soft-deleted records.",
        needs: "a soft-deleted record, and a stable order where there are several pages",
        finds: "soft-deleted records that are missing; records that are in neither part",
        advice: "Drop the condition on deleted_at altogether for this word. Look whether deletion also changes other \
                 members that are filtered by.",
        core: true,
        run: together,
    },
    Check {
        id: "T6",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "Any other value behaves as the default.",
        needs: "a value that live and soft-deleted records have",
        finds: "unknown values that show everything, or are refused",
        advice: "Compare with the two words that change something, as a whole, and treat any other word as the \
                 default.",
        core: true,
        run: unknown,
    },
    Check {
        id: "T7",
        covers: &[],
        clause: "§4.1, §4.4.6",
        level: Level::Must,
        says: "The values mean the same beside any other filter.",
        needs: "for each filter a value that a soft-deleted record has",
        finds: "conditions joined by OR without brackets; other filters that ignore the value",
        advice: "Put brackets around each condition, and join the condition on deleted_at by AND.",
        core: true,
        run: under_others,
    },
];

/// A word of nobody's.
const UNKNOWN: [&str; 2] = ["junk", "true"];
/// So many values are tried where no record shows which ones soft-deleted records have.
const TRIED: usize = 3;

/// The filters that speak of soft deletion, on lists that can be read.
fn scopes(context: &Context, tally: &mut Tally) -> Vec<SeenFilter> {
    let lists = context.readable().into_iter();
    let scopes = lists.filter_map(|list| SeenFilter::of(list, asking::trashed(context, list)?));
    let scopes: Vec<_> = scopes.collect();
    if scopes.is_empty() {
        tally.gap("a list that answers with records and has soft deletion");
    }
    scopes
}

/// A case of some questions about soft deletion.
fn case(
    context: &Context,
    scope: &SeenFilter,
    queries: &[Query],
    judge: impl Fn(&[Arc<Listed>], &Surveyed) -> Option<Accusation> + Send + Sync + 'static,
) -> Case {
    let list = context.list(scope.list);
    let requests = queries.iter().map(|query| query.request(list)).collect();
    let about = (scope.name.clone(), scope.clause.clone());
    Case::new(scope.list, about, requests, judge).discrediting([scope.name.clone()])
}

/// The records of an answer that are soft-deleted, or that are not.
fn that_are(deleted: bool, answer: &Listed, list: &Surveyed, expected: &str) -> Option<Accusation> {
    let records = answer.reading()?.records.iter();
    let wrong: BTreeSet<_> = records
        .filter(|record| list.subject.is_deleted(record) == deleted)
        .map(|record| identity(record))
        .collect();
    let word = if deleted { "is" } else { "is not" };
    Accusation::of_records(wrong, expected, |names| format!("{names} {word} soft-deleted"))
}

fn usual<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for scope in scopes(context, tally) {
            let live = |answers: &[Arc<Listed>], list: &Surveyed| {
                that_are(true, &answers[0], list, "no soft-deleted record")
            };
            cases.push(case(context, &scope, &[Query::default()], live).needing("a record"));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

fn spelled_out<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for scope in scopes(context, tally) {
            if !is_whole(context, scope.list) {
                tally.gap("a stable order");
                continue;
            }
            let queries = [Query::by(&scope, WITHOUT), Query::default()];
            let same =
                |answers: &[Arc<Listed>], _: &_| difference(answers, "the same with and without the word");
            cases.push(case(context, &scope, &queries, same).needing("a record"));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

fn alone<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for scope in scopes(context, tally) {
            let deleted = |answers: &[Arc<Listed>], list: &Surveyed| {
                that_are(false, &answers[0], list, "soft-deleted records only")
            };
            cases.push(case(context, &scope, &[Query::by(&scope, ONLY)], deleted).needing(DELETED));
            let apart = |answers: &[Arc<Listed>], _: &_| super::exact::sets::common(&answers[0], &answers[1]);
            let queries = [ONLY, WITHOUT].map(|word| Query::by(&scope, word));
            cases.push(case(context, &scope, &queries, apart).needing(DELETED));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

fn together<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for scope in scopes(context, tally) {
            if !is_whole(context, scope.list) {
                tally.gap("a stable order");
                continue;
            }
            let queries = [WITH, WITHOUT, ONLY].map(|word| Query::by(&scope, word));
            let case = case(context, &scope, &queries, |answers, _| sum(answers));
            cases.push(case.needing(DELETED));
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

/// The records of the first answer are those of the other two.
fn sum(answers: &[Arc<Listed>]) -> Option<Accusation> {
    if let Some((index, refused)) = answers
        .iter()
        .enumerate()
        .find(|(_, one)| one.reading().is_none())
    {
        return Some(Accusation::of_answer("a list", refused).shown_by([index]));
    }
    let readings: Vec<_> = answers.iter().filter_map(|answer| answer.reading()).collect();
    let all = readings.first()?.ids();
    let parts: std::collections::HashSet<_> =
        readings[1..].iter().flat_map(|reading| reading.ids()).collect();
    let wrong: BTreeSet<_> = all
        .symmetric_difference(&parts)
        .filter(|id| readings.iter().all(|reading| reading.reaches(id)))
        .map(|id| (*id).to_owned())
        .collect();
    let expected = "with soft-deleted records those without and the soft-deleted ones";
    Accusation::of_records(wrong, expected, |names| format!("{names} in one of them only"))
}

fn unknown<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        let scopes = scopes(context, tally).into_iter();
        for scope in scopes.filter(SeenFilter::takes_any_word) {
            let Some((filter, value)) = shared(context, &scope).await?.into_iter().next() else {
                tally.gap("a value that live and soft-deleted records have");
                continue;
            };
            for word in UNKNOWN {
                let plain = Query::by(&filter, &value);
                let queries = [plain.clone().and(&scope, word), plain];
                let same = |answers: &[Arc<Listed>], _: &_| {
                    difference(answers, "the same under a word nobody knows as without it")
                };
                let case = case(context, &scope, &queries, same);
                cases.push(case.resting_on([filter.name.clone()]).needing("a record"));
            }
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

/// Filters that live and soft-deleted records share a value of, each with the rarest such value.
async fn shared(context: &mut Context, scope: &SeenFilter) -> Result<Vec<(SeenFilter, String)>, Trouble> {
    let mut shared = Vec::new();
    for filter in asking::filters(context, Match::Exact, &mut Tally::default()).await? {
        if filter.list != scope.list {
            continue;
        }
        let live = context.values(&filter);
        let deleted = of_deleted(context, &filter);
        let common = live
            .into_iter()
            .filter(|(value, _)| deleted.contains(value) && is_usable(value));
        if let Some((value, _)) = common.min_by_key(|(_, count)| *count) {
            shared.push((filter, value));
        }
    }
    Ok(shared)
}

/// The values that soft-deleted records show.
fn of_deleted(context: &Context, filter: &SeenFilter) -> BTreeSet<String> {
    let list = context.list(filter.list);
    let Some((view, place)) = list.fullest().zip(filter.places.first()) else {
        return BTreeSet::new();
    };
    let index = view.by(place);
    let of_deleted = index.groups().filter(|(_, group)| !group.deleted.is_empty());
    of_deleted.map(|(value, _)| value.to_owned()).collect()
}

/// Filters whose member soft-deleted records do not show; the others are asked for in [`super::together`].
fn under_others<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for scope in scopes(context, tally) {
            let mut asked = Vec::new();
            for filter in asking::filters(context, Match::Exact, &mut Tally::default()).await? {
                if filter.list == scope.list && filter.look != Look::Default {
                    let values = tried(context, &filter).into_iter();
                    asked.extend(values.map(|value| (filter.clone(), value)));
                }
            }
            for (filter, value) in asked {
                cases.push(scoped(context, &scope, &filter, &value));
            }
        }
        context.settle(cases, tally).await?;
        tally.gap_if_empty("a value that a soft-deleted record has");
        Ok(())
    })
}

/// Values of a filter that soft-deleted records may have.
fn tried(context: &Context, filter: &SeenFilter) -> Vec<String> {
    let values = context.values(filter);
    let mut values: Vec<_> = values.into_iter().filter(|(value, _)| is_usable(value)).collect();
    values.sort_by_key(|(_, count)| *count);
    values
        .into_iter()
        .rev()
        .take(TRIED)
        .map(|(value, _)| value)
        .collect()
}

/// Under another filter the words mean the same.
fn scoped(context: &Context, scope: &SeenFilter, filter: &SeenFilter, value: &str) -> Case {
    let plain = Query::by(filter, value);
    let queries = [
        plain.clone().and(scope, WITH),
        plain.clone(),
        plain.and(scope, ONLY),
    ];
    let judge = |answers: &[Arc<Listed>], list: &Surveyed| {
        let usual =
            that_are(true, &answers[1], list, "no soft-deleted record").map(|found| found.shown_by([1]));
        let only = || {
            that_are(false, &answers[2], list, "soft-deleted records only").map(|found| found.shown_by([2]))
        };
        usual.or_else(only).or_else(|| sum(answers))
    };
    let mut case = case(context, scope, &queries, judge);
    case.about = format!("{} under {}", scope.name, filter.name);
    // Where no record shows what soft-deleted ones have, it takes one that is found.
    case = case.needing(format!("{}: a soft-deleted record that it finds", filter.name));
    case.resting_on([filter.name.clone()])
}
