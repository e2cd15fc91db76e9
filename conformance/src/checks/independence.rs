//! §4: an answer follows from its own request, whatever was sent before it and whatever headers it carries besides. The plan
//! sends every second query with such headers and some after other requests ([`super::exploration`]).

use rollcall_contract::Role;
use serde_json::json;

use super::exploration::planned_combinations;
use super::writing::{path, writes};
use super::{Check, Level};
use crate::engine::Engine;
use crate::http::preceding::{Preceding, PrecedingKind};
use crate::http::request::{Credentials, Request, Wrong};

pub(super) const CHECKS: &[Check] = &[Check {
    id: "H3",
    covers: &[],
    clause: "§4",
    level: Level::Guarded,
    says: "An answer depends on its request alone: not on earlier requests, and not on headers that are not specified.",
    needs: "a list that answers with a record",
    finds: "answers from the cache of another request; state that a refused request leaves behind; headers that \
            change the data",
    advice: "Make the whole request a part of every cache key: path, all parameters and token. Reset what a worker \
             keeps between requests, also after a refusal.",
    core: false,
    run: planned_combinations,
}];

/// Headers that clients and proxies send. None of them may change what a list holds.
pub(crate) const HEADERS: [(&str, &str); 9] = [
    ("accept", "application/json"),
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
    let after = |what, request| Preceding {
        what,
        kind: PrecedingKind::Request(Box::new(request)),
    };
    let mut preceding = vec![
        Preceding {
            what: "after the same request",
            kind: PrecedingKind::Same,
        },
        Preceding {
            what: "on a new connection",
            kind: PrecedingKind::NewConnection,
        },
        after(
            "after the list without a token",
            request.clone().showing(Credentials::Nothing),
        ),
        after(
            "after the list with another token",
            request.clone().showing(Credentials::Wrong(Wrong::Other)),
        ),
        after(
            "after a request for a record that there is not",
            Request::get(format!("{}/{}", spec.operation.path, "nobody")),
        ),
    ];
    let writes = writes(&engine.contract);
    preceding.extend(writes.first().map(|operation| {
        let request = Request::patch(path(operation, "nobody"), json!({}), Credentials::Nothing);
        after("after a write without a token", request)
    }));
    if let Some(name) = spec.parameter(Role::Page) {
        let second = list_corpus.paging.number(2).to_string();
        preceding.push(after("after another page", bare().with(name, &second)));
        preceding.push(after(
            "after a page that there is not",
            bare().with(name, "nonsense"),
        ));
    }
    if let (Some(filter), Some((id, _))) = (spec.by_identifier(), list_corpus.live().nth(1)) {
        preceding.push(after("after another filter", bare().with(&filter.name, id)));
    }
    if let Some((name, word)) = spec.with_trashed() {
        preceding.push(after(
            "after the list with soft-deleted records",
            bare().with(name, word),
        ));
    }
    preceding
}
