//! The record that a write goes to, what its own members say of it, and the paths of writes. How it is chosen
//! is in [`super::candidates`].

use std::collections::BTreeSet;

use rollcall_contract::{Contract, Operation, Parameter, Pointer, StateTime, Tense};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::http::target::TargetError;
use serde_json::Value;

use super::observer::{RecordObserver, RecordSnapshot};
use crate::engine::Engine;

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

impl WriteTarget {
    /// The record as it is; none if no request shows it.
    pub(super) async fn fetch(&self, engine: &Engine) -> Result<Option<RecordSnapshot>, TargetError> {
        match &self.observer {
            Some(observer) => observer.projection(engine).await,
            None => Ok(None),
        }
    }
}

/// The list whose records an operation is about, if the contract has one.
pub(super) fn list<'e>(engine: &'e Engine, operation: &Operation) -> Option<&'e ListCorpus> {
    let mut lists = engine.corpus.lists.iter();
    lists.find(|list| operation.answer.schema.as_ref() == Some(&list.spec.list.record))
}

/// Whether a record shows that it is soft-deleted.
pub(super) fn is_deleted(engine: &Engine, operation: &Operation, record: &Value) -> bool {
    list(engine, operation).is_some_and(|list| list.spec.is_deleted(record))
}

/// Whether a record shows that it is soft-deleted or expired, so that bringing it back is most likely to be granted.
pub(super) fn is_deprecated(engine: &Engine, operation: &Operation, record: &Value) -> bool {
    is_deleted(engine, operation, record) || tense(engine, operation, record) == Some(Tense::Past)
}

/// Whether the end of a record lies behind or ahead, by what its state says.
pub(super) fn tense(engine: &Engine, operation: &Operation, record: &Value) -> Option<Tense> {
    state_time(engine, operation, record).map(|time| time.tense)
}

/// What the state of a record says of one of its timestamps.
pub(super) fn state_time(engine: &Engine, operation: &Operation, record: &Value) -> Option<StateTime> {
    let schema = operation.answer.schema.as_deref()?;
    let state = engine.contract.frame.state_of(record)?;
    let times = engine.contract.state_times(schema).unwrap_or_default();
    times.into_iter().find(|time| time.state == state)
}

/// The timestamps by which a record of an operation ends: those that a state is told by, and that of soft deletion.
pub(super) fn ends(engine: &Engine, operation: &Operation) -> BTreeSet<Pointer> {
    let schema = operation.answer.schema.as_deref();
    let times = schema.and_then(|schema| engine.contract.state_times(schema).ok());
    let times = times.into_iter().flatten().map(|time| time.member);
    let mark = list(engine, operation).and_then(|list| list.spec.deletion_mark());
    times.chain(mark.cloned()).collect()
}

/// What ids of the parameter's kind begin with.
pub(super) fn prefix(contract: &Contract, parameter: &Parameter) -> String {
    let schema = contract.document().underlying(&parameter.schema);
    let pattern = schema.get("pattern").and_then(Value::as_str).unwrap_or_default();
    let (prefix, _) = pattern.split_once('[').unwrap_or((pattern, ""));
    prefix.trim_start_matches('^').to_owned()
}
