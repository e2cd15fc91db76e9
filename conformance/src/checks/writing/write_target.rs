//! The record that a write goes to, and the paths of writes. How it is chosen is in [`super::candidates`].

use rollcall_contract::{Contract, Operation, Parameter, Tense};
use serde_json::Value;

use super::observer::RecordObserver;
use crate::context::Context;
use crate::request::segment;
use crate::subject::Subject;

/// The record to write to.
#[derive(Debug)]
pub(crate) struct WriteTarget {
    /// Its identifier.
    pub(crate) id: String,
    /// Whether it is a fixture, so that it need not exist.
    pub(crate) named: bool,
    /// The request that shows what has become of it.
    pub(crate) observer: Option<RecordObserver>,
}

/// The path of an operation on one record.
pub(in crate::checks) fn path(operation: &Operation, id: &str) -> String {
    let mut path = operation.path.clone();
    for parameter in operation.path_parameters() {
        path = path.replace(&format!("{{{}}}", parameter.name), &segment(id));
    }
    path
}

/// Identifiers that no record has, each with how reports call it: one of the right kind, and some that are nearly a known
/// one.
pub(super) fn unknown_ids(
    context: &Context,
    operation: &Operation,
    known: &str,
) -> Vec<(&'static str, String)> {
    let Some(parameter) = operation.path_parameters().next() else {
        return Vec::new();
    };
    let prefix = prefix(&context.contract, parameter);
    let word = context.choice("unknown ids").word(16);
    let mut shorter = known.to_owned();
    shorter.pop();
    let near = [
        ("an unknown id", format!("{prefix}{word}")),
        ("an id that is cut by a character", shorter),
        ("an id with a character more", format!("{known}0")),
        ("an id with its prefix twice", format!("{prefix}{known}")),
        (
            "an id without its prefix",
            known.strip_prefix(prefix.as_str()).unwrap_or(known).to_owned(),
        ),
    ];
    let mut lists = context.corpus.lists.iter();
    let list = lists.find(|list| operation.answer.schema.as_ref() == Some(&list.subject.list.record));
    let view = list.and_then(|list| list.fullest());
    let is_known = |id: &str| view.is_some_and(|view| view.record(id).is_some());
    let unknown = near
        .into_iter()
        .filter(|(_, id)| !id.is_empty() && id != known && !is_known(id));
    unknown.collect()
}

/// The list whose records an operation is about, if the contract has one.
pub(super) fn subject<'c>(context: &'c Context, operation: &Operation) -> Option<&'c Subject> {
    let mut subjects = context.corpus.lists.iter().map(|list| &list.subject);
    subjects.find(|subject| operation.answer.schema.as_ref() == Some(&subject.list.record))
}

/// The operation that shows one record of the kind that an operation is about.
pub(super) fn single<'c>(context: &'c Context, operation: &Operation) -> Option<&'c Operation> {
    subject(context, operation)?.single.as_ref()
}

/// Whether a record shows that it is soft-deleted.
pub(super) fn is_deleted(context: &Context, operation: &Operation, record: &Value) -> bool {
    subject(context, operation).is_some_and(|subject| subject.is_deleted(record))
}

/// Whether a record shows that it is soft-deleted or expired: then it is deprecated beyond doubt (O7).
pub(super) fn is_deprecated(context: &Context, operation: &Operation, record: &Value) -> bool {
    is_deleted(context, operation, record) || tense(context, operation, record) == Some(Tense::Past)
}

/// Whether the end of a record lies behind or ahead, by what its state says.
pub(super) fn tense(context: &Context, operation: &Operation, record: &Value) -> Option<Tense> {
    let schema = operation.answer.schema.as_deref()?;
    let state = record.get("state")?.as_str()?;
    let times = context.contract.state_times(schema).unwrap_or_default();
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
