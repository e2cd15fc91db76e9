//! §4.4.6: filters, order, relations and pages in one request. The questions are generated from the corpus; one that is
//! answered wrongly is shrunk until every parameter left matters.

mod ground;
mod questions;

use proptest::strategy::ValueTree;

use self::ground::{Ground, ground};
use self::questions::grow;
use super::asking;
use super::{Check, Level, Looking};
use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::listing::Listed;
use crate::oracle;
use crate::outcome::{Settled, Tally};
use crate::query::Query;
use crate::strategy::{Probe, ProbeTree, Shape};
use crate::target::Trouble;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "K1",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "Two filters together find what both of them find.",
        needs: "records that two filters can find",
        finds: "filters joined by OR; a filter that replaces another",
        core: true,
        run: |context, tally| explore(context, tally, &PAIR, (16, Judged::Whole)),
    },
    Check {
        id: "K2",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "A further filter never adds a record.",
        needs: "records that three filters can find",
        finds: "a third filter that is dropped, or that replaces the others",
        core: true,
        run: |context, tally| explore(context, tally, &TRIPLE, (12, Judged::Whole)),
    },
    Check {
        id: "K3",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "Filters that contradict each other find nothing.",
        needs: "two records that differ in what two filters look at",
        finds: "filters that are dropped where they find nothing",
        core: true,
        run: |context, tally| explore(context, tally, &PAIR, (10, Judged::Contradiction)),
    },
    Check {
        id: "K4",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "Two filters find the same under an order and with a relation.",
        needs: "records that two filters can find; sort fields and relations that are offered",
        finds: "filters that get lost beside sort or include",
        core: true,
        run: |context, tally| explore(context, tally, &DRESSED, (16, Judged::Whole)),
    },
    Check {
        id: "K5",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Guarded,
        says: "Filters, order, relations and pages together find what the records say.",
        needs: "records that several filters can find; sort fields and relations that are offered",
        finds: "what goes wrong only if much comes together",
        core: true,
        run: |context, tally| explore(context, tally, &FULL, (20, Judged::Whole)),
    },
];

const PAIR: Shape = Shape {
    filters: 2..=2,
    sort: 0..=0,
    include: 0..=0,
};
const TRIPLE: Shape = Shape {
    filters: 3..=3,
    ..PAIR
};
const DRESSED: Shape = Shape {
    filters: 2..=2,
    sort: 1..=1,
    include: 1..=1,
};
const FULL: Shape = Shape {
    filters: 2..=4,
    sort: 0..=2,
    include: 0..=3,
};

/// What is judged of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    /// It holds everything that belongs there and nothing else.
    Whole,
    /// Two filters are given values that no record has both of; it holds nothing, or is a refusal.
    Contradiction,
}

fn explore<'a>(
    context: &'a mut Context,
    tally: &'a mut Tally,
    shape: &'a Shape,
    (count, judged): (usize, Judged),
) -> Looking<'a> {
    Box::pin(async move {
        for list in context.readable() {
            let ground = ground(context, list, shape).await?;
            if !ground.filters.is_empty() {
                explore_list(context, &ground, shape, (count, judged), tally).await?;
            }
        }
        tally.gap_if_empty("records that several filters can find");
        Ok(())
    })
}

async fn explore_list(
    context: &mut Context,
    ground: &Ground,
    shape: &Shape,
    (count, judged): (usize, Judged),
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let trees = grow(context, ground, shape, count, judged);
    let cases: Vec<_> = trees
        .iter()
        .map(|tree| case(context, ground, &tree.current(), judged))
        .collect();
    let requests = cases.iter().flat_map(|case| case.requests.clone());
    context
        .prefetch(requests.map(|request| (ground.list, request)).collect())
        .await?;
    for (tree, case) in trees.into_iter().zip(cases) {
        if let Some((parameter, check)) = context.failed_for(&case) {
            tally.failed_before(format!("{parameter} failed {check}"));
            continue;
        }
        let settled = context.judge(&case).await?;
        if matches!(settled, Settled::Wrong(_)) {
            let smaller = shrink(context, ground, tree, judged).await?;
            tally.settle(smaller.unwrap_or(settled));
            break; // One is enough: others would most likely show the same.
        }
        tally.settle(settled);
    }
    Ok(())
}

/// The smallest question that is still answered wrongly.
async fn shrink(
    context: &mut Context,
    ground: &Ground,
    mut tree: ProbeTree,
    judged: Judged,
) -> Result<Option<Settled>, Trouble> {
    let mut smallest = tree.current();
    let mut going = tree.simplify();
    while going {
        let probe = tree.current();
        going = match context
            .looks_wrong(&case(context, ground, &probe, judged))
            .await?
        {
            true => {
                smallest = probe;
                tree.simplify()
            }
            false => tree.complicate(),
        };
    }
    let settled = context.judge(&case(context, ground, &smallest, judged)).await?;
    Ok(matches!(settled, Settled::Wrong(_)).then_some(settled))
}

fn case(context: &Context, ground: &Ground, probe: &Probe, judged: Judged) -> Case {
    let query = ground.query(probe);
    let request = query.request(context.list(ground.list));
    let looks = asking::looks(&query);
    let about = query.uses().join(" and ");
    Case::new(ground.list, about, vec![request], move |answers, list| {
        judge(judged, list, &query, &answers[0])
    })
    .seen_in(looks)
}

fn judge(judged: Judged, list: &Surveyed, query: &Query, answer: &Listed) -> Option<Accusation> {
    match (judged, answer) {
        (Judged::Contradiction, Listed::Refused(exchange)) if exchange.is_refusal() => None,
        (Judged::Contradiction, answer) if answer.reading().is_none() => {
            Some(Accusation::of_answer("no records, or a refusal", answer))
        }
        (_, answer) => {
            oracle::strangers(list, query, answer).or_else(|| oracle::missing(list, query, answer))
        }
    }
}
