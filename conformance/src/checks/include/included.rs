//! The shape of a relation (I15).

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonschema::Validator;
use rollcall_contract::{Form, Pointer};
use serde_json::Value;

use super::relations::{RelationRuling, Rule, each};
use crate::checks::CheckFuture;
use crate::checks::sort::sortable::lists;
use crate::corpus::listing::identity;
use crate::corpus::related::shown;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::exchange::shortened;

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
