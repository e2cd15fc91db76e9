//! Drawn faults: what is drawn, how it is classified, and how much of it the runner finds.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use rollcall_conformance::Report;

use crate::shelf::equivalence::{Class, Effort, classify, decide, read_apart};
use crate::shelf::mutation::condition::RecordClass;
use crate::shelf::mutation::{Condition, Mutant, mutants, original};
use crate::shelf::{Model, benign};
use crate::{AT_ONCE, SHELF, failed, judge_model, printed};

/// The seed of the mutants that the suite judges.
const SEED: u64 = 7;

/// How many mutants of the seed the suite judges.
const JUDGED: usize = 8;

/// The least share of them that the runner finds, in percent. Raise it when the runner finds more.
const FLOOR: usize = 25;

#[test]
fn the_same_seed_draws_the_same_mutants_and_another_seed_draws_others() {
    let names = |seed, count| {
        mutants(seed)
            .take(count)
            .map(|mutant| mutant.name())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(1, 300), names(1, 300));
    assert_eq!(names(1, 50), names(1, 300)[..50]);
    assert_ne!(names(1, 50), names(2, 50));
}

#[test]
fn every_kind_of_operator_and_of_condition_is_drawn() {
    let drawn: Vec<Mutant> = mutants(1).take(1_000).collect();
    let count = |is: &dyn Fn(&Mutant) -> bool| drawn.iter().filter(|mutant| is(mutant)).count();
    for kind in [
        "record member",
        "exact filter",
        "partial filter",
        "date filter",
        "flag filter",
        "filter value",
        "trashed",
        "order",
        "paging",
        "include",
        "response",
        "access",
        "body of a write",
        "effect of a write",
    ] {
        assert!(count(&|mutant| mutant.operator.kind == kind) >= 5, "{kind}");
    }
    for class in [
        "always",
        "record",
        "parameter",
        "two parameters",
        "value of a filter",
        "order of requests",
        "connection",
        "header",
    ] {
        assert!(count(&|mutant| mutant.condition.class() == class) >= 5, "{class}");
    }
}

#[test]
fn what_conforms_is_never_classified_as_a_violation() {
    let variants = benign::records::variants().into_iter();
    let variants = variants
        .chain(benign::lists::variants())
        .chain(benign::access::variants())
        .chain([original()]);
    for variant in variants {
        let class = read_apart(&|| variant.hooks(), 15);
        assert!(!matches!(class, Class::Violates(_)), "{variant:?}: {class:?}");
    }
}

#[test]
fn the_model_itself_is_equivalent() {
    assert_eq!(classify(&|| original().hooks(), 200), Class::Equivalent);
}

/// Without questions about the fault in particular, most faults of the shelf are told from the model.
#[test]
fn most_faults_that_reading_shows_are_classified_as_violations() {
    let sections = ["exact", "partial", "trashed", "sort", "paging", "include"];
    let faults = sections.into_iter().flat_map(crate::shelf::faults::of).step_by(4);
    let classes: Vec<_> = faults
        .map(|fault| (read_apart(&|| fault.hooks(), 200), fault))
        .collect();
    let missed = classes
        .iter()
        .filter(|(class, _)| !matches!(class, Class::Violates(_)));
    let missed: Vec<_> = missed.collect();
    assert!(
        missed.len() * 4 < classes.len(),
        "{} of {}: {missed:?}",
        missed.len(),
        classes.len()
    );
}

#[tokio::test]
async fn the_runner_finds_drawn_faults_and_accuses_no_equivalent_mutant() {
    let drawn: Vec<Mutant> = mutants(SEED).take(JUDGED).collect();
    let judged = stream::iter(&drawn).map(judged).buffer_unordered(AT_ONCE);
    let judged: Vec<(&Mutant, Class, Report)> = judged.collect().await;
    let faults: Vec<_> = judged
        .iter()
        .filter(|(_, class, _)| matches!(class, Class::Violates(_)))
        .collect();
    let found = faults
        .iter()
        .filter(|(_, _, report)| !failed(report).is_empty())
        .count();
    assert!(
        faults.len() >= JUDGED / 3,
        "only {} of {JUDGED} mutants are faults",
        faults.len()
    );
    assert!(
        found * 100 >= faults.len() * FLOOR,
        "{found} of {} drawn faults are found",
        faults.len()
    );
    for (mutant, _, report) in judged.iter().filter(|(_, class, _)| *class == Class::Equivalent) {
        assert_eq!(failed(report), [""; 0], "{}: {}", mutant.name(), printed(report));
    }
}

async fn judged(mutant: &Mutant) -> (&Mutant, Class, Report) {
    let class = decide(mutant, Effort::TEST);
    let report = judge_model(Model::new(SHELF, mutant.hooks()), |_| {}).await;
    (mutant, class, report)
}

#[test]
fn a_mutant_that_is_never_at_work_is_not_called_equivalent() {
    let mut drawn = mutants(1).filter(|mutant| mutant.operator.kind == "record member");
    let mut mutant = drawn.next().unwrap();
    mutant.condition = Arc::new(Condition::Record(RecordClass::Id("nobody".to_owned())));
    assert!(matches!(decide(&mutant, Effort::TEST), Class::Undecided(_)));
}
