//! §5, reading: the same request that the token opens stays closed without it.

use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Look;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::outcome::Tally;
use crate::request::{Credentials, Request, Wrong};
use crate::view::View;

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
                let request = request(context, list, *credentials);
                if context.target.send(&request).await?.is_success() {
                    match context.stays_wrong(&request, Exchange::is_success).await? {
                        Some(exchange) => tally.finding(granted(context, list, &exchange)),
                        None => tally.moved(format!("{} was granted once", request.line())),
                    }
                } else {
                    tally.case();
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
                let request = request(context, list, credentials);
                let exchange = context.target.send(&request).await?;
                let view = context.list(list).fullest();
                if exchange.is_success() || view.is_none_or(View::is_empty) {
                    tally.gap("a record that the token shows, and a refusal without it");
                    continue;
                }
                let carried = |exchange: &Exchange| {
                    let mut ids = view.into_iter().flat_map(|view| view.records()).map(|(id, _)| id);
                    let carried = ids.find(|id| id.len() > 5 && exchange.body.contains(id));
                    carried.filter(|_| !exchange.is_success()).map(str::to_owned)
                };
                if carried(&exchange).is_none() {
                    tally.case();
                    continue;
                }
                let again = context
                    .stays_wrong(&request, |exchange| carried(exchange).is_some())
                    .await?;
                match again.and_then(|exchange| Some((carried(&exchange)?, exchange))) {
                    None => tally.moved(format!("{} carried a record once", request.line())),
                    Some((id, exchange)) => {
                        let expected = format!("no records in an answer with status {}", exchange.status);
                        let told = (expected, format!("the record {id} is in it"));
                        let evidence = vec![exchange.evidence(&context.target.config().base_url)];
                        let about = context.list(list).subject.name();
                        tally.finding(context.finding(about, told, evidence));
                    }
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

fn request(context: &Context, list: usize, credentials: Credentials) -> Request {
    Request::get(&context.list(list).subject.operation.path).showing(credentials)
}

fn granted(context: &Context, list: usize, exchange: &Exchange) -> Finding {
    let expected = format!("a refusal {}", exchange.request.credentials.describe());
    let told = (expected, format!("status {}", exchange.status));
    let evidence = vec![exchange.evidence(&context.target.config().base_url)];
    context.finding(context.list(list).subject.name(), told, evidence)
}
