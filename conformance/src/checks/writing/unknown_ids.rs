//! Identifiers that no record of a kind has: one that is made up, and near misses of a known one.
//!
//! Invariant: an identifier that some record may have is not among them: what could be the next one of a sequence is left out
//! unless every record of the list was read.

use rollcall_contract::Operation;

use super::write_target::prefix;
use crate::engine::Engine;

/// An identifier that no record has.
#[derive(Clone, Debug)]
pub(super) struct UnknownId {
    /// How reports call it.
    pub(super) what: &'static str,
    /// The identifier.
    pub(super) id: String,
}

/// Identifiers that no record has which an operation is about.
pub(super) fn unknown_ids(engine: &Engine, operation: &Operation, known: &str) -> Vec<UnknownId> {
    let Some(parameter) = operation.path_parameters().next() else {
        return Vec::new();
    };
    let prefix = prefix(&engine.contract, parameter);
    let word = engine.choice("unknown ids").word(16);
    let own = known.strip_prefix(prefix.as_str()).unwrap_or(known);
    let mut shorter = known.to_owned();
    let last = shorter.pop().unwrap_or_default();
    let near = [
        ("an unknown id", format!("{prefix}{word}")),
        ("an id that is cut by a character", shorter.clone()),
        ("an id with a character more", format!("{known}0")),
        ("an id with its prefix twice", format!("{prefix}{known}")),
        ("an id without its prefix", own.to_owned()),
        ("an id in capitals", known.to_uppercase()),
        ("an id with a blank at its end", format!("{known} ")),
        ("an id with a percent sign at its end", format!("{shorter}%")),
        ("an id with an underscore at its end", format!("{shorter}_")),
        ("an id with a quotation mark", format!("{known}'")),
    ];
    let mut near = Vec::from(near);
    let mut lists = engine.corpus.lists.iter();
    let is_own = |record: &str| operation.answer.schema.as_deref() == Some(record);
    let list = lists.find(|list| is_own(&list.spec.list.record));
    let snapshot = list.and_then(|list| list.widest_snapshot());
    let is_known = |id: &str| snapshot.is_some_and(|snapshot| snapshot.record(id).is_some());
    if list.is_some_and(|list| list.is_read_whole()) {
        let others = ('0'..='9').filter(|other| *other != last);
        let mut others = others.map(|other| format!("{shorter}{other}"));
        let free = others.find(|id| !is_known(id));
        near.extend(free.map(|id| ("an id with another last character", id)));
    }
    let mut lists = engine.corpus.lists.iter();
    if let Some(other) = lists.find(|list| !is_own(&list.spec.list.record)) {
        let their = engine.contract.id_prefix(&other.spec.list.record);
        near.extend(their.map(|their| ("an id with the prefix of another kind", format!("{their}{own}"))));
        let id = other.live().next().map(|(id, _)| id.to_owned());
        near.extend(id.map(|id| ("the id of a record of another kind", id)));
    }
    let unknown = near
        .into_iter()
        .filter(|(_, id)| !id.is_empty() && id != known && !is_known(id));
    unknown.map(|(what, id)| UnknownId { what, id }).collect()
}
