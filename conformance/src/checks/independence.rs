//! §4: an answer follows from its own request, whatever was sent before it and whatever headers it carries besides.
//!
//! Invariant: two answers are compared only where the same request without a disturbance gave the same answer before and
//! after them, so that data that moves is no violation.

use rollcall_contract::Role;
use serde_json::{Value, json};

use super::writing::{path, writes};
use super::{Check, Level, Looking};
use crate::context::Context;
use crate::exchange::{Evidence, Exchange};
use crate::listing::{Paging, single_page};
use crate::outcome::Tally;
use crate::patience::PAUSES;
use crate::request::{Credentials, Preceding, Request, Wrong};
use crate::target::Trouble;

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
pub(crate) const HEADERS: [(&str, &str); 8] = [
    ("accept", "application/json"),
    ("accept-language", "de, ja;q=0.5"),
    ("cache-control", "no-cache"),
    ("cookie", "session=0"),
    ("if-none-match", "\"another\""),
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

fn undisturbed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in context.readable() {
            if !context.list(list).subject.specified {
                continue;
            }
            let Some(request) = disturbed_request(context, list) else {
                continue;
            };
            if context.target.send(&request).await?.is_success() {
                disturb(context, list, &request, tally).await?;
            }
        }
        tally.gap_if_empty("a list that answers with a record");
        Ok(())
    })
}

/// Tries every disturbance of a request until one changes its answer.
async fn disturb(
    context: &Context,
    list: usize,
    request: &Request,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let disturbances = disturbances(context, list, request);
    let usual = context.target.send(request).await?;
    for disturbance in disturbances {
        let disturbed = disturbance.send(context, request).await?;
        if shown(context, &usual) == shown(context, &disturbed) {
            tally.case();
            continue;
        }
        let name = context.list(list).subject.name();
        match stays_disturbed(context, request, &disturbance).await? {
            None => {
                tally.moved(format!(
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
                tally.finding(context.finding(name, told, evidence));
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Whether the answer is another every time it is disturbed, and the same every time it is not.
async fn stays_disturbed(
    context: &Context,
    request: &Request,
    disturbance: &Disturbance,
) -> Result<Option<Vec<Evidence>>, Trouble> {
    let first = context.target.send(request).await?;
    let mut last = None;
    for pause in PAUSES {
        tokio::time::sleep(pause).await;
        let usual = context.target.send(request).await?;
        let disturbed = disturbance.send(context, request).await?;
        // What the last disturbance left behind may meet the first request after it.
        context.target.send(request).await?;
        let is_quiet = shown(context, &first) == shown(context, &usual);
        if !is_quiet || shown(context, &usual) == shown(context, &disturbed) {
            return Ok(None);
        }
        last = Some((usual, disturbed));
    }
    let base = &context.target.config().base_url;
    let Some((usual, disturbed)) = last else {
        return Ok(None);
    };
    Ok(Some(vec![usual.evidence(base), disturbed.evidence(base)]))
}

impl Disturbance {
    /// Sends the request disturbed.
    async fn send(&self, context: &Context, request: &Request) -> Result<Exchange, Trouble> {
        let mut request = request.clone();
        request.headers.extend(self.header);
        if let Some(before) = &self.before {
            request = before.then(request);
        }
        context.target.send(&request).await
    }
}

/// The status of an answer and the records on its page.
fn shown(context: &Context, exchange: &Exchange) -> (u16, Option<Vec<Value>>) {
    let page = single_page(exchange.clone(), &context.target, &Paging::default());
    let records = page.reading().map(|page| {
        let records = page.records.iter().map(|record| Value::clone(record));
        records.collect()
    });
    (exchange.status, records)
}

/// The request to disturb: a page in an order that is the same each time, else a record by its identifier.
fn disturbed_request(context: &Context, list: usize) -> Option<Request> {
    let surveyed = context.list(list);
    let subject = &surveyed.subject;
    let bare = Request::get(&subject.operation.path);
    let failed = |name: &str| context.failed(list, name).is_some();
    let by_id = subject.by_identifier().filter(|filter| !failed(&filter.name));
    let sorted = subject.parameter(Role::Sort).zip(subject.sort_by_id());
    match (sorted, by_id, surveyed.live().next()) {
        (Some((name, field)), ..) if surveyed.paging.sort.is_some() || surveyed.paging.stable => {
            Some(bare.with(name, field))
        }
        (_, Some(filter), Some((id, _))) => Some(bare.with(&filter.name, id)),
        _ => None,
    }
}

fn disturbances(context: &Context, list: usize, request: &Request) -> Vec<Disturbance> {
    let before = preceding(context, list, request);
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
pub(crate) fn preceding(context: &Context, list: usize, request: &Request) -> Vec<Preceding> {
    let surveyed = context.list(list);
    let subject = &surveyed.subject;
    let bare = || Request::get(&subject.operation.path);
    let after = |what, request| Preceding {
        what,
        request: Some(request),
    };
    let mut preceding = vec![
        Preceding {
            what: "after the same request",
            request: None,
        },
        after(
            "after the list without a token",
            request.clone().showing(Credentials::Nothing),
        ),
        after(
            "after the list with another word for the token",
            request.clone().showing(Credentials::Wrong(Wrong::Other)),
        ),
        after(
            "after a request for a record that there is not",
            Request::get(format!("{}/{}", subject.operation.path, "nobody")),
        ),
        after("on a new connection", bare().with_header("connection", "close")),
    ];
    let writes = writes(&context.contract);
    preceding.extend(writes.first().map(|operation| {
        let request = Request::patch(path(operation, "nobody"), json!({}), Credentials::Nothing);
        after("after a write without a token", request)
    }));
    if let Some(name) = subject.parameter(Role::Page) {
        let second = surveyed.paging.number(2).to_string();
        preceding.push(after("after another page", bare().with(name, &second)));
        preceding.push(after(
            "after a page that there is not",
            bare().with(name, "nonsense"),
        ));
    }
    if let (Some(filter), Some((id, _))) = (subject.by_identifier(), surveyed.live().nth(1)) {
        preceding.push(after("after another filter", bare().with(&filter.name, id)));
    }
    if let Some((name, word)) = subject.with_trashed() {
        preceding.push(after(
            "after the list with soft-deleted records",
            bare().with(name, word),
        ));
    }
    preceding
}
