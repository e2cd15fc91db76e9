//! What an answer with relations looks like (I2, I7, I15).

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonschema::Validator;
use rollcall_contract::{Form, Included, Pointer};
use serde_json::Value;

use super::relations::{Offered, RelationRuling, Rule, each, offered};
use crate::checks::CheckFuture;
use crate::checks::cases::selective_query;
use crate::checks::sort::sortable::lists;
use crate::corpus::ListCorpus;
use crate::corpus::listing::{ListResponse, identity};
use crate::corpus::query::{Query, including};
use crate::corpus::related::shown;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::http::exchange::shortened;
use crate::oracle;
use crate::oracle::Violation;

pub(super) fn well_formed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let rule = Rule {
            expected: "the shape that is listed for the relation",
            needs: "a record that has the relation",
            absence: false,
        };
        let validators = validators(engine);
        each(
            engine,
            result,
            rule,
            |_| true,
            move |one, record, _| {
                let Some(value) = shown(record, &one.relation) else {
                    return RelationRuling::NotApplicable;
                };
                // A relation of which one is shown and several are counted may be an array as well (R10).
                let several = one.relation.many || one.relation.count.is_some() && value.is_array();
                let wrong = |what: String| {
                    RelationRuling::Violated(identity(record), format!("{} {what}", one.relation.member))
                };
                match value {
                    Value::Array(_) if !several => return wrong("is an array".to_owned()),
                    Value::Array(records) if records.is_empty() => return RelationRuling::NotApplicable,
                    Value::Array(_) => {}
                    _ if several => return wrong("is no array".to_owned()),
                    _ => {}
                }
                let validator = validators.get(&(one.list, one.relation.member.clone()));
                match validator.and_then(|validator| validator.iter_errors(value).next()) {
                    None => RelationRuling::Holds,
                    Some(error) => wrong(shortened(
                        &format!("at {:?}: {error}", error.instance_path().as_str()),
                        200,
                    )),
                }
            },
        )
        .await
    })
}

/// What judges a relation, by its list and member.
fn validators(engine: &Engine) -> Arc<BTreeMap<(usize, String), Validator>> {
    let mut validators = BTreeMap::new();
    for list in lists(engine) {
        let described = &engine.list(list).spec.list;
        for relation in &described.relations {
            let at = Pointer::of(["included", &relation.member]);
            let schema = engine.contract.member_schema(&described.record, &at);
            let schema =
                schema.map(|schema| engine.contract.document().json_schema_of(schema, Form::Judging));
            if let Some(validator) = schema.and_then(|schema| jsonschema::validator_for(&schema).ok()) {
                validators.insert((list, relation.member.clone()), validator);
            }
        }
    }
    Arc::new(validators)
}

pub(super) fn same_list<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for one in offered(engine, |relation| relation.name.clone(), result).await? {
            if !one.query.first_page {
                cases.push(unchanged(engine, &one, one.query.clone()));
            }
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a relation that is offered, and a record");
        Ok(())
    })
}

fn unchanged(engine: &Engine, one: &Offered, query: Query) -> Case {
    let query = query.including(&[&one.relation.name]);
    let request = query.request(engine.list(one.list));
    let (uses, projections) = (query.uses(), crate::checks::cases::projections(&query));
    let about = including(&one.relation.name);
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let answer = &answers[0];
        oracle::missing(list, &query, answer).or_else(|| oracle::unexpected(list, &query, answer))
    };
    Case::new(one.list, about.clone(), vec![request], judge)
        .resting_on(uses)
        .invalidates([about])
        .seen_in(projections)
        .needing("a record of a list that has relations")
}

pub(super) fn nothing_else<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in lists(engine) {
            if engine.list(list).spec.list.included == Included::Records {
                let plain =
                    selective_query::best(&selective_query::all(engine, list), |records| records.len());
                cases.push(only(engine, list, plain, None));
            }
        }
        for one in offered(engine, |relation| relation.name.clone(), result).await? {
            let query = one.query.clone().including(&[&one.relation.name]);
            cases.push(only(engine, one.list, query, Some(one.relation.name.clone())));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

/// An answer that holds no relation but the one that was asked for.
fn only(engine: &Engine, list: usize, query: Query, asked: Option<String>) -> Case {
    let request = query.request(engine.list(list));
    let about = asked
        .as_ref()
        .map_or("included".to_owned(), |name| format!("include={name}"));
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let relations = &list.spec.list.relations;
        let populated = |record: &Value| {
            let mut others = relations
                .iter()
                .filter(|relation| Some(&relation.name) != asked.as_ref());
            others
                .find(|other| shown(record, other).is_some_and(|value| !is_empty(value)))
                .map(|one| one.name.clone())
        };
        let records = &answers[0].reading()?.records;
        let first = records.iter().find_map(|record| populated(record));
        let wrong = records.iter().filter(|record| populated(record).is_some());
        let expected = "nothing included that was not asked for";
        Violation::of_records(
            wrong.map(|record| identity(record)).collect(),
            expected,
            |names| format!("{names} with {}", first.unwrap_or_default()),
        )
    };
    Case::new(list, about, vec![request], judge)
        .resting_on(query.uses())
        .needing("a record of a list that has relations")
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.is_empty(),
        value => value.is_null(),
    }
}
