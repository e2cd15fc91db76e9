//! §4.1, §4.4.4: soft-deleted records, which a filter of their own keeps out, lets in, or leaves alone. Under any other
//! filter it has to mean the same.

use crate::checks::scope::{ANY_WORD, SOFT_DELETION};
use crate::engine::region::{Amount, Area, FilterKind, MEMBERSHIP, Owes, Region, Sign, Simpler};
use std::sync::Arc;

use rollcall_contract::Match;
use rollcall_oracle::corpus::listing::{ListResponse, identity};
use rollcall_oracle::corpus::predicate::{ONLY, ObservableFilter, WITH, WITHOUT};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::judge::Aspect;
use rollcall_oracle::judge::{Law, Violation};
use rollcall_oracle::plan::sample::is_usable;

use super::{BASE, Check, CheckFuture, PLANNED_VALUES};
use crate::cases::{self, is_whole};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

/// Filters that say which soft-deleted records are listed.
const DELETION: &[FilterKind] = &[FilterKind::Deletion, FilterKind::DeletionByAnyWord];
const DELETED: &str = "a soft-deleted record";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "T1",
        topics: &[SOFT_DELETION],
        clause: "§4.1",
        demands: &["trashed-words"],
        says: "Without the filter, the list contains no soft-deleted record.",
        needs: "a record",
        finds: "soft-deleted records in the default list",
        advice: "Leave soft-deleted records out in one place that all lists use.",
        region: Region {
            exercised_by: &[Area::ALL.showing(&[Sign::HidesDeleted])],
            failed_by: &[Area::BARE.wrong(&[Aspect::Deleted])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "T2",
        topics: &[SOFT_DELETION],
        clause: "§4.1",
        demands: &["trashed-words"],
        says: "The value for the default gives the same list as no filter.",
        needs: "a record, and a stable order where there are several pages",
        finds: "a default that has two meanings",
        advice: "Treat the word like a request without the filter, in the same branch.",
        region: Region {
            exercised_by: &[Area::by(DELETION, &[]).showing(&[Sign::Is(WITHOUT), Sign::Finds])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(DELETION, &[])
                .wrong(MEMBERSHIP)
                .showing(&[Sign::Is(WITHOUT)])],
            unless: Some(Simpler::NoFilter),
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "T3",
        topics: &[SOFT_DELETION],
        covers: &["T4"],
        clause: "§4.1",
        demands: &["trashed-words"],
        says: "The value for soft-deleted records finds no other record, and no list without them contains one.",
        needs: DELETED,
        finds: "live records among the soft-deleted records",
        advice: "Select the records whose deleted_at is set, and no others.",
        region: Region {
            exercised_by: &[Area::by(DELETION, &[]).showing(&[Sign::Is(ONLY), Sign::Finds])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(DELETION, &[])
                .wrong(MEMBERSHIP)
                .showing(&[Sign::Is(ONLY)])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "T5",
        topics: &[SOFT_DELETION],
        clause: "§4.1",
        demands: &["trashed-words"],
        says: "The list with soft-deleted records is the list without them plus the soft-deleted records.",
        needs: "a soft-deleted record, and a stable order where there are several pages",
        finds: "soft-deleted records that are missing; records that are in neither part",
        advice: "Drop the condition on deleted_at altogether for this word. Look whether deletion also changes other \
                 members that are filtered by.",
        region: Region {
            failed_by: &[Area::by(DELETION, &[])
                .wrong(MEMBERSHIP)
                .showing(&[Sign::Is(WITH)])],
            ..Region::NONE
        },
        core: true,
        run: together,
        ..BASE
    },
    Check {
        id: "T6",
        topics: &[SOFT_DELETION, ANY_WORD],
        clause: "§4.1",
        demands: &["trashed-words"],
        says: "Any other value behaves as the default.",
        needs: "a record",
        finds: "unknown values that show everything, or are refused",
        advice: "Compare with the two words that change something, as a whole, and treat any other word as the \
                 default.",
        region: Region {
            exercised_by: &[
                Area::by(&[FilterKind::DeletionByAnyWord], &[]).showing(&[Sign::UnknownWord, Sign::Finds])
            ],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(DELETION, &[]).wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "T7",
        topics: &[SOFT_DELETION],
        clause: "§4.1, §4.4.6",
        demands: &["trashed-words", "combined"],
        says: "The values mean the same beside any other filter.",
        needs: "a value that a soft-deleted record has",
        finds: "conditions joined by OR without brackets; other filters that ignore the value",
        advice: "Put brackets around each condition, and join the condition on deleted_at by AND.",
        region: Region {
            failed_by: &[
                Area::ALL.wrong(&[Aspect::Deleted]).filters(Amount::SOME),
                Area::ALL.wrong(&[Aspect::Deleted]).beside_filters(Amount::SOME),
                Area::FILTERS
                    .wrong(MEMBERSHIP)
                    .filters(Amount::TWO)
                    .showing(&[Sign::Scope]),
            ],
            ..Region::NONE
        },
        core: true,
        run: under_others,
        ..BASE
    },
];

/// So many values are tried where no record shows which ones soft-deleted records have.
const TRIED: usize = 3;

/// The filters that speak of soft deletion, on lists that can be read.
fn scopes(engine: &Engine, result: &mut CheckResult) -> Vec<ObservableFilter> {
    let lists = engine.readable().into_iter();
    let scopes = lists.filter_map(|list| ObservableFilter::of(list, cases::trashed(engine, list)?));
    let scopes: Vec<_> = scopes.collect();
    if scopes.is_empty() {
        result.gap("a list that answers with records and has soft deletion");
    }
    scopes
}

/// A case of some questions about soft deletion.
fn case(
    engine: &Engine,
    scope: &ObservableFilter,
    queries: &[Query],
    judge: impl Fn(&[Arc<ListResponse>], &ListCorpus) -> Option<Violation> + Send + Sync + 'static,
) -> Case {
    let list = engine.list(scope.list);
    let requests = queries.iter().map(|query| query.request(list)).collect();
    let about = (scope.name.clone(), scope.clause.clone());
    Case::new(scope.list, about, requests, judge).invalidates([scope.name.clone()])
}

/// The records of an answer that are soft-deleted, or that are not.
fn that_are(deleted: bool, answer: &ListResponse, list: &ListCorpus, expected: &str) -> Option<Violation> {
    let records = answer.reading()?.records.iter();
    let wrong = records.filter(|record| list.spec.is_deleted(record) == deleted);
    let wrong = wrong.map(|record| identity(record)).collect();
    let word = if deleted { "is" } else { "is not" };
    Violation::of_records(wrong, expected, |names| format!("{names} {word} soft-deleted"))
}

fn together<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for scope in scopes(engine, result) {
            if !is_whole(engine, scope.list) {
                result.gap("a stable order");
                continue;
            }
            let queries = [WITH, WITHOUT, ONLY].map(|word| Query::by(&scope, word));
            let case = case(engine, &scope, &queries, |answers, _| sum(answers));
            cases.push(case.needing(DELETED));
        }
        engine.run_cases(cases, result).await
    })
}

/// The records of the first answer are those of the other two.
fn sum(answers: &[Arc<ListResponse>]) -> Option<Violation> {
    if let Some(index) = answers.iter().position(|answer| answer.reading().is_none()) {
        return Some(Violation::of_answer("a list", &answers[index]).shown_by([index]));
    }
    let readings: Vec<_> = answers.iter().filter_map(|answer| answer.reading()).collect();
    let expected = "with soft-deleted records those without and the soft-deleted ones";
    Law::Union.violation_of_reached(&readings, expected)
}

/// Filters whose member soft-deleted records do not show; the others are asked for in [`super::combinations`].
fn under_others<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for scope in scopes(engine, result) {
            for filter in cases::filters(engine, Match::Exact, &mut CheckResult::default()).await? {
                if filter.list == scope.list && filter.projection != Projection::Default {
                    let values = tried(engine, &filter).into_iter();
                    cases.extend(values.map(|value| scoped(engine, &scope, &filter, &value)));
                }
            }
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a value that a soft-deleted record has");
        Ok(())
    })
}

/// Values of a filter that soft-deleted records may have.
fn tried(engine: &Engine, filter: &ObservableFilter) -> Vec<String> {
    let values = engine.values(filter).into_iter();
    let mut values: Vec<_> = values.filter(|(value, _)| is_usable(value)).collect();
    values.sort_by_key(|(_, count)| *count);
    let most = values.into_iter().rev().take(TRIED);
    most.map(|(value, _)| value).collect()
}

/// Under another filter the words mean the same.
fn scoped(engine: &Engine, scope: &ObservableFilter, filter: &ObservableFilter, value: &str) -> Case {
    let plain = Query::by(filter, value);
    let [with, only] = [WITH, ONLY].map(|word| plain.clone().and(scope, word));
    let queries = [with, plain, only];
    let judge = |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let usual = that_are(true, &answers[1], list, "no soft-deleted record");
        let only = that_are(false, &answers[2], list, "soft-deleted records only");
        let usual = usual.map(|found| found.shown_by([1]));
        let only = only.map(|found| found.shown_by([2]));
        usual.or(only).or_else(|| sum(answers))
    };
    let mut case = case(engine, scope, &queries, judge);
    case.about = format!("{} under {}", scope.name, filter.name);
    // Where no record shows what soft-deleted ones have, it takes one that is found.
    case = case.needing(format!("{}: a soft-deleted record that it finds", filter.name));
    case.resting_on([filter.name.clone()])
}
