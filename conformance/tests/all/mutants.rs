//! Drawn faults: what is drawn, and how it is classified.

use rollcall_shelf::equivalence::{Class, Effort, classify, decide};
use rollcall_shelf::mutation::condition::RecordClass;
use rollcall_shelf::mutation::{Condition, Mutant, mutants, original};

use std::sync::Arc;

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
