//! §4: no request that the specification allows is answered with an error of the server. What comes of other requests is observed
//! ([`super::points`]).
//!
//! Invariant: one glance at each request; what fails is sent again before it is called a violation.

use crate::engine::region::{Area, REFUSED, Region, Sign};
use std::collections::BTreeSet;
use std::time::Duration;

use rollcall_contract::{Filter, Match, Role, ValueKind};
use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::list_spec::JudgedFilter;
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;

use super::{BASE, Check, CheckFuture};
use crate::cases::with_roles;
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::engine::suspect::suspected;

pub(super) const CHECKS: &[Check] = &[UNBROKEN];

/// The check that every request which breaks is held against.
pub(super) const UNBROKEN: Check = Check {
    id: "H1",
    clause: "§4",
    demands: &["list-users", "dimensions", "combined", "restore", "deprecate"],
    says: "No request that the specification allows ends in an error of the server, or in a connection that is closed without \
           an answer.",
    needs: "a list",
    finds: "long values, letters of other scripts, and rare combinations",
    advice: "Look up the request in the log of the server. Give every value the type of its column before the query, \
             and answer 400 where that fails.",
    region: Region {
        failed_by: &[Area::ALL.wrong(REFUSED).showing(&[Sign::Broken, Sign::Together])],
        ..Region::NONE
    },
    run: unbroken,
    ..BASE
};

/// Letters of several scripts, some of more than one code point, and one outside of the first plane.
const SCRIPTS: &str = "Zoë Łukasz 北京 हिन्दी e\u{301} 👩‍🚀 Straße";
/// A long value has so many characters (L20): more than most columns and indexes hold.
const LONG: usize = 1_000;
/// So many characters has a value that shares a request with all others: an address has a length that servers take.
const SHORT: usize = 200;
/// So many filters by a text share a request.
const SHARED: usize = 3;
/// How often what failed is sent again, and how long the runner waits each time.
pub(super) const AGAIN: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(100)];
/// Timestamps that are far from all data, before and after it. As bounds they leave nothing between them.
const LONG_AGO: &str = "1999-12-31T23:59:59Z";
const FAR_AHEAD: &str = "2099-12-31T23:59:59Z";

/// A request, and the part of the list it is about.
type Asked = (String, Request);

fn unbroken<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in 0..engine.corpus.lists.len() {
            let list_corpus = engine.list(list);
            // A list that does not answer without parameters is told of as such (N1).
            if !list_corpus.spec.specified || list_corpus.widest_snapshot().is_none() {
                continue;
            }
            let asked = allowed(engine, list);
            let requests: Vec<_> = asked.iter().map(|(_, request)| request.clone()).collect();
            let answers = engine.glance_all(&requests).await?;
            let mut accused: Vec<String> = Vec::new();
            for ((about, request), answer) in asked.iter().zip(answers) {
                if answer.status < 500 {
                    result.count_case();
                    continue;
                }
                match breaks_again(engine, &shortest(engine, request).await?).await? {
                    None => result.moved(format!("{}: status {} once", request.line(), answer.status)),
                    Some(again) => {
                        let about = match &again.request.query[..] {
                            [(name, _)] => name,
                            _ => about,
                        };
                        if !accused.contains(about) {
                            accused.push(about.clone());
                            result.finding(finding(engine, list, about, &again));
                        }
                    }
                }
            }
        }
        result.gap_if_empty("a list that answers");
        Ok(())
    })
}

/// Of a request that fails, the shortest that fails too: ever smaller runs of its parts are left out.
pub(super) async fn shortest(engine: &Engine, request: &Request) -> Result<Request, TargetError> {
    let mut parts = parts(request);
    let mut run = parts.len() / 2;
    while run > 0 {
        let mut at = 0;
        while at < parts.len() {
            let end = parts.len().min(at + run);
            let fewer = [&parts[..at], &parts[end..]].concat();
            let shorter = joined(request, &fewer);
            match fails(engine, &shorter).await? {
                false => at = end,
                true => parts = fewer,
            }
        }
        run /= 2;
    }
    Ok(joined(request, &parts))
}

/// Whether a request ends in an error of the server, or in no answer.
async fn fails(engine: &Engine, request: &Request) -> Result<bool, TargetError> {
    match engine.target.send(request).await {
        Ok(exchange) => Ok(exchange.status >= 500),
        Err(TargetError::NoAnswer { is_late: false, .. }) => Ok(true),
        Err(error) => Err(error),
    }
}

/// The parameters of a request, those that take several words word by word.
fn parts(request: &Request) -> Vec<(String, String)> {
    let words = request.query.iter().flat_map(|(name, value)| {
        let words = value.split(',');
        words.map(move |word| (name.clone(), word.to_owned()))
    });
    words.collect()
}

/// The request with these parts alone.
fn joined(request: &Request, parts: &[(String, String)]) -> Request {
    let mut query: Vec<(String, String)> = Vec::new();
    for (name, word) in parts {
        match query.iter_mut().find(|(known, _)| known == name) {
            Some((_, value)) => value.extend([",", word]),
            None => query.push((name.clone(), word.clone())),
        }
    }
    Request {
        query,
        ..request.clone()
    }
}

/// The answer, if it is an error of the server's every time.
async fn breaks_again(engine: &Engine, request: &Request) -> Result<Option<Exchange>, TargetError> {
    let mut last = None;
    for pause in AGAIN {
        tokio::time::sleep(pause).await;
        let exchange = engine.target.send(request).await?;
        if exchange.status < 500 {
            return Ok(None);
        }
        last = Some(exchange);
    }
    Ok(last)
}

fn finding(engine: &Engine, list: usize, about: &str, exchange: &Exchange) -> Finding {
    let operation = &engine.list(list).spec.operation;
    let finding = Finding::new(
        format!("{} {about}", operation.path),
        Clause::of_source(&operation.origin.source),
        (
            "an answer, or a refusal (4xx)",
            format!("status {}", exchange.status),
        ),
        vec![exchange.evidence(&engine.target.config().base_url)],
    );
    let requests = [exchange.request.clone()];
    finding.suspecting(suspected(&engine.list(list).spec, &requests, &BTreeSet::new()))
}

/// Requests that the specification allows.
fn allowed(engine: &Engine, list: usize) -> Vec<Asked> {
    let mut asked = texts(engine, list);
    asked.extend(together(engine, list));
    asked
}

/// Strange values for every filter by a text; the plan asks for the others. Some share a request, in either order, since a
/// server may not look at the second where the first finds nothing.
fn texts(engine: &Engine, list: usize) -> Vec<Asked> {
    let spec = &engine.list(list).spec;
    let bare = || Request::get(&spec.operation.path);
    let is_text = |judged: &&JudgedFilter| matches!(judged.filter.value, ValueKind::Text { .. });
    let texts: Vec<_> = spec.filters.iter().filter(is_text).collect();
    let mut asked = Vec::new();
    for some in texts.chunks(SHARED) {
        let first: Vec<_> = some.iter().enumerate().collect();
        let turned: Vec<_> = first.iter().rev().copied().collect();
        for (turn, filters) in [first, turned].into_iter().enumerate() {
            let request = filters.into_iter().fold(bare(), |request, (at, judged)| {
                let values = values(engine, &judged.filter, LONG);
                request.with(&judged.name, &values[(at + turn) % values.len()])
            });
            asked.push(("filters by a text".to_owned(), request));
        }
    }
    asked
}

/// Values that a filter takes; a text without sense has so many characters.
fn values(engine: &Engine, filter: &Filter, length: usize) -> Vec<String> {
    match &filter.value {
        ValueKind::Text { .. } => vec![engine.choice(engine.check.id).word(length), SCRIPTS.to_owned()],
        ValueKind::Word(words) => words.iter().take(1).cloned().collect(),
        ValueKind::Boolean => vec![true.to_string(), false.to_string()],
        ValueKind::Integer => vec![0.to_string()],
        ValueKind::Timestamp if filter.matching == Match::After => vec![FAR_AHEAD.to_owned()],
        ValueKind::Timestamp => vec![LONG_AGO.to_owned()],
        ValueKind::Trashed(_) => vec![filter.words.only.clone()],
    }
}

/// Every filter at once; an order together with all relations; and all of it.
fn together(engine: &Engine, list: usize) -> Vec<Asked> {
    let spec = &engine.list(list).spec;
    let bare = Request::get(&spec.operation.path);
    let filters = spec.filters.iter();
    let valued = filters.filter_map(|judged| {
        let value = values(engine, &judged.filter, SHORT).into_iter().next()?;
        Some((&judged.name, value))
    });
    let filtered = valued.fold(bare.clone(), |request, (name, value)| request.with(name, &value));
    let fields = spec.list.sort.iter().map(|(field, _)| field.as_str());
    let fields = Vec::from_iter(fields).join(",");
    let relations = spec.list.relations.iter().map(|relation| relation.name.as_str());
    let relations = Vec::from_iter(relations).join(",");
    let shown = [(Role::Sort, fields.as_str()), (Role::Include, relations.as_str())];
    let dress = |request| with_roles(spec, request, &shown);
    vec![
        ("all filters".to_owned(), filtered.clone()),
        ("sort and include".to_owned(), dress(bare)),
        ("filters, sort and include".to_owned(), dress(filtered)),
    ]
}
