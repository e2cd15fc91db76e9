//! What a relation holds (I1, I3 to I6).

use std::collections::BTreeSet;

use rollcall_contract::{Pointer, Relation};
use serde_json::Value;

use super::relations::{Offered, RelationRuling, Rule, case, each, offered};
use crate::checks::CheckFuture;
use crate::corpus::ListCorpus;
use crate::corpus::listing::identity;
use crate::corpus::query::Query;
use crate::corpus::records::{Record, id_at};
use crate::corpus::related::{joined, may_be_bounded, related};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::oracle::Form;

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
            return RelationRuling::NotApplicable;
        };
        let ours = reference(&one.relation, record);
        match related(record, &one.relation).first() {
            None => RelationRuling::NotApplicable,
            Some(other) if join.theirs.find(other).and_then(Value::as_str) == ours => RelationRuling::Holds,
            Some(other) => RelationRuling::Violated(
                identity(record),
                format!(
                    "{} is {} and {} is {}",
                    join.ours,
                    text(ours),
                    one.relation.member,
                    text(id_at(&list.spec.identifier, other))
                ),
            ),
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
            None => RelationRuling::NotApplicable,
            Some(_) if !related(record, &one.relation).is_empty() => RelationRuling::Holds,
            Some((id, _)) => RelationRuling::Violated(
                identity(record),
                format!("refers to {id}, and {} shows nothing", one.relation.member),
            ),
        }
    }))
}

pub(super) fn refer_back<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let rule = Rule {
        expected: "related records that refer to the record",
        needs: "a record that others refer to",
        absence: false,
    };
    Box::pin(each(engine, result, rule, is_referred, |one, record, list| {
        let Some(join) = &one.relation.join else {
            return RelationRuling::NotApplicable;
        };
        let ours = reference(&one.relation, record);
        let others = related(record, &one.relation);
        let stranger = others
            .iter()
            .find(|other| join.theirs.find(other).and_then(Value::as_str) != ours);
        match stranger {
            None if others.is_empty() => RelationRuling::NotApplicable,
            None => RelationRuling::Holds,
            Some(other) => {
                let theirs = join
                    .theirs
                    .find(other)
                    .map_or("missing".to_owned(), ToString::to_string);
                RelationRuling::Violated(
                    identity(record),
                    format!(
                        "{} holds {}, whose {} is {theirs}",
                        one.relation.member,
                        text(id_at(&list.spec.identifier, other)),
                        join.theirs
                    ),
                )
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
        let rule = Rule {
            expected: "all records that refer to the record",
            needs: "",
            absence: true,
        };
        let mut cases = Vec::new();
        for (mut one, _) in offered(engine, Form::Records, &mut CheckResult::default()).await? {
            if let (true, Some(query)) = (is_referred(&one.relation), busiest(engine, &one)) {
                one.query = query;
                let request = one.request(engine, Form::Records);
                cases.push(case(one, &rule, request, complete));
            }
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

/// The question for the one record that the most live records refer to.
fn busiest(engine: &Engine, one: &Offered) -> Option<Query> {
    let list = engine.list(one.list);
    let by_id = list.spec.by_identifier()?;
    let filter = crate::corpus::predicate::ObservableFilter::of(one.list, by_id)?;
    let sized = list
        .live()
        .map(|(id, record)| (expected(list, &one.relation, record).len(), id));
    let (_, id) = sized.filter(|(size, _)| *size > 1).max()?;
    Some(Query::by(&filter, id))
}

fn expected(list: &ListCorpus, relation: &Relation, record: &Value) -> BTreeSet<String> {
    let all = joined(list, relation, record).into_iter();
    let live = all.filter(|(_, other)| !list.spec.is_deleted(other));
    live.map(|(id, _)| id.to_owned()).collect()
}

fn complete(one: &Offered, record: &Record, list: &ListCorpus) -> RelationRuling {
    let expected = expected(list, &one.relation, record);
    let shown: BTreeSet<&str> = related(record, &one.relation)
        .into_iter()
        .filter_map(|other| id_at(&list.spec.identifier, other))
        .collect();
    match expected.iter().find(|id| !shown.contains(id.as_str())) {
        None if expected.is_empty() => RelationRuling::NotApplicable,
        None => RelationRuling::Holds,
        Some(_) if may_be_bounded(shown.len()) => RelationRuling::NotApplicable,
        Some(missing) => RelationRuling::Violated(
            missing.clone(),
            format!(
                "{} without {missing}, {} of {}",
                one.relation.member,
                shown.len(),
                expected.len()
            ),
        ),
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
        result.blocked_by(format!("{member} failed {check}"));
    }
    Box::pin(each(
        engine,
        result,
        rule,
        |_| true,
        move |one, record, list| {
            let mut said = RelationRuling::NotApplicable;
            for summary in related(record, &one.relation) {
                let Some((id, full)) = id_at(&list.spec.identifier, summary)
                    .and_then(|id| Some((id, list.widest_snapshot()?.record(id)?)))
                else {
                    continue;
                };
                let members = summary.as_object().into_iter().flatten();
                let mut shared = members.filter_map(|(name, value)| Some((name, value, full.get(name)?)));
                // What is included in a summary was not asked for of the record.
                let is_own = |name: &str| {
                    name != "included"
                        && !distrusted.contains_key(&(one.list, Pointer::of([name]).to_string()))
                };
                // What a record does not have may be an empty text in its summary (R14).
                let is_nothing = |value: &Value| value.is_null() || value == "";
                let differs = |ours: &Value, theirs: &Value| {
                    ours != theirs && !(is_nothing(ours) && is_nothing(theirs))
                };
                match shared.find(|(name, ours, theirs)| is_own(name) && differs(ours, theirs)) {
                    None => said = RelationRuling::Holds,
                    Some((name, ours, theirs)) => {
                        let what = format!(
                            "{} {id} with {name} {ours}, the record with {theirs}",
                            one.relation.member
                        );
                        return RelationRuling::Violated(id.to_owned(), what);
                    }
                }
            }
            said
        },
    ))
}

fn text(text: Option<&str>) -> &str {
    text.unwrap_or("null")
}
