//! §5, reading: the same request that the token opens stays closed without it.

use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Look;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::outcome::Tally;
use crate::request::{Credentials, Request, Wrong};
use crate::target::Trouble;

/// Asks every list that the token opens with other credentials.
pub(super) fn refused<'a>(
    context: &'a mut Context,
    tally: &'a mut Tally,
    with: &[Credentials],
) -> Looking<'a> {
    let with = with.to_vec();
    Box::pin(async move {
        for list in open_lists(context) {
            for credentials in &with {
                let exchange = ask(context, list, *credentials).await?;
                match exchange.is_success() {
                    false => tally.case(),
                    true => tally.finding(granted(context, list, &exchange)),
                }
            }
        }
        if open_lists(context).is_empty() {
            tally.gap("a list that answers with the token");
        }
        Ok(())
    })
}

/// Looks for records in refusals.
pub(super) fn empty<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in open_lists(context) {
            for credentials in [Credentials::Nothing, Credentials::Wrong(Wrong::Other)] {
                let exchange = ask(context, list, credentials).await?;
                let view = context.list(list).fullest();
                let mut ids = view
                    .into_iter()
                    .flat_map(|view| view.records())
                    .map(|(id, _)| id)
                    .peekable();
                if exchange.is_success() || ids.peek().is_none() {
                    tally.gap("a record that the token shows, and a refusal without it");
                    continue;
                }
                match ids.find(|id| id.len() > 5 && exchange.body.contains(id)) {
                    None => tally.case(),
                    Some(id) => tally.finding(Finding {
                        about: context.list(list).subject.name().to_owned(),
                        clause: "§5".to_owned(),
                        expected: format!("no records in an answer with status {}", exchange.status),
                        actual: format!("the record {id} stands in it"),
                        evidence: vec![exchange.evidence(&context.target.config().base_url)],
                    }),
                }
            }
        }
        Ok(())
    })
}

/// The lists that the token opens; on the others a refusal shows nothing.
fn open_lists(context: &Context) -> Vec<usize> {
    let lists = context.corpus.lists.iter().enumerate();
    let open = lists.filter(|(_, list)| {
        list.offered
            && list
                .view(&Look::Default)
                .is_some_and(|view| view.listed.exchange().is_success())
    });
    open.map(|(index, _)| index).collect()
}

async fn ask(context: &Context, list: usize, credentials: Credentials) -> Result<Exchange, Trouble> {
    let path = &context.list(list).subject.operation.path;
    context
        .target
        .send(&Request::get(path).showing(credentials))
        .await
}

fn granted(context: &Context, list: usize, exchange: &Exchange) -> Finding {
    Finding {
        about: context.list(list).subject.name().to_owned(),
        clause: "§5".to_owned(),
        expected: format!("a refusal {}", exchange.request.credentials.describe()),
        actual: format!("status {}", exchange.status),
        evidence: vec![exchange.evidence(&context.target.config().base_url)],
    }
}
