//! What is sent with the queries of a plan and right before them, and must not matter to their answers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::preceding::Preceding;
use rollcall_oracle::http::request::{Request, Spelling};
use rollcall_oracle::plan::Planned;

use crate::cases::preceding::{HEADERS, preceding};
use crate::engine::Engine;

/// One query of so many is sent right after another request.
const AFTER_REQUEST: usize = 10;
const AFTER_REQUEST_OF_BUDGET: usize = 40;
/// One query of so many is the first of its connection.
const ON_NEW_CONNECTION: usize = 4;

/// The queries of a plan, of which every second carries headers that must not matter, some are the first of a connection, and
/// one of so many is sent right after another request. What matters in a query decides what comes before it: everything that
/// can be asked of a list comes after every kind of request, as far as there are queries.
pub(super) fn disturbed(engine: &Engine, list: usize, planned: Vec<Planned>) -> Vec<Query> {
    let list_corpus = engine.list(list);
    let scope = list_corpus.spec.with_trashed();
    let hides_deleted = scope.is_some_and(|(name, _)| engine.failed(list, name).is_none());
    let bare = Request::get(&list_corpus.spec.operation.path);
    let preceding = preceding(engine, list, &bare).into_iter();
    let (requests, connection): (Vec<Preceding>, Vec<Preceding>) = preceding.partition(Preceding::is_request);
    let mut before = vec![None; planned.len()];
    // Such queries are sent one after the other, for which a run with a budget has little time.
    let each = if engine.has_budget() {
        AFTER_REQUEST_OF_BUDGET
    } else {
        AFTER_REQUEST
    };
    assign(&mut before, &planned, &requests, planned.len() / each);
    assign(
        &mut before,
        &planned,
        &connection,
        planned.len() / ON_NEW_CONNECTION,
    );
    let both = planned.into_iter().zip(before).enumerate();
    let disturbed = both.map(|(index, (planned, after))| {
        let is_after_request = after.as_ref().is_some_and(Preceding::is_request);
        let query = Query {
            after,
            hides_deleted,
            ..planned.query
        };
        if is_after_request || !index.is_multiple_of(2) {
            return query;
        }
        // All of it at once: shrinking leaves what matters.
        Query {
            headers: HEADERS.to_vec(),
            spelling: Spelling::SmallLetters,
            ..query
        }
    });
    disturbed.collect()
}

/// Gives so many more queries something that comes right before them. Each time it is the query and the request in which the most
/// things matter that were not asked for after such a request.
fn assign(before: &mut [Option<Preceding>], planned: &[Planned], preceding: &[Preceding], count: usize) {
    let things = planned.iter().flat_map(|one| &one.matters);
    let things = things.max().map_or(0, |last| last + 1);
    let nothing = vec![vec![false; things]; preceding.len()];
    let mut met = nothing.clone();
    let mut pairs = all_pairs(before, planned, preceding);
    for _ in 0..count {
        // What was new of a pair becomes less with each choice, so a pair on top that still has as much is the best.
        let (new, at, request) = loop {
            let Some((known, Reverse(at), Reverse(request))) = pairs.pop() else {
                return;
            };
            if before[at].is_some() {
                continue;
            }
            let matters = planned[at].matters.iter();
            let new = matters.filter(|thing| !met[request][**thing]).count();
            if new == known {
                break (new, at, request);
            }
            pairs.push((new, Reverse(at), Reverse(request)));
        };
        before[at] = Some(preceding[request].clone());
        if new == 0 {
            met.clone_from(&nothing);
            pairs = all_pairs(before, planned, preceding);
        }
        for thing in &planned[at].matters {
            met[request][*thing] = true;
        }
    }
}

/// Every query that has nothing before it with each request, by the number of things that matter in it; the first of equal
/// pairs are on top.
fn all_pairs(
    before: &[Option<Preceding>],
    planned: &[Planned],
    preceding: &[Preceding],
) -> BinaryHeap<(usize, Reverse<usize>, Reverse<usize>)> {
    let open = before.iter().zip(planned).enumerate();
    let open = open.filter(|(_, (before, _))| before.is_none());
    open.flat_map(|(at, (_, one))| {
        (0..preceding.len()).map(move |request| (one.matters.len(), Reverse(at), Reverse(request)))
    })
    .collect()
}
