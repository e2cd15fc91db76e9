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
    let asks_for_allowed = matches!(engine.check.level, Level::Must | Level::Guarded);
    if let Some(request) = closed(engine, error).filter(|_| asks_for_allowed) {
        engine.unanswered.push(request.clone());
    }
}

/// The reading of a list of the specification whose connection was closed without an answer; none if that was something else.
fn closed<'e>(engine: &Engine, error: &'e TargetError) -> Option<&'e Request> {
    let TargetError::NoAnswer {
        request,
        is_late: false,
        ..
    } = error
    else {
        return None;
    };
    let mut lists = engine.corpus.lists.iter().filter(|list| list.spec.specified);
    let is_allowed = lists.any(|list| list.spec.operation.path == request.path)
        && request.method.is_safe()
        && request.credentials == Credentials::Token
        && request.spelling == Spelling::Usual
        && request.headers.is_empty();
    is_allowed.then_some(request)
}

/// Looks into the requests that were not answered so far.
pub(crate) async fn judge_unanswered(engine: &mut Engine) {
    for request in std::mem::take(&mut engine.unanswered) {
        // Where the network fails meanwhile, there is nothing to tell.
        if let Ok(request) = shortest(engine, &request).await {
            judge(engine, &request).await;
        }
    }
}

/// Looks into a list that could not be read because a connection was closed, and leaves it out of the run. Whether the run can go on
/// without the list: the specification has no such list, or it is told as a violation.
pub(crate) async fn leave_out(engine: &mut Engine, list: usize, error: &TargetError) -> bool {
    let is_settled = match closed(engine, error) {
        _ if !engine.list(list).spec.specified => true,
        None => false,
        Some(request) => judge(engine, request).await,
    };
    if is_settled {
        engine.corpus.lists.remove(list);
    }
    is_settled
}

/// Tells a request whose connection is closed each time. Whether it is.
async fn judge(engine: &mut Engine, request: &Request) -> bool {
    let is_never_answered = is_never_answered(engine, request).await;
    if is_never_answered {
        let finding = finding(engine, request);
        engine.revisions.push(Revision {
            check: UNBROKEN.id,
            finding,
        });
    }
    is_never_answered
}

/// Whether the connection is closed each time, while another request is answered.
async fn is_never_answered(engine: &Engine, request: &Request) -> bool {
    let lists = engine.readable().into_iter().map(|list| engine.list(list));
    let others = lists.filter(|list| list.spec.specified);
    let mut others = others.map(|list| Request::get(&list.spec.operation.path));
    let Some(other) = others.find(|other| other != request) else {
        return false;
    };
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
