//! §4: requests that the specification allows, and whose connection the target closes each time without an answer, as
//! servers do whose handler breaks. An answer that is only late is none of them: no sentence says how long an answer may take.
//!
//! Invariant: in between, the target answers another request.

use std::collections::BTreeSet;

use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::http::credentials::Credentials;
use rollcall_oracle::http::exchange::Evidence;
use rollcall_oracle::http::request::{Request, Spelling};
use rollcall_oracle::http::target::TargetError;

use super::Level;
use super::robustness::{AGAIN, UNBROKEN, shortest};
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::Revision;
use crate::engine::suspect::{Suspect, suspected};

/// Notes a reading without an answer, if the check at work asks for nothing but what the specification allows.
pub(crate) fn note_unanswered(engine: &mut Engine, error: &TargetError) {
    let TargetError::NoAnswer {
        request,
        is_late: false,
        ..
    } = error
    else {
        return;
    };
    let is_allowed = matches!(engine.check.level, Level::Must | Level::Guarded)
        && request.method.is_safe()
        && request.credentials == Credentials::Token
        && request.spelling == Spelling::Usual
        && request.headers.is_empty();
    if is_allowed {
        engine.unanswered.push(request.as_ref().clone());
    }
}

/// Looks into the requests that were not answered so far.
pub(crate) async fn judge_unanswered(engine: &mut Engine) {
    for request in std::mem::take(&mut engine.unanswered) {
        // Where the network fails meanwhile, there is nothing to tell.
        let Ok(request) = shortest(engine, &request).await else {
            continue;
        };
        if is_never_answered(engine, &request).await {
            let finding = finding(engine, &request);
            engine.revisions.push(Revision {
                check: UNBROKEN.id,
                finding,
            });
        }
    }
}

/// Whether the connection is closed each time, while another request is answered.
async fn is_never_answered(engine: &Engine, request: &Request) -> bool {
    let Some(other) = engine.corpus.lists.iter().find(|list| list.spec.specified) else {
        return false;
    };
    let other = Request::get(&other.spec.operation.path);
    for pause in AGAIN {
        tokio::time::sleep(pause).await;
        let answer = engine.target.send(request).await;
        let is_closed = matches!(answer, Err(TargetError::NoAnswer { is_late: false, .. }));
        let other = engine.target.send(&other).await;
        if !is_closed || !other.is_ok_and(|answer| answer.is_success()) {
            return false;
        }
    }
    true
}

fn finding(engine: &Engine, request: &Request) -> Finding {
    let lists = &engine.corpus.lists;
    let list = lists.iter().find(|list| list.spec.operation.path == request.path);
    let (clause, suspects) = match list {
        Some(list) => (
            Clause::of_source(&list.spec.operation.origin.source),
            suspected(&list.spec, std::slice::from_ref(request), &BTreeSet::new()),
        ),
        None => (
            Clause::of_check(UNBROKEN.clause),
            BTreeSet::from([Suspect::Operation(request.path.clone())]),
        ),
    };
    let names = request.query.iter().map(|(name, _)| name.as_str());
    let about = [request.path.as_str()].into_iter().chain(names);
    let finding = Finding::new(
        Vec::from_iter(about).join(" "),
        clause,
        (
            "an answer",
            "a connection that is closed without one each time, while another request is answered",
        ),
        vec![Evidence::unanswered(request, &engine.target.config().base_url)],
    );
    finding.suspecting(suspects)
}
