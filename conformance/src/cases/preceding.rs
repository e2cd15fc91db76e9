//! What must not matter to an answer: headers that are not specified, and requests that were sent right before it.

use rollcall_contract::Role;
use rollcall_oracle::corpus::projection::DeletedScope;
use rollcall_oracle::http::credentials::{Credentials, Wrong};
use rollcall_oracle::http::preceding::{Preceding, PrecedingKind};
use rollcall_oracle::http::request::Request;
use serde_json::json;

use super::writes::{path, writes};
use crate::engine::Engine;

/// Headers that clients and proxies send. None of them may change what a list holds.
pub(crate) const HEADERS: [(&str, &str); 10] = [
    ("accept", "*/*"),
    ("accept-encoding", "gzip"),
    ("accept-language", "de, ja;q=0.5"),
    ("cache-control", "no-cache"),
    ("cookie", "session=0"),
    ("if-none-match", "\"another\""),
    // A range in a unit that nobody knows, which servers have to ignore (RFC 9110, 14.2).
    ("range", "paragraphs=1-2"),
    ("user-agent", "Mozilla/5.0"),
    ("x-forwarded-for", "192.0.2.1"),
    ("x-request-id", "00000000-0000-4000-8000-000000000000"),
];

/// What can be sent right before a request for a list: requests that are refused, pages, filters, a write without a token.
/// `request` is what those show that are nearly the same.
pub(crate) fn preceding(engine: &Engine, list: usize, request: &Request) -> Vec<Preceding> {
    let list_corpus = engine.list(list);
    let spec = &list_corpus.spec;
    let bare = || Request::get(&spec.operation.path);
    let shown = |credentials| request.clone().showing(credentials);
    let nobody = Request::get(format!("{}/nobody", spec.operation.path));
    let entry = |what, kind| Preceding { what, kind };
    let after = |what, request| entry(what, PrecedingKind::Request(Box::new(request)));
    let other = Credentials::Wrong(Wrong::Other);
    let mut preceding = vec![
        entry("after the same request", PrecedingKind::Same),
        entry("on a new connection", PrecedingKind::NewConnection),
        after("after the list without a token", shown(Credentials::Nothing)),
        after("after the list with another token", shown(other)),
        after("after a request for a record that there is not", nobody),
    ];
    let write = refused_write(engine);
    preceding.extend(write.map(|write| after("after a write without a token", write)));
    if let Some(name) = spec.parameter(Role::Page) {
        let second = bare().with(name, &list_corpus.paging.number(2).to_string());
        let nonsense = bare().with(name, "nonsense");
        preceding.push(after("after another page", second));
        preceding.push(after("after a page that there is not", nonsense));
    }
    if let (Some(filter), Some((id, _))) = (spec.by_identifier(), list_corpus.live().nth(1)) {
        preceding.push(after("after another filter", bare().with(&filter.name, id)));
    }
    for (scope, what) in [
        (DeletedScope::With, "after the list with soft-deleted records"),
        (DeletedScope::Only, "after the list of soft-deleted records"),
    ] {
        preceding.extend(
            spec.trashed(scope)
                .map(|(name, word)| after(what, bare().with(name, word))),
        );
    }
    let field = spec.list.sort.last().map(|(field, _)| format!("-{field}"));
    let relation = spec.list.relations.first().map(|relation| relation.name.clone());
    for (role, value, what) in [
        (Role::Sort, field, "after the list in another order"),
        (Role::Include, relation, "after the list with a relation"),
    ] {
        let parameter = spec.parameter(role).zip(value);
        preceding.extend(parameter.map(|(name, value)| after(what, bare().with(name, &value))));
    }
    preceding
}

/// A write without a token, where the contract has writes.
pub(crate) fn refused_write(engine: &Engine) -> Option<Request> {
    let write = writes(&engine.contract).into_iter().next()?;
    let path = path(&write, "nobody");
    Some(Request::patch(path, json!({}), Credentials::Nothing))
}
