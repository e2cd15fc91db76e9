//! The questions to ask, out of what they can be made of: those first in which every filter tells.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::Judged;
use super::ground::Ground;
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::oracle;
use crate::query::Query;
use crate::sample::Choice;
use crate::seen::Says;
use crate::strategy::{Material, ProbeTree, Shape, probes};

/// So many questions are made up for each that is asked.
const TRIES: usize = 16;
/// A question with more records than this, in pages, is not asked.
const PAGES: usize = 3;

/// The questions to ask: all different, none with an endless answer, each of the kind that is judged; those in which every
/// filter tells before all others.
pub(super) fn grow(
    context: &Context,
    ground: &Ground,
    shape: &Shape,
    count: usize,
    judged: Judged,
) -> Vec<ProbeTree> {
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
        let query = ground.query(&probe);
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
fn contradictory(material: &Material, choice: &mut Choice) -> Material {
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
