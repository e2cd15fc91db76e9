//! §5, writing: without the token nothing is written.
//!
//! Only requests that have to be refused are sent, on ids found by reading, and none at all where even reading is open
//! to everybody: there a write would be carried out.

use rollcall_contract::Operation;

use super::body::Body;
use super::victims::{Victim, Wish, path, victim};
use super::witness::{Sight, differ};
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
        for operation in writes(context) {
            if reading_is_open(context).await? {
                tally.gap("protected reading: where anybody may read, a write might be carried out");
                break;
            }
            match victim(context, &operation, Wish::Harmless).await? {
                None => tally.gap(format!("an id for {}", operation.path)),
                Some(victim) => attempt(context, &operation, &victim, tally).await?,
            }
        }
        Ok(())
    })
}

async fn attempt(
    context: &Context,
    operation: &Operation,
    victim: &Victim,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let body = Body::of(&context.contract, operation).mildest();
    for credentials in REFUSED {
        let request = Request::patch(path(operation, &victim.id), body.clone(), credentials);
        let before = seen(context, victim).await?;
        let exchange = context.target.send(&request).await?;
        if exchange.is_success() {
            // One unprotected write is enough.
            let actual = format!("status {}", exchange.status);
            tally.finding(finding(context, operation, credentials, actual, &[&exchange]));
            return Ok(());
        }
        let after = seen(context, victim).await?;
        if let (Some(witness), Some(shown), true) =
            (&victim.witness, &after, differ(before.as_ref(), after.as_ref()))
        {
            if witness.changes_again(context, &request).await? {
                let actual = format!("status {}, and the record {} changed", exchange.status, victim.id);
                let evidence = [&exchange, &shown.exchange];
                tally.finding(finding(context, operation, credentials, actual, &evidence));
                return Ok(());
            }
            tally.moved(format!("{} changed while a write to it was refused", victim.id));
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

async fn seen(context: &Context, victim: &Victim) -> Result<Option<Sight>, Trouble> {
    match &victim.witness {
        Some(witness) => witness.look(context).await,
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
    Finding {
        about: operation.path.clone(),
        clause: "§5".to_owned(),
        expected: format!("a refusal {}, and an unchanged record", credentials.describe()),
        actual,
        evidence: evidence.iter().map(|exchange| exchange.evidence(base)).collect(),
    }
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
