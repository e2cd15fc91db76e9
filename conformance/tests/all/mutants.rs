//! Drawn faults: what is drawn, and how it is classified.

use rollcall_shelf::equivalence::{Class, Effort, classify, decide};
use rollcall_shelf::mutation::condition::RecordClass;
use rollcall_shelf::mutation::{Condition, Mutant, mutants, original};

use std::sync::Arc;

/// The kinds of operators.
const KINDS: [&str; 14] = [
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
];

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
    for kind in KINDS {
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
fn the_model_itself_is_equivalent() {
    assert_eq!(classify(&|| original().hooks(), 200), Class::Equivalent);
}

#[test]
fn a_mutant_that_is_never_at_work_is_not_called_equivalent() {
    let mut drawn = mutants(1).filter(|mutant| mutant.operator.kind == "record member");
    let mut mutant = drawn.next().unwrap();
    mutant.condition = Arc::new(Condition::Record(RecordClass::Id("nobody".to_owned())));
    assert!(matches!(decide(&mutant, Effort::TEST), Class::Undecided(_)));
}

/// Of each kind of operator some fault that is always at work is called a violation, with the question that shows it.
#[test]
fn a_mutant_that_is_always_at_work_is_called_a_violation() {
    let always = |mutant: &Mutant| mutant.condition.class() == "always";
    let mut missed = Vec::new();
    for kind in KINDS {
        let mut drawn = mutants(1)
            .take(2_000)
            .filter(|mutant| mutant.operator.kind == kind && always(mutant))
            .take(4);
        if !drawn.any(|mutant| matches!(decide(&mutant, Effort::TEST), Class::Violates(_))) {
            missed.push(kind);
        }
    }
    assert_eq!(missed, [""; 0]);
}
