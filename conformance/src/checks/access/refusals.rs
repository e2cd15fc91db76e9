//! §5, reading: the same request that the token opens stays closed without it.

use rollcall_contract::{Match, Method, Relation, Role, TrashedWords, ValueKind};
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::credentials::{Credentials, Wrong};
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;

use crate::cases::preceding::refused_write;
use crate::cases::{judge_answer, single, with_roles};
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// An identifier of so many characters stands in a text by chance.
const SHORT: usize = 5;

/// Asks every list that the token opens with other credentials.
pub(super) fn refused<'a>(
    engine: &'a mut Engine,
    result: &'a mut CheckResult,
    with: &[Credentials],
) -> CheckFuture<'a> {
    let with = with.to_vec();
    Box::pin(async move {
        for list in open_lists(engine) {
            let requests = asked(engine, list, &with).await?;
            // What follows another request is sent one by one, so that nothing comes between.
            let alone = requests
                .iter()
                .filter(|request| request.before.is_none() || engine.is_slow());
            let alone: Vec<Request> = alone.cloned().collect();
            engine.glance_all(&alone).await?;
            for request in requests {
                let answer = engine.fetch_first_page(&request).await?;
                judge_answer(engine, list, &answer, granted, "was granted once", result).await?;
            }
            if with.contains(&Credentials::Nothing) {
                headers_refused(engine, list, result).await?;
                other_spellings_refused(engine, list, result).await?;
            }
        }
        if open_lists(engine).is_empty() {
            result.gap("a list that answers with the token");
        }
        Ok(())
    })
}

/// Asks for the headers of a list alone: a server may route `HEAD` past its guard. No sentence asks for `HEAD`, so a target may also
/// fail to answer it.
async fn headers_refused(
    engine: &mut Engine,
    list: usize,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let head = Request {
        method: Method::Head,
        ..request(engine, list, Credentials::Nothing)
    };
    match engine.fetch_first_page(&head).await {
        Ok(answer) => judge_answer(engine, list, &answer, granted, "was granted once", result).await,
        Err(_) => Ok(()),
    }
}

/// Asks by other spellings of the path, which a router may take for the same and a guard may not. What such an address leads to
/// is open, so only an answer with known records is a violation.
async fn other_spellings_refused(
    engine: &mut Engine,
    list: usize,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let path = engine.list(list).spec.operation.path.clone();
    for other in [format!("{path}/"), path.to_uppercase(), path.replace('/', "//")] {
        let request = Request::get(&other).showing(Credentials::Nothing);
        let Ok(answer) = engine.fetch_first_page(&request).await else {
            continue;
        };
        let snapshot = engine.list(list).widest_snapshot();
        let shown = |answer: &Exchange| granted(answer).filter(|_| carried(snapshot, answer).is_some());
        judge_answer(engine, list, &answer, shown, "showed records once", result).await?;
    }
    Ok(())
}

/// The identifier of a known record that stands in an answer.
fn carried<'s>(snapshot: Option<&'s Snapshot>, answer: &Exchange) -> Option<&'s str> {
    let mut ids = snapshot.into_iter().flat_map(Snapshot::records).map(|(id, _)| id);
    ids.find(|id| id.len() > SHORT && answer.body.contains(*id))
}

/// The refusal that was expected, and the success that came.
fn granted(answer: &Exchange) -> Option<(String, String)> {
    let expected = format!("a refusal {}", answer.request.credentials.describe());
    let told = (expected, format!("status {}", answer.status));
    answer.is_success().then_some(told)
}

/// Looks for records in refusals.
pub(super) fn empty<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in open_lists(engine) {
            for credentials in [Credentials::Nothing, Credentials::Wrong(Wrong::Other)] {
                let request = request(engine, list, credentials);
                let refusal = engine.fetch_first_page(&request).await?;
                let snapshot = engine.list(list).widest_snapshot();
                if refusal.is_success() || snapshot.is_none_or(Snapshot::is_empty) {
                    result.gap("a record that the token shows, and a refusal without it");
                    continue;
                }
                let carried = |answer: &Exchange| {
                    let id = carried(snapshot, answer)?;
                    let expected = format!("no records in an answer with status {}", answer.status);
                    (!answer.is_success()).then(|| (expected, format!("the record {id} is in it")))
                };
                judge_answer(engine, list, &refusal, carried, "carried a record once", result).await?;
            }
        }
        Ok(())
    })
}

/// The lists that the token opens; on the others a refusal shows nothing.
fn open_lists(engine: &Engine) -> Vec<usize> {
    let lists = engine.corpus.lists.iter().enumerate();
    let open = lists.filter(|(_, list)| {
        let snapshot = list.snapshot(&Projection::Default).filter(|_| list.offered);
        snapshot.is_some_and(|snapshot| snapshot.response.exchange().is_success())
    });
    open.map(|(index, _)| index).collect()
}

fn request(engine: &Engine, list: usize, credentials: Credentials) -> Request {
    Request::get(&engine.list(list).spec.operation.path).showing(credentials)
}

/// Requests for the list with each of some credentials: without parameters, and with every parameter at once. A server that
/// does not look at the token when it sees one of the parameters does not look at it then. One half is sent right after the
/// token has opened the same, the other after a write that was refused. Of those without parameters every second one is the
/// first request of its connection, on each list another half.
///
/// Every two of credentials, parameters and list meet, if each list opens all its forms; all three do only where the
/// credentials are fewer than the lists.
async fn asked(engine: &mut Engine, list: usize, with: &[Credentials]) -> Result<Vec<Request>, TargetError> {
    let bare = with.iter().enumerate().map(|(row, one)| Request {
        new_connection: (row + list) % 2 == 1,
        ..request(engine, list, *one)
    });
    let mut asked: Vec<Request> = bare.collect();
    if !engine.list(list).spec.specified {
        return Ok(asked);
    }
    let mut specified = open_lists(engine);
    specified.retain(|index| engine.list(*index).spec.specified);
    let turns = match with.len() < specified.len() {
        true => 1,
        false => specified.len(),
    };
    let turn = specified.iter().position(|index| *index == list);
    let turn = turn.unwrap_or_default();
    let mut opened = Vec::new();
    for shapes in full(engine, list) {
        for shape in shapes {
            if engine.fetch_first_page(&shape).await?.is_success() {
                opened.push(shape);
                break;
            }
        }
    }
    let write = refused_write(engine);
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
    let single = single(spec, id).map(|request| vec![request]);
    let sort = spec.list.sort.iter().map(|(name, _)| format!("-{name}"));
    let sort = Vec::from_iter(sort).join(",");
    let relations = spec.list.relations.iter();
    let words = |relation: &'_ Relation| {
        let count = relation.number_at.as_ref().map(|_| relation.count_name());
        [Some(relation.name.clone()), count]
    };
    let include = relations.flat_map(words).flatten();
    let include = Vec::from_iter(include).join(",");
    let shown = [(Role::Sort, sort.as_str()), (Role::Include, include.as_str())];
    let page = list.paging.number(4).to_string();
    let forms = |request: Request| {
        let dressed = with_roles(spec, request.clone(), &shown);
        let paged = |request: &Request| with_roles(spec, request.clone(), &[(Role::Page, &page)]);
        // A later page tells more than an order or relations: a target may refuse one of these.
        vec![paged(&dressed), paged(&request), dressed, request]
    };
    let scoped = |word: fn(&TrashedWords) -> &String| {
        let scope = spec.with_trashed().zip(spec.trashed_words());
        scope.map_or_else(bare, |((name, _), words)| bare().with(name, word(words)))
    };
    let filters = spec.filters.iter();
    let filters = filters.filter(|one| one.filter.matching != Match::Trashed);
    let filtered = filters.fold(scoped(|words| &words.only), |request, one| {
        request.with(&one.name, &word(&one.filter))
    });
    let lists = [forms(scoped(|words| &words.with)), forms(filtered)];
    single.into_iter().chain(lists).collect()
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
