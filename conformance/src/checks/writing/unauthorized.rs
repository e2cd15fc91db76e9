//! §5, writing: without the token nothing is written.
//!
//! Only requests that have to be refused are sent, on ids found by reading, and none at all where even reading is open
//! to everybody: there a write would be carried out.

use rollcall_contract::Operation;

use super::body::Body;
use super::candidates::{Wish, candidates};
use super::observer::{RecordSnapshot, differ};
use super::write_target::{WriteTarget, path};
use super::writes;
use crate::checks::Looking;
use crate::context::Context;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::outcome::Tally;
use crate::request::{Credentials, Request, Wrong};
use crate::target::Trouble;

const REFUSED: [Credentials; 2] = [Credentials::Nothing, Credentials::Wrong(Wrong::Other)];

pub(in crate::checks) fn refused<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for operation in writes(&context.contract) {
            if reading_is_open(context).await? {
                tally.gap("protected reading: where anybody may read, a write might be carried out");
                break;
            }
            let mut candidates = candidates(context, &operation, Wish::Harmless).await?;
            match candidates.next(context, &operation).await? {
                None => tally.gap(format!("an id for {}", operation.path)),
                Some(target) => attempt(context, &operation, &target, tally).await?,
            }
        }
        Ok(())
    })
}

async fn attempt(
    context: &Context,
    operation: &Operation,
    target: &WriteTarget,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let body = Body::of(&context.contract, operation).minimal_body();
    for credentials in REFUSED {
        let request = Request::patch(path(operation, &target.id), body.clone(), credentials);
        let before = seen(context, target).await?;
        let exchange = context.target.send(&request).await?;
        if exchange.is_success() {
            let Some(granted) = context.stays_wrong(&request, Exchange::is_success).await? else {
                tally.moved(format!(
                    "{} was granted {} once",
                    operation.path,
                    credentials.describe()
                ));
                continue;
            };
            // One unprotected write is enough.
            let actual = format!("status {}", granted.status);
            tally.finding(finding(context, operation, credentials, actual, &[&granted]));
            return Ok(());
        }
        let after = seen(context, target).await?;
        if let (Some(observer), Some(shown), true) =
            (&target.observer, &after, differ(before.as_ref(), after.as_ref()))
        {
            if observer.changes_again(context, &request).await? {
                let actual = format!("status {}, and the record {} changed", exchange.status, target.id);
                let evidence = [&exchange, &shown.exchange];
                tally.finding(finding(context, operation, credentials, actual, &evidence));
                return Ok(());
            }
            tally.moved(format!("{} changed while a write to it was refused", target.id));
        }
        match matches!(exchange.status, 401 | 403) {
            true => tally.case(),
            false => tally.gap(format!(
                "{} refused with 401 or 403: {} may have another reason",
                operation.path, exchange.status
            )),
        }
    }
    Ok(())
}

async fn seen(context: &Context, target: &WriteTarget) -> Result<Option<RecordSnapshot>, Trouble> {
    match &target.observer {
        Some(observer) => observer.look(context).await,
        None => Ok(None),
    }
}

fn finding(
    context: &Context,
    operation: &Operation,
    credentials: Credentials,
    actual: String,
    evidence: &[&Exchange],
) -> Finding {
    let base = &context.target.config().base_url;
    let expected = format!("a refusal {}, and an unchanged record", credentials.describe());
    let evidence = evidence.iter().map(|exchange| exchange.evidence(base)).collect();
    context.finding(&operation.path, (expected, actual), evidence)
}

async fn reading_is_open(context: &Context) -> Result<bool, Trouble> {
    for list in context.corpus.lists.iter().filter(|list| list.offered) {
        for credentials in REFUSED {
            let request = Request::get(&list.subject.operation.path).showing(credentials);
            if context.target.send(&request).await?.is_success() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
