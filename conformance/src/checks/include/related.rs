//! What a relation holds (I1, I3 to I6), and its shape (I15).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rollcall_contract::{Pointer, Relation};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::{ListResponse, identity};
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::records::{Record, id_at};
use rollcall_oracle::corpus::related::{joined, may_be_bounded, of_list, related};
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{InverseFilters, RelationShapes, Ruling, Violation};
use rollcall_oracle::open_points::related_number::RelationForm;
use serde_json::Value;

use super::relations::{RelationViolation, Rule, case, each, offered};
use crate::checks::CheckFuture;
use crate::discovery::offered::Offered;
use crate::discovery::references::suspect;
use crate::discovery::sorting::lists;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

pub(super) fn well_formed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let rule = Rule {
            expected: "the shape that is listed for the relation",
            needs: "a record that has the relation",
            absence: false,
        };
        let shapes = Arc::new(shapes(engine));
        let judge = move |one: &Offered, record: &Record, _: &ListCorpus| {
            let shapes = shapes.get(&one.list);
            match shapes.and_then(|shapes| shapes.wrong(record, &one.relation)) {
                None => Ruling::NotApplicable,
                Some(Ok(())) => Ruling::Holds,
                Some(Err(fault)) => RelationViolation::at(identity(record), fault.what, fault.place),
            }
        };
        each(engine, result, rule, |_| true, judge).await
    })
}

/// What judges the relations of each list.
fn shapes(engine: &Engine) -> BTreeMap<usize, RelationShapes> {
    let lists = lists(engine).into_iter();
    let shapes = lists.map(|list| (list, RelationShapes::of(&engine.contract, engine.list(list))));
    shapes.collect()
}

fn refers(relation: &Relation) -> bool {
    !relation.many && relation.join.is_some()
}

fn is_referred(relation: &Relation) -> bool {
    relation.many && relation.join.is_some()
}

/// What a record refers to.
fn reference<'r>(relation: &Relation, record: &'r Value) -> Option<&'r str> {
    relation.join.as_ref()?.ours.find(record)?.as_str()
}

pub(super) fn is_referred_to<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let rule = Rule {
        expected: "the record that is referred to, and none where none is",
        needs: "a record that refers to another",
        absence: false,
    };
    Box::pin(each(engine, result, rule, refers, |one, record, list| {
        let Some(join) = &one.relation.join else {
            return Ruling::NotApplicable;
        };
        let ours = reference(&one.relation, record);
        match related(record, &one.relation).first() {
            None => Ruling::NotApplicable,
            Some(other) if join.theirs.find(other).and_then(Value::as_str) == ours => Ruling::Holds,
            Some(other) => {
                let (ours, theirs) = (text(ours), text(id_at(&list.spec.identifier, other)));
                let what = format!("{} is {ours} and {} is {theirs}", join.ours, one.relation.member);
                RelationViolation::ruling(identity(record), what)
            }
        }
    }))
}

pub(super) fn is_populated<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let rule = Rule {
        expected: "the record that is referred to",
        needs: "a record that refers to another of the list",
        absence: false,
    };
    Box::pin(each(engine, result, rule, refers, |one, record, list| {
        let targets = joined(list, &one.relation, record);
        match targets.iter().find(|(_, other)| !list.spec.is_deleted(other)) {
            None => Ruling::NotApplicable,
            Some(_) if !related(record, &one.relation).is_empty() => Ruling::Holds,
            Some((id, _)) => {
                let what = format!("refers to {id}, and {} shows nothing", one.relation.member);
                RelationViolation::ruling(identity(record), what)
            }
        }
    }))
}

pub(super) fn refer_back<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let rule = Rule {
        expected: "related records that refer to the record",
        needs: "a record that others refer to",
        absence: false,
    };
    let inverse = lists(engine).into_iter();
    let inverse = inverse.map(|list| (list, InverseFilters::of(list, &engine.list(list).spec)));
    let inverse: BTreeMap<usize, InverseFilters> = inverse.collect();
    let known = inverse.clone();
    let want = move |relation: &Relation| {
        is_referred(relation) || known.values().any(|inverse| inverse.has(relation))
    };
    Box::pin(each(engine, result, rule, want, move |one, record, list| {
        let Some(join) = &one.relation.join else {
            let inverse = inverse.get(&one.list);
            return match inverse.and_then(|inverse| inverse.wrong(&one.relation, record, list)) {
                None => Ruling::NotApplicable,
                Some(Ok(())) => Ruling::Holds,
                Some(Err(what)) => RelationViolation::ruling(identity(record), what),
            };
        };
        let ours = reference(&one.relation, record);
        let others = related(record, &one.relation);
        let mut all = others.iter();
        match all.find(|other| join.theirs.find(other).and_then(Value::as_str) != ours) {
            None if others.is_empty() => Ruling::NotApplicable,
            None => Ruling::Holds,
            Some(other) => {
                let theirs = join.theirs.find(other).map(ToString::to_string);
                let theirs = theirs.unwrap_or_else(|| "missing".to_owned());
                let (member, id) = (&one.relation.member, text(id_at(&list.spec.identifier, other)));
                let what = format!("{member} holds {id}, whose {} is {theirs}", join.theirs);
                RelationViolation::ruling(identity(record), what)
            }
        }
    }))
}

/// The record that most others refer to is asked for by itself; the rest of them stand in the short answer.
pub(super) fn are_all<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let rule = Rule {
            expected: "all records that refer to the record",
            needs: "a record that others of the list refer to",
            absence: true,
        };
        each(engine, result, rule, is_referred, complete).await?;
        let mut cases = Vec::new();
        for (one, _) in offered(engine, RelationForm::Records, &mut CheckResult::default()).await? {
            if let (true, Some(query)) = (is_referred(&one.relation), busiest(engine, &one)) {
                let busiest = Offered { query, ..one };
                let request = busiest.request(engine, RelationForm::Records);
                cases.push(case((busiest, request), rule, complete));
            }
        }
        engine.run_cases(cases, result).await
    })
}

/// The question for the one record that the most live records refer to.
fn busiest(engine: &Engine, one: &Offered) -> Option<Query> {
    let list = engine.list(one.list);
    let filter = ObservableFilter::of(one.list, list.spec.by_identifier()?)?;
    let size = |record: &Record| expected(list, &one.relation, record).len();
    let sized = list.live().map(|(id, record)| (size(record), id));
    let (_, id) = sized.filter(|(size, _)| *size > 1).max()?;
    Some(Query::by(&filter, id))
}

fn expected(list: &ListCorpus, relation: &Relation, record: &Value) -> BTreeSet<String> {
    let all = joined(list, relation, record).into_iter();
    let live = all.filter(|(_, other)| !list.spec.is_deleted(other));
    live.map(|(id, _)| id.to_owned()).collect()
}

fn complete(one: &Offered, record: &Record, list: &ListCorpus) -> Ruling<RelationViolation> {
    let expected = expected(list, &one.relation, record);
    let shown = related(record, &one.relation).into_iter();
    let shown = shown.filter_map(|other| id_at(&list.spec.identifier, other));
    let shown: BTreeSet<&str> = shown.collect();
    match expected.iter().find(|id| !shown.contains(id.as_str())) {
        None if expected.is_empty() => Ruling::NotApplicable,
        None => Ruling::Holds,
        Some(_) if may_be_bounded(shown.len()) => Ruling::NotApplicable,
        Some(missing) => {
            let (member, shown) = (&one.relation.member, shown.len());
            let what = format!("{member} without {missing}, {shown} of {}", expected.len());
            RelationViolation::ruling(missing.clone(), what)
        }
    }
}

pub(super) fn equals_record<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let rule = Rule {
        expected: "a summary that shows what the record itself shows",
        needs: "a related record that is in the list too",
        absence: true,
    };
    let distrusted = engine.distrusted();
    for ((_, member), check) in &distrusted {
        result.blocked_by(member, check);
    }
    let judge = move |one: &Offered, record: &Record, list: &ListCorpus| {
        let mut said = Ruling::NotApplicable;
        for summary in related(record, &one.relation) {
            let Some((id, full)) = of_list(list, &one.relation, summary) else {
                continue;
            };
            let members = summary.as_object().into_iter().flatten();
            let mut shared = members.filter_map(|(name, value)| Some((name, value, full.get(name)?)));
            // The relations of a summary were not asked for of the record.
            let is_own = |name: &str| {
                let member = (one.list, Pointer::of([name]).to_string());
                !list.spec.frame.holds_relations(name) && !distrusted.contains_key(&member)
            };
            match shared.find(|(name, ours, theirs)| is_own(name) && differs(ours, theirs)) {
                None => said = Ruling::Holds,
                Some((name, ours, theirs)) => {
                    let member = &one.relation.member;
                    let what = format!("{member} {id} with {name} {ours}, the record with {theirs}");
                    let place = Pointer::of([name.as_str()]);
                    return RelationViolation::at(id.to_owned(), what, Some(place));
                }
            }
        }
        said
    };
    Box::pin(async move {
        each(engine, result, rule, |_| true, judge).await?;
        agree(engine, result).await
    })
}

/// Whether two values of a member differ. What a record does not have may be an empty text in its summary (R14).
fn differs(ours: &Value, theirs: &Value) -> bool {
    let is_nothing = |value: &Value| value.is_null() || value == "";
    ours != theirs && !(is_nothing(ours) && is_nothing(theirs))
}

/// A related record that no list has is the same beside every record that has it.
async fn agree(engine: &mut Engine, result: &mut CheckResult) -> Result<(), TargetError> {
    let mut cases = Vec::new();
    for (one, references) in offered(engine, RelationForm::Records, &mut CheckResult::default()).await? {
        let list = engine.list(one.list);
        let read = references
            .of_records()
            .filter_map(|projection| list.snapshot(projection));
        let records = read.flat_map(Snapshot::records).map(|(_, record)| record);
        let (compared, odd) = disagreement(&one.relation, list, records);
        if compared > 0 && odd.is_none() {
            result.count_case();
        }
        let Some(odd) = odd else {
            continue;
        };
        let asked = odd.owners.iter().filter_map(|owner| {
            let mut projections = references.of_records();
            projections.find_map(|projection| suspect(engine, &one, projection, |id, _| id == owner))
        });
        let asked: Vec<Offered> = asked.collect();
        if asked.len() < odd.owners.len() {
            let (name, relation) = (list.spec.name(), &one.relation.name);
            result.gap(format!(
                "{name} include={relation}: a filter by id that works, to ask for two records again"
            ));
            continue;
        }
        let requests = asked
            .iter()
            .map(|owner| owner.request(engine, RelationForm::Records));
        let (requests, uses) = (
            requests.collect(),
            asked.iter().flat_map(Offered::uses).collect::<Vec<_>>(),
        );
        let (about, list) = (format!("include={}", one.relation.name), one.list);
        let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
            let readings = answers.iter().filter_map(|answer| answer.reading());
            let records = readings.flat_map(|reading| &reading.records);
            let odd = disagreement(&one.relation, list, records.map(AsRef::as_ref)).1?;
            let expected = "the same members of a related record beside every record that has it";
            Violation::of_records(odd.owners.into(), expected, |_| odd.what)
        };
        let case = Case::new(list, about.clone(), requests, judge);
        cases.push(case.resting_on(uses).invalidates([about]));
    }
    engine.run_cases(cases, result).await
}

/// A related record that two records show with different members.
struct Disagreement {
    owners: [String; 2],
    what: String,
}

/// How many related records were seen beside a second record, and the first that differs there.
fn disagreement<'r>(
    relation: &Relation,
    list: &ListCorpus,
    records: impl Iterator<Item = &'r Record>,
) -> (usize, Option<Disagreement>) {
    let mut first: BTreeMap<&str, (String, &Value)> = BTreeMap::new();
    let mut compared = 0;
    for record in records {
        let owner = identity(record);
        for other in related(record, relation) {
            let Some(id) = id_at(&list.spec.identifier, other) else {
                continue;
            };
            // Of one that is in the list the record itself is known.
            if of_list(list, relation, other).is_some() {
                continue;
            }
            let (known, theirs) = first.entry(id).or_insert_with(|| (owner.clone(), other));
            if *known == owner {
                continue;
            }
            compared += 1;
            let members = other.as_object().into_iter().flatten();
            let mut shared = members.filter_map(|(name, ours)| Some((name, ours, theirs.get(name)?)));
            let odd = shared
                .find(|(name, ours, theirs)| !list.spec.frame.holds_relations(name) && differs(ours, theirs));
            if let Some((name, ours, theirs)) = odd {
                let member = &relation.member;
                let what =
                    format!("{member} {id} with {name} {ours} beside {owner}, and {theirs} beside {known}");
                let owners = [known.clone(), owner];
                return (compared, Some(Disagreement { owners, what }));
            }
        }
    }
    (compared, None)
}

fn text(text: Option<&str>) -> &str {
    text.unwrap_or("null")
}
