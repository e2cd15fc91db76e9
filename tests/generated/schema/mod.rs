//! What a generated type accepts is exactly what its schema accepts, and what it writes is valid.

mod judge;
mod kinds;
mod mutation;
mod valid;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use rollcall_contract::Form;
use serde_json::Value;

use crate::CONTRACT;
use judge::Judge;
use kinds::{KINDS, Kind};
pub(crate) use valid::sample;

#[test]
fn every_component_schema_has_a_type_that_is_tested() {
    let tested: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    let document = CONTRACT.document();
    let parameters = CONTRACT
        .operations
        .iter()
        .flat_map(|operation| &operation.parameters);
    // The words of `include` and `sort` are in the list tables, and tested with them.
    let words: BTreeSet<&str> = parameters
        .filter(|parameter| parameter.is_comma_separated)
        .filter_map(|parameter| document.schema_name(&parameter.schema["items"]))
        .collect();
    let schemas = document.schemas().map(|(name, _)| name);
    let schemas: BTreeSet<&str> = schemas.filter(|name| !words.contains(name)).collect();
    assert_eq!(tested, schemas, "add the schema to kinds.rs");
}

#[test]
fn a_type_accepts_what_its_schema_accepts_and_nothing_else() {
    let found: Vec<String> = KINDS.iter().filter_map(divergence).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The first value, made as small as may be, about which the type and its schema disagree.
fn divergence(kind: &Kind) -> Option<String> {
    let schema = CONTRACT.document().json_schema(kind.name, Form::Strict).unwrap();
    let judge = Judge::new(kind, &schema);
    // A schema within another is met there again, so that few cases for each type are many in all.
    let config = crate::properties(Config::default().cases / 4);
    let strategy = (
        valid::values(&schema),
        prop::collection::vec(mutation::any(), 1..4),
    );
    let outcome = TestRunner::new(config).run(&strategy, |(mut value, mutations)| {
        prop_assert!(
            judge.is_valid(&value),
            "the strategy made an invalid {}",
            shown(&value)
        );
        judge.agrees(&value).map_err(TestCaseError::fail)?;
        for mutation in &mutations {
            mutation.apply(&mut value);
            judge.agrees(&value).map_err(TestCaseError::fail)?;
        }
        Ok(())
    });
    match outcome {
        Ok(()) => None,
        Err(TestError::Fail(why, (value, mutations))) => Some(format!(
            "{}: {why}\n  from {} by {mutations:?}",
            kind.name,
            shown(&value)
        )),
        Err(TestError::Abort(why)) => Some(format!("{}: {why}", kind.name)),
    }
}

/// A value as a failure shows it, cut where it is long.
fn shown(value: &Value) -> String {
    value.to_string().chars().take(600).collect()
}
