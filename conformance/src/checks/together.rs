//! §4.4.6: filters, order, relations and pages in one request. The questions are generated from the corpus; one that is
//! answered wrongly is shrunk until every parameter left matters.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rollcall_contract::{Match, Role, SortKey};

use super::asking;
use super::{Check, Level, Looking};
use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::listing::Listed;
use crate::oracle;
use crate::outcome::{Settled, Tally};
use crate::query::{Query, including, sorting};
use crate::request::Request;
use crate::seen::{Says, SeenFilter};
use crate::strategy::{Material, Probe, ProbeTree, Shape, probes, values};
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
        run: |context| explore(context, &PAIR, 16, Judged::Whole),
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
        run: |context| explore(context, &TRIPLE, 12, Judged::Whole),
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
        run: |context| explore(context, &PAIR, 10, Judged::Contradiction),
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
        run: |context| explore(context, &DRESSED, 16, Judged::Whole),
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
        run: |context| explore(context, &FULL, 20, Judged::Whole),
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

/// So many records are the material of questions.
const RECORDS: usize = 40;
/// So many questions are made up for each that is asked.
const TRIES: usize = 16;
/// A question with more records than this, in pages, is not asked.
const PAGES: usize = 3;

/// What is judged of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    /// It holds everything that belongs there and nothing else.
    Whole,
    /// Two filters are given values that no record has both of; it holds nothing, or is a refusal.
    Contradiction,
}

/// What questions to one list are made of.
struct Ground {
    list: usize,
    filters: Vec<SeenFilter>,
    material: Material,
}

fn explore<'a>(context: &'a mut Context, shape: &'a Shape, count: usize, judged: Judged) -> Looking<'a> {
    Box::pin(async move {
        let mut tally = Tally::default();
        for list in context.readable() {
            let ground = ground(context, list, shape).await?;
            if !ground.filters.is_empty() {
                explore_list(context, &ground, shape, (count, judged), &mut tally).await?;
            }
        }
        tally.gap_if_empty("records that several filters can find");
        Ok(tally)
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

/// The questions to ask: all different, none with an endless answer, each of the kind that is judged; those in which every
/// filter tells before all others.
fn grow(context: &Context, ground: &Ground, shape: &Shape, count: usize, judged: Judged) -> Vec<ProbeTree> {
    let mut runner = runner(context, &format!("{shape:?}{judged:?}{}", ground.list));
    let mut material = ground.material.clone();
    if judged == Judged::Contradiction {
        material = contradictory(&material, &mut context.choice("K3"));
    }
    let strategy = probes(material, shape.clone());
    let list = context.list(ground.list);
    let most = PAGES * list.paging.at_least.max(20);
    let (mut telling, mut others): (Vec<ProbeTree>, Vec<ProbeTree>) = Default::default();
    let mut seen = BTreeSet::new();
    for _ in 0..count * TRIES {
        if telling.len() == count {
            break;
        }
        let Ok(tree) = strategy.new_tree(&mut runner) else {
            break;
        };
        let probe = tree.current();
        if probe.filters.len() < *shape.filters.start() || !seen.insert(format!("{probe:?}")) {
            continue;
        }
        let query = query(ground, &probe);
        let found = list
            .live()
            .filter(|(_, record)| query.demands(list, record) != Says::No)
            .count();
        let wanted = match judged {
            Judged::Whole => (1..=most).contains(&oracle::expected(list, &query).len()) && found <= most,
            Judged::Contradiction => found == 0,
        };
        match wanted && (judged == Judged::Contradiction || tells(list, &query)) {
            true => telling.push(tree),
            false if wanted && others.len() < count => others.push(tree),
            false => {}
        }
    }
    telling.into_iter().chain(others).take(count).collect()
}

/// Whether every filter keeps some record out that the others let in: if one were lost, the answer would show it.
fn tells(list: &Surveyed, query: &Query) -> bool {
    let expected = oracle::expected(list, query).len();
    let without = (0..query.filters.len()).map(|index| {
        let mut query = query.clone();
        query.filters.remove(index);
        oracle::expected(list, &query).len()
    });
    without.into_iter().all(|count| count > expected)
}

/// Values of different records side by side, so that together they find nothing.
fn contradictory(material: &Material, choice: &mut crate::sample::Choice) -> Material {
    let mut mixed = material.clone();
    for row in &mut mixed.records {
        let other = &material.records[choice.below(material.records.len())];
        for (index, (name, values)) in row.iter_mut().enumerate() {
            let theirs = other.iter().find(|(one, _)| one == name);
            if let (1, Some((_, theirs))) = (index % 2, theirs) {
                values.clone_from(theirs);
            }
        }
    }
    mixed
}

/// A source of chance that is the same for the same seed.
fn runner(context: &Context, purpose: &str) -> TestRunner {
    let mut choice = context.choice(purpose);
    let seed: Vec<u8> = (0..32)
        .map(|_| u8::try_from(choice.below(256)).unwrap_or_default())
        .collect();
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
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

fn query(ground: &Ground, probe: &Probe) -> Query {
    let named = probe.filters.iter().filter_map(|(name, value)| {
        let filter = ground.filters.iter().find(|filter| filter.name == *name)?;
        Some((filter.clone(), value.clone()))
    });
    Query {
        filters: named.collect(),
        sort: probe.sort.iter().map(|key| SortKey::parse(key)).collect(),
        include: probe.include.clone(),
        ..Query::default()
    }
}

fn case(context: &Context, ground: &Ground, probe: &Probe, judged: Judged) -> Case {
    let query = query(ground, probe);
    let request = query.request(context.list(ground.list));
    let looks = asking::looks(&query);
    let about = (query.uses().join(" and "), "§4.4.6");
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

/// What can be asked of a list: filters that have not failed, with the values that find some of its records; sort fields
/// and relations that are answered.
async fn ground(context: &mut Context, list: usize, shape: &Shape) -> Result<Ground, Trouble> {
    let mut filters = Vec::new();
    for judged in context.list(list).subject.filters.clone() {
        if let Some(filter) = SeenFilter::of(list, &judged)
            && context.failed(list, &filter.name).is_none()
        {
            if filter.look != Look::Default {
                context.view(list, &filter.look).await?;
            }
            filters.push(filter);
        }
    }
    let records: Vec<String> = context.list(list).live().map(|(id, _)| id.to_owned()).collect();
    let records = context.choice("together").some(&records, RECORDS);
    let rows = records.iter().map(|id| row(context, &filters, id)).collect();
    let model = context.list(list).subject.list.clone();
    let (mut sort, mut include) = (Vec::new(), Vec::new());
    if *shape.sort.end() > 0 {
        let names: Vec<String> = model.sort.iter().map(|(name, _)| name.clone()).collect();
        let names = context.choice("sort").some(&names, 4);
        let names = answered(context, list, Role::Sort, names, sorting).await?;
        sort = names
            .iter()
            .flat_map(|name| [name.clone(), format!("-{name}")])
            .collect();
    }
    if *shape.include.end() > 0 {
        let names: Vec<String> = model
            .relations
            .iter()
            .map(|relation| relation.name.clone())
            .collect();
        let names = context.choice("include").some(&names, 5);
        include = answered(context, list, Role::Include, names, including).await?;
    }
    Ok(Ground {
        list,
        filters,
        material: Material {
            records: rows,
            sort,
            include,
        },
    })
}

/// The filters that find a record, with values that do.
fn row(context: &Context, filters: &[SeenFilter], id: &str) -> Vec<(String, Vec<String>)> {
    let found = filters.iter().filter_map(|filter| {
        let record = context.seen(filter)?.record(id)?;
        let candidates = match (filter.matching, filter.places.is_empty()) {
            (Match::Flag, true) => vec!["true".to_owned()],
            _ => {
                let members = filter.places.iter().map(|place| place.find(record));
                members
                    .flat_map(|member| values(filter.matching, member))
                    .collect()
            }
        };
        let candidates = candidates.into_iter();
        let found: Vec<_> = candidates
            .filter(|value| filter.says(record, value) == Says::Yes)
            .collect();
        (!found.is_empty()).then(|| (filter.name.clone(), found))
    });
    found.collect()
}

/// The names that the target answers when they are given for a parameter, and that have not failed.
async fn answered(
    context: &mut Context,
    list: usize,
    role: Role,
    names: Vec<String>,
    account: fn(&str) -> String,
) -> Result<Vec<String>, Trouble> {
    let subject = &context.list(list).subject;
    let Some(parameter) = subject.parameter(role).map(str::to_owned) else {
        return Ok(Vec::new());
    };
    let path = subject.operation.path.clone();
    let mut answered = Vec::new();
    for name in names {
        let request = Request::get(&path).with(&parameter, &name);
        if context.failed(list, &account(&name)).is_none()
            && context.target.send(&request).await?.is_success()
        {
            answered.push(name);
        }
    }
    Ok(answered)
}
