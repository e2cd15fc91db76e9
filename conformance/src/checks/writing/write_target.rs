//! The record that a write goes to, and the paths of writes. How it is chosen is in [`super::candidates`].

use rollcall_contract::{Contract, Operation, Parameter, Tense};
use serde_json::Value;

use super::observer::RecordObserver;
use crate::corpus::list_spec::ListSpec;
use crate::engine::Engine;
use crate::http::request::segment;

/// The record to write to.
#[derive(Debug)]
pub(crate) struct WriteTarget {
    /// Its identifier.
    pub(crate) id: String,
    /// Whether it is a fixture, so that it need not exist.
    pub(crate) named: bool,
    /// The request that shows what has become of it.
    pub(crate) observer: Option<RecordObserver>,
    /// Other places that may show it.
    pub(crate) views: Vec<RecordObserver>,
}

/// The path of an operation on one record.
pub(in crate::checks) fn path(operation: &Operation, id: &str) -> String {
    let mut path = operation.path.clone();
    for parameter in operation.path_parameters() {
        path = path.replace(&format!("{{{}}}", parameter.name), &segment(id));
    }
    path
}

/// The list whose records an operation is about, if the contract has one.
pub(super) fn spec<'c>(engine: &'c Engine, operation: &Operation) -> Option<&'c ListSpec> {
    let mut subjects = engine.corpus.lists.iter().map(|list| &list.spec);
    subjects.find(|spec| operation.answer.schema.as_ref() == Some(&spec.list.record))
}

/// The operation that shows one record of the kind that an operation is about.
pub(super) fn single<'c>(engine: &'c Engine, operation: &Operation) -> Option<&'c Operation> {
    spec(engine, operation)?.single.as_ref()
}

/// Whether a record shows that it is soft-deleted.
pub(super) fn is_deleted(engine: &Engine, operation: &Operation, record: &Value) -> bool {
    spec(engine, operation).is_some_and(|spec| spec.is_deleted(record))
}

/// Whether a record shows that it is soft-deleted or expired: then it is deprecated beyond doubt (O7).
pub(super) fn is_deprecated(engine: &Engine, operation: &Operation, record: &Value) -> bool {
    is_deleted(engine, operation, record) || tense(engine, operation, record) == Some(Tense::Past)
}

/// Whether the end of a record lies behind or ahead, by what its state says.
pub(super) fn tense(engine: &Engine, operation: &Operation, record: &Value) -> Option<Tense> {
    let schema = operation.answer.schema.as_deref()?;
    let state = record.get("state")?.as_str()?;
    let times = engine.contract.state_times(schema).unwrap_or_default();
    times
        .into_iter()
        .find(|time| time.state == state)
        .map(|time| time.tense)
}

/// What ids of the parameter's kind begin with.
pub(super) fn prefix(contract: &Contract, parameter: &Parameter) -> String {
    let schema = contract.document().underlying(&parameter.schema);
    let pattern = schema.get("pattern").and_then(Value::as_str).unwrap_or_default();
    pattern
        .trim_start_matches('^')
        .split('[')
        .next()
        .unwrap_or_default()
        .to_owned()
}
