//! §5, reading: the same request that the token opens stays closed without it.

use rollcall_contract::Role;

use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Look;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::outcome::Tally;
use crate::request::{Credentials, Request, Wrong, segment};
use crate::target::Trouble;
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
            for request in asked(context, list, &with).await? {
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

/// The list with each of some credentials, and with one of them what else the token opens: each kind of parameter, and a
/// single record. It is sent right after the token has opened it.
async fn asked(context: &Context, list: usize, with: &[Credentials]) -> Result<Vec<Request>, Trouble> {
    let mut asked: Vec<Request> = with.iter().map(|one| request(context, list, *one)).collect();
    if context.list(list).subject.specified {
        for page in pages(context, list) {
            if context.target.send(&page).await?.is_success() {
                let one = with
                    .iter()
                    .find(|one| **one == Credentials::Bare)
                    .or(with.first());
                asked.extend(one.map(|one| page.clone().showing(*one)));
            }
        }
    }
    Ok(asked)
}

/// Requests for a list with each kind of parameter, and for one of its records.
fn pages(context: &Context, list: usize) -> Vec<Request> {
    let list = context.list(list);
    let subject = &list.subject;
    let bare = || Request::get(&subject.operation.path);
    let Some((id, _)) = list.live().next() else {
        return Vec::new();
    };
    let by_id = subject
        .by_identifier()
        .map(|filter| bare().with(&filter.name, id));
    let single = subject.single.as_ref();
    let single = single.map(|_| Request::get(format!("{}/{}", subject.operation.path, segment(id))));
    let relation = subject.list.relations.first();
    let words = [
        (Role::Sort, subject.sort_by_id().map(str::to_owned)),
        (Role::Include, relation.map(|relation| relation.name.clone())),
        (Role::Page, Some(list.paging.number(1).to_string())),
    ];
    let dressed = words.into_iter().filter_map(|(role, word)| {
        let name = subject.parameter(role)?;
        Some(bare().with(name, &word?))
    });
    let dressed: Vec<Request> = dressed.collect();
    let all = dressed.iter().fold(bare(), |all, one| Request {
        query: [all.query, one.query.clone()].concat(),
        ..all
    });
    by_id
        .into_iter()
        .chain(single)
        .chain(dressed)
        .chain([all])
        .collect()
}

fn granted(context: &Context, list: usize, exchange: &Exchange) -> Finding {
    let expected = format!("a refusal {}", exchange.request.credentials.describe());
    let told = (expected, format!("status {}", exchange.status));
    let evidence = vec![exchange.evidence(&context.target.config().base_url)];
    context.finding(context.list(list).subject.name(), told, evidence)
}
