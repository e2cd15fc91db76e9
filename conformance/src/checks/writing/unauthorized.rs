//! §5, writing: without the token nothing is written.
//!
//! Only requests that have to be refused are sent, on ids found by reading, and none at all where even reading is open
//! to everybody: there a write would be carried out.

use rollcall_contract::Operation;
use rollcall_oracle::http::credentials::{Credentials, Wrong};
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;

use super::body::Body;
use super::candidates::{Wish, candidates};
use super::observer::differ;
use super::write_target::WriteTarget;
use crate::cases::writes::{path, writes};
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::engine::suspect::Suspect;

const REFUSED: [Credentials; 2] = [Credentials::Nothing, Credentials::Wrong(Wrong::Other)];

pub(in crate::checks) fn refused<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for operation in writes(&engine.contract) {
            if reading_is_open(engine).await? {
                result.gap("protected reading: where anybody may read, a write might be carried out");
                break;
            }
            let mut candidates = candidates(engine, &operation, Wish::Harmless).await?;
            match candidates.next(engine, &operation).await? {
                None => result.gap(format!("an id for {}", operation.path)),
                Some(target) => attempt(engine, &operation, &target, result).await?,
            }
        }
        Ok(())
    })
}

async fn attempt(
    engine: &Engine,
    operation: &Operation,
    target: &WriteTarget,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let body = Body::of(&engine.contract, operation).minimal_body();
    for credentials in REFUSED {
        let request = Request::patch(path(operation, &target.id), body.clone(), credentials);
        let before = target.fetch(engine).await?;
        let exchange = engine.target.send(&request).await?;
        if exchange.is_success() {
            let Some(granted) = engine.stays_wrong(&request, Exchange::is_success).await? else {
                let how = credentials.describe();
                result.moved(format!("{} was granted {how} once", operation.path));
                continue;
            };
            // One unprotected write is enough.
            let actual = format!("status {}", granted.status);
            result.finding(finding(engine, operation, credentials, actual, &[&granted]));
            return Ok(());
        }
        let after = target.fetch(engine).await?;
        let is_changed = differ(before.as_ref(), after.as_ref());
        if let (Some(observer), Some(shown), true) = (&target.observer, &after, is_changed) {
            if observer.changes_again(engine, &request).await? {
                let actual = format!("status {}, and the record {} changed", exchange.status, target.id);
                let evidence = [&exchange, &shown.exchange];
                result.finding(finding(engine, operation, credentials, actual, &evidence));
                return Ok(());
            }
            result.moved(format!("{} changed while a write to it was refused", target.id));
        }
        match exchange.status {
            401 | 403 => result.count_case(),
            status => result.gap(format!(
                "{} refused with 401 or 403: {status} may have another reason",
                operation.path
            )),
        }
    }
    Ok(())
}

fn finding(
    engine: &Engine,
    operation: &Operation,
    credentials: Credentials,
    actual: String,
    exchanges: &[&Exchange],
) -> Finding {
    let base = &engine.target.config().base_url;
    let expected = format!("a refusal {}, and an unchanged record", credentials.describe());
    let evidence = exchanges.iter().map(|exchange| exchange.evidence(base));
    let finding = engine.finding(&operation.path, (expected, actual), evidence.collect());
    finding.suspecting([Suspect::Operation(operation.path.clone())])
}

async fn reading_is_open(engine: &mut Engine) -> Result<bool, TargetError> {
    let lists = engine.corpus.lists.iter().filter(|list| list.offered);
    let lists = lists.map(|list| Request::get(&list.spec.operation.path));
    let requests = lists.flat_map(|list| REFUSED.map(|credentials| list.clone().showing(credentials)));
    for request in requests.collect::<Vec<_>>() {
        if engine.fetch_first_page(&request).await?.is_success() {
            return Ok(true);
        }
    }
    Ok(false)
}
