//! §2.1: the counts of a record are the sizes of what they count (L18).

use crate::checks::scope::{COUNTS, RELATIONS};
use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Count, Counted, Relation};
use rollcall_oracle::corpus::listing::{ListResponse, identity};
use rollcall_oracle::corpus::members::count_of;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::related::{may_be_bounded, own_count, related};
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Ruling, Violation};
use rollcall_oracle::plan::sample::is_usable;
use serde_json::Value;

use super::include::relations::{RelationViolation, Rule, each};
use super::{BASE, Check, CheckFuture, Level};
use crate::discovery::sorting::lists;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "C1",
        topics: &[COUNTS],
        covers: &["C2"],
        clause: "§2.1",
        demands: &["user-counts"],
        level: Level::Guarded,
        says: "A count in a record is the number of records that its list contains.",
        needs: "a list that is filtered by the record that has the count, and a record",
        finds: "counts off by one, over more than one step, or never updated",
        advice: "Count what the list finds: the same condition, soft-deleted records left out, and each record once.",
        run: as_listed,
        ..BASE
    },
    Check {
        id: "C3",
        topics: &[RELATIONS],
        clause: "§2.1",
        demands: &["user-counts"],
        level: Level::Guarded,
        says: "A count in a record is the number of related records that include shows.",
        needs: "a relation to several that is offered, and a record that has it",
        finds: "counts of joined rows; a count of other records",
        advice: "Count related records and not joined rows. Take the condition that the relation itself is loaded by.",
        run: as_included,
        ..BASE
    },
];

/// So many records are asked for, of each count.
const RECORDS: usize = 5;

fn as_listed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in lists(engine) {
            for (count, filter) in counted(engine, list).await? {
                let ids = chosen(engine, &count, &filter);
                if ids.is_empty() {
                    result.gap(format!("a record with the count {}", count.member));
                }
                for id in &ids {
                    match fits(engine.list(list), &count, &filter, id) {
                        true => result.count_case(),
                        false => cases.extend(compared(engine, &count, &filter, id)),
                    }
                }
            }
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a count of records that a list shows");
        Ok(())
    })
}

/// The counts of a list's records that the same list shows, each with the filter that shows it.
async fn counted(engine: &mut Engine, list: usize) -> Result<Vec<(Count, ObservableFilter)>, TargetError> {
    let spec = engine.list(list).spec.clone();
    let counts = engine.contract.counts(&spec.list.record).unwrap_or_default();
    let mut response = Vec::new();
    for count in counts {
        let Counted::Listing(listing) = &count.counted else {
            continue;
        };
        let judged = spec.filters.iter().find(|judged| judged.name == listing.filter);
        let filter = judged.filter(|_| listing.operation == spec.operation.id);
        if let Some(filter) = filter.and_then(|judged| ObservableFilter::of(list, judged)) {
            if filter.projection != Projection::Default {
                engine.snapshot(list, &filter.projection).await?;
            }
            response.push((count, filter));
        }
    }
    Ok(response)
}

fn own(record: &Value, count: &Count) -> Option<u64> {
    count_of(count.at.find(record)?)
}

/// The numbers of records that a filter finds by an identifier: without and with soft-deleted ones.
fn numbers(list: &ListCorpus, filter: &ObservableFilter, id: &str) -> BTreeSet<u64> {
    let Some((snapshot, place)) = filter.snapshot(list).zip(filter.places.first()) else {
        return BTreeSet::from([0]);
    };
    let index = snapshot.by(place);
    let group = index.group(id);
    BTreeSet::from([group.size(), group.live.len()].map(|size| size as u64))
}

/// Whether a record's count is the number of records that the whole list shows; then nothing need be asked.
fn fits(list: &ListCorpus, count: &Count, filter: &ObservableFilter, id: &str) -> bool {
    let record = list.widest_snapshot().and_then(|snapshot| snapshot.record(id));
    let own = record.and_then(|record| own(record, count));
    list.is_read_whole() && own.is_some_and(|own| numbers(list, filter, id).contains(&own))
}

/// The live records to ask for: those whose count looks wrong, the largest, and some others.
fn chosen(engine: &Engine, count: &Count, filter: &ObservableFilter) -> Vec<String> {
    let list = engine.list(filter.list);
    let usable = list.live().filter(|(id, _)| is_usable(id));
    let counted = usable.filter_map(|(id, record)| Some((id.to_owned(), own(record, count)?)));
    let all: Vec<(String, u64)> = counted.collect();
    // Of a short list the end is certainly seen.
    let wrong = all
        .iter()
        .filter(|(id, own)| !numbers(list, filter, id).contains(own));
    let wrong = wrong.min_by_key(|(_, own)| *own);
    let largest = all.iter().max_by_key(|(_, own)| *own);
    let first = wrong.into_iter().chain(largest).map(|(id, _)| id.clone());
    let mut chosen: Vec<String> = first.collect();
    let ids: Vec<String> = all.into_iter().map(|(id, _)| id).collect();
    chosen.extend(engine.choice(&count.member).some(&ids, RECORDS - 2));
    let mut seen = BTreeSet::new();
    chosen.retain(|id| seen.insert(id.clone()));
    chosen
}

/// The record and the list it counts, without and with soft-deleted records: they may count or not.
fn compared(engine: &Engine, count: &Count, filter: &ObservableFilter, id: &str) -> Option<Case> {
    let list = engine.list(filter.list);
    let by_id = ObservableFilter::of(filter.list, list.spec.by_identifier()?)?;
    let queries = [Query::by(&by_id, id), Query::by(filter, id)];
    let [record, live] = queries.each_ref().map(|query| query.request(list));
    // The view that shows a relation's member need not show soft-deleted records.
    let scope = list.spec.with_trashed();
    let all = scope.map(|(name, word)| live.clone().with(name, word));
    let requests: Vec<_> = [record, live].into_iter().chain(all).collect();
    let about = format!("count.{}", count.member);
    let (counted, listing, own_id) = (count.clone(), filter.clone(), id.to_owned());
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let (records, found) = (answers[0].reading()?, answers[1].reading()?);
        let record = records.records.iter().find(|record| identity(record) == own_id)?;
        let own = own(record, &counted)?;
        let live = found.records.len() as u64;
        let mut fine = numbers(list, &listing, &own_id);
        fine.insert(live);
        for all in &answers[2..] {
            fine.insert(all.reading().filter(|all| all.complete)?.records.len() as u64);
        }
        if !found.complete || fine.contains(&own) {
            return None;
        }
        let expected = format!("{live}, the length of the list");
        let violation = Violation::of_records(BTreeSet::from([own_id.clone()]), expected, |id| {
            format!("{id} with {} {own}", counted.member)
        })?;
        // The list is asked for by the identifier.
        let members = [counted.at.clone(), list.spec.identifier.clone()];
        Some(Violation {
            places: members.into(),
            ..violation
        })
    };
    let depends_on = [by_id.name.clone(), filter.name.clone()];
    let case = Case::new(filter.list, about.clone(), requests, judge);
    Some(case.resting_on(depends_on).invalidates([about]))
}

fn as_included<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let rule = Rule {
        expected: "a count that is the number of related records",
        needs: "a record that has the relation",
        absence: false,
    };
    let is_counted = |relation: &Relation| relation.many && relation.count.is_some();
    Box::pin(each(engine, result, rule, is_counted, |one, record, _| {
        let member = one.relation.count.as_deref().unwrap_or_default();
        let Some(count) = own_count(record, &one.relation) else {
            return Ruling::NotApplicable;
        };
        let shown = related(record, &one.relation).len();
        let is_bounded = may_be_bounded(shown);
        match (count, shown as u64) {
            (0, 0) => Ruling::NotApplicable,
            // Soft-deleted people may count and not be shown, or be shown and not count (R15).
            (_, shown) if count == shown || one.may_hide => Ruling::Holds,
            (_, shown) if is_bounded && count > shown => Ruling::NotApplicable,
            (_, shown) => {
                let what = format!("{member} is {count}, and {shown} are included");
                RelationViolation::ruling(identity(record), what)
            }
        }
    }))
}
