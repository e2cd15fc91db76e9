//! §5, reading: the same request that the token opens stays closed without it.

use rollcall_contract::{Match, Role, TrashedWords, ValueKind};

use crate::checks::CheckFuture;
use crate::checks::writing::{path, writes};
use crate::corpus::Projection;
use crate::corpus::snapshot::Snapshot;
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::http::exchange::Exchange;
use crate::http::request::{Credentials, Request, Wrong, segment};
use crate::http::target::TargetError;

/// Asks every list that the token opens with other credentials.
pub(super) fn refused<'a>(
    engine: &'a mut Engine,
    result: &'a mut CheckResult,
    with: &[Credentials],
) -> CheckFuture<'a> {
    let with = with.to_vec();
    Box::pin(async move {
        for list in open_lists(engine) {
            for request in asked(engine, list, &with).await? {
                if engine.fetch_first_page(&request).await?.is_success() {
                    match engine.stays_wrong(&request, Exchange::is_success).await? {
                        Some(exchange) => result.finding(granted(engine, list, &exchange)),
                        None => result.moved(format!("{} was granted once", request.line())),
                    }
                } else {
                    result.case();
                }
            }
        }
        if open_lists(engine).is_empty() {
            result.gap("a list that answers with the token");
        }
        Ok(())
    })
}

/// Looks for records in refusals.
pub(super) fn empty<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in open_lists(engine) {
            for credentials in [Credentials::Nothing, Credentials::Wrong(Wrong::Other)] {
                let request = request(engine, list, credentials);
                let exchange = engine.fetch_first_page(&request).await?;
                let snapshot = engine.list(list).widest_snapshot();
                if exchange.is_success() || snapshot.is_none_or(Snapshot::is_empty) {
                    result.gap("a record that the token shows, and a refusal without it");
                    continue;
                }
                let carried = |exchange: &Exchange| {
                    let mut ids = snapshot
                        .into_iter()
                        .flat_map(|snapshot| snapshot.records())
                        .map(|(id, _)| id);
                    let carried = ids.find(|id| id.len() > 5 && exchange.body.contains(id));
                    carried.filter(|_| !exchange.is_success()).map(str::to_owned)
                };
                if carried(&exchange).is_none() {
                    result.case();
                    continue;
                }
                let again = engine
                    .stays_wrong(&request, |exchange| carried(exchange).is_some())
                    .await?;
                match again.and_then(|exchange| Some((carried(&exchange)?, exchange))) {
                    None => result.moved(format!("{} carried a record once", request.line())),
                    Some((id, exchange)) => {
                        let expected = format!("no records in an answer with status {}", exchange.status);
                        let told = (expected, format!("the record {id} is in it"));
                        let evidence = vec![exchange.evidence(&engine.target.config().base_url)];
                        let about = engine.list(list).spec.name();
                        result.finding(engine.finding(about, told, evidence));
                    }
                }
            }
        }
        Ok(())
    })
}

/// The lists that the token opens; on the others a refusal shows nothing.
fn open_lists(engine: &Engine) -> Vec<usize> {
    let lists = engine.corpus.lists.iter().enumerate();
    let open = lists.filter(|(_, list)| {
        list.offered
            && list
                .snapshot(&Projection::Default)
                .is_some_and(|snapshot| snapshot.response.exchange().is_success())
    });
    open.map(|(index, _)| index).collect()
}

fn request(engine: &Engine, list: usize, credentials: Credentials) -> Request {
    Request::get(&engine.list(list).spec.operation.path).showing(credentials)
}

/// Requests for the list with each of some credentials: without parameters, and with every parameter at once. A server that
/// does not look at the token when it sees one of the parameters does not look at it then. One half is sent right after the
/// token has opened the same, the other after a write that was refused.
///
/// Every two of credentials, parameters and list meet, if each list opens all its forms; all three do only where the
/// credentials are fewer than the lists.
async fn asked(engine: &mut Engine, list: usize, with: &[Credentials]) -> Result<Vec<Request>, TargetError> {
    let mut asked: Vec<Request> = with.iter().map(|one| request(engine, list, *one)).collect();
    if !engine.list(list).spec.specified {
        return Ok(asked);
    }
    let mut specified = open_lists(engine);
    specified.retain(|index| engine.list(*index).spec.specified);
    let turns = match with.len() < specified.len() {
        true => 1,
        false => specified.len(),
    };
    let turn = specified
        .iter()
        .position(|index| *index == list)
        .unwrap_or_default();
    let mut opened = Vec::new();
    for shapes in full(engine, list) {
        for shape in shapes {
            if engine.fetch_first_page(&shape).await?.is_success() {
                opened.push(shape);
                break;
            }
        }
    }
    let write = writes(&engine.contract).into_iter().next();
    let write = write.map(|write| {
        Request::patch(
            path(&write, "nobody"),
            serde_json::json!({}),
            Credentials::Nothing,
        )
    });
    for (row, credentials) in with.iter().enumerate() {
        for (column, shape) in opened.iter().enumerate() {
            if (row + column) % turns != turn % turns {
                continue;
            }
            let write = write.as_ref().filter(|_| (row / turns + column) % 2 == 1);
            let before = write.unwrap_or(shape).clone();
            asked.push(shape.clone().showing(*credentials).after(before));
        }
    }
    Ok(asked)
}

/// Requests with as many parameters as they can have, each in several forms of which the first that is granted is used: a
/// single record; the list without filters, and the list with all of them.
fn full(engine: &Engine, list: usize) -> Vec<Vec<Request>> {
    let list = engine.list(list);
    let spec = &list.spec;
    let bare = || Request::get(&spec.operation.path);
    let Some((id, _)) = list.live().next() else {
        return Vec::new();
    };
    let single = spec.single.as_ref();
    let single = single.map(|_| vec![Request::get(format!("{}/{}", spec.operation.path, segment(id)))]);
    let sort: Vec<String> = spec
        .list
        .sort
        .iter()
        .map(|(name, _)| format!("-{name}"))
        .collect();
    let relations = spec.list.relations.iter();
    let include: Vec<String> = relations
        .flat_map(|relation| [relation.name.clone(), relation.count_name()])
        .collect();
    let dressed = |request: Request, page: Option<usize>| {
        let page = page.map(|page| list.paging.number(page).to_string());
        let words = [
            (Role::Sort, Some(sort.join(","))),
            (Role::Include, Some(include.join(","))),
            (Role::Page, page),
        ];
        words.into_iter().fold(request, |request, (role, word)| {
            match (spec.parameter(role), word.filter(|word| !word.is_empty())) {
                (Some(name), Some(word)) => request.with(name, &word),
                _ => request,
            }
        })
    };
    let scoped = |word: fn(&TrashedWords) -> &String| {
        let scope = spec.with_trashed().zip(spec.trashed_words());
        scope.map_or_else(bare, |((name, _), words)| bare().with(name, word(words)))
    };
    let filters = spec.filters.iter();
    let filtered = filters
        .filter(|one| one.filter.matching != Match::Trashed)
        .fold(scoped(|words| &words.only), |request, one| {
            request.with(&one.name, &word(&one.filter))
        });
    let unfiltered = scoped(|words| &words.with);
    let forms = |request: Request| {
        let forms = [Some(4), None].map(|page| dressed(request.clone(), page));
        forms.into_iter().chain([request]).collect::<Vec<_>>()
    };
    single
        .into_iter()
        .chain([forms(unfiltered), forms(filtered)])
        .collect()
}

/// A value that a filter takes, whether or not a record has it.
fn word(filter: &rollcall_contract::Filter) -> String {
    match (&filter.value, filter.matching) {
        (ValueKind::Word(words), _) => words.first().cloned().unwrap_or_default(),
        (_, Match::Flag) => "true".to_owned(),
        (_, Match::Before) => "2100-01-01".to_owned(),
        (_, Match::After) => "2000-01-01".to_owned(),
        _ => "a".to_owned(),
    }
}

fn granted(engine: &Engine, list: usize, exchange: &Exchange) -> Finding {
    let expected = format!("a refusal {}", exchange.request.credentials.describe());
    let told = (expected, format!("status {}", exchange.status));
    let evidence = vec![exchange.evidence(&engine.target.config().base_url)];
    engine.finding(engine.list(list).spec.name(), told, evidence)
}
