//! §4: an answer follows from its own request, whatever was sent before it and whatever headers it carries besides.
//!
//! Invariant: two answers are compared only where the same request without a disturbance gave the same answer before and
//! after them, so that data that moves is no violation.

use rollcall_contract::Role;
use serde_json::{Value, json};

use super::writing::{path, writes};
use super::{Check, CheckFuture, Level};
use crate::corpus::listing::{Paging, single_page};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::exchange::{Evidence, Exchange};
use crate::http::preceding::{Preceding, PrecedingKind};
use crate::http::request::{Credentials, Request, Wrong};
use crate::http::retry_after::PAUSES;
use crate::http::target::TargetError;

pub(super) const CHECKS: &[Check] = &[Check {
    id: "H3",
    covers: &[],
    clause: "§4",
    level: Level::Guarded,
    says: "An answer depends on its request alone: not on earlier requests, and not on headers that are not specified.",
    needs: "a list that answers with a record, and data that stays as it is",
    finds: "answers from the cache of another request; state that a refused request leaves behind; headers that \
            change the data",
    advice: "Make the whole request a part of every cache key: path, all parameters and token. Reset what a worker \
             keeps between requests, also after a refusal.",
    core: false,
    run: undisturbed,
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

/// What is sent right before a request, or with it.
struct Disturbance {
    /// How reports call it.
    what: String,
    /// What is sent before.
    before: Option<Preceding>,
    /// The request itself, if it carries something.
    header: Option<(&'static str, &'static str)>,
}

fn undisturbed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.readable() {
            if !engine.list(list).spec.specified {
                continue;
            }
            let Some(request) = disturbed_request(engine, list) else {
                continue;
            };
            if engine.target.send(&request).await?.is_success() {
                disturb(engine, list, &request, result).await?;
            }
        }
        result.gap_if_empty("a list that answers with a record");
        Ok(())
    })
}

/// Tries every disturbance of a request until one changes its answer.
async fn disturb(
    engine: &Engine,
    list: usize,
    request: &Request,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let disturbances = disturbances(engine, list, request);
    let usual = engine.target.send(request).await?;
    for disturbance in disturbances {
        let disturbed = disturbance.send(engine, request).await?;
        if shown(engine, &usual) == shown(engine, &disturbed) {
            result.case();
            continue;
        }
        let name = engine.list(list).spec.name();
        match stays_disturbed(engine, request, &disturbance).await? {
            None => {
                result.moved(format!(
                    "{}: another answer {}, once",
                    request.line(),
                    disturbance.what
                ));
                return Ok(());
            }
            Some(evidence) => {
                let told = (
                    format!("the same answer {}", disturbance.what),
                    "other records, or none".to_owned(),
                );
                result.finding(engine.finding(name, told, evidence));
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Whether the answer is another every time it is disturbed, and the same every time it is not.
async fn stays_disturbed(
    engine: &Engine,
    request: &Request,
    disturbance: &Disturbance,
) -> Result<Option<Vec<Evidence>>, TargetError> {
    let first = engine.target.send(request).await?;
    let mut last = None;
    for pause in PAUSES {
        tokio::time::sleep(pause).await;
        let usual = engine.target.send(request).await?;
        let disturbed = disturbance.send(engine, request).await?;
        // What the last disturbance left behind may meet the first request after it.
        engine.target.send(request).await?;
        let is_quiet = shown(engine, &first) == shown(engine, &usual);
        if !is_quiet || shown(engine, &usual) == shown(engine, &disturbed) {
            return Ok(None);
        }
        last = Some((usual, disturbed));
    }
    let base = &engine.target.config().base_url;
    let Some((usual, disturbed)) = last else {
        return Ok(None);
    };
    Ok(Some(vec![usual.evidence(base), disturbed.evidence(base)]))
}

impl Disturbance {
    /// Sends the request disturbed.
    async fn send(&self, engine: &Engine, request: &Request) -> Result<Exchange, TargetError> {
        let mut request = request.clone();
        request.headers.extend(self.header);
        if let Some(before) = &self.before {
            request = before.then(request);
        }
        engine.target.send(&request).await
    }
}

/// The status of an answer and the records on its page.
fn shown(engine: &Engine, exchange: &Exchange) -> (u16, Option<Vec<Value>>) {
    let page = single_page(exchange.clone(), &engine.target, &Paging::default());
    let records = page.reading().map(|page| {
        let records = page.records.iter().map(|record| Value::clone(record));
        records.collect()
    });
    (exchange.status, records)
}

/// The request to disturb: a page in an order that is the same each time, else a record by its identifier.
fn disturbed_request(engine: &Engine, list: usize) -> Option<Request> {
    let list_corpus = engine.list(list);
    let spec = &list_corpus.spec;
    let bare = Request::get(&spec.operation.path);
    let failed = |name: &str| engine.failed(list, name).is_some();
    let by_id = spec.by_identifier().filter(|filter| !failed(&filter.name));
    let sorted = spec.parameter(Role::Sort).zip(spec.sort_by_id());
    match (sorted, by_id, list_corpus.live().next()) {
        (Some((name, field)), ..) if list_corpus.paging.sort.is_some() || list_corpus.paging.stable => {
            Some(bare.with(name, field))
        }
        (_, Some(filter), Some((id, _))) => Some(bare.with(&filter.name, id)),
        _ => None,
    }
}

fn disturbances(engine: &Engine, list: usize, request: &Request) -> Vec<Disturbance> {
    let before = preceding(engine, list, request);
    let before = before.into_iter().map(|before| Disturbance {
        what: before.what.to_owned(),
        before: Some(before),
        header: None,
    });
    let headers = HEADERS.into_iter().map(|(name, value)| Disturbance {
        what: format!("with the header {name}"),
        before: None,
        header: Some((name, value)),
    });
    before.chain(headers).collect()
}

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
