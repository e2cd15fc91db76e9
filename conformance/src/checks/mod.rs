//! The checks. A check is data: what it says, which clause it says it from, and the function that looks.
//!
//! One file or folder for each section; within it the entries stand in the order they run. What only one section asks or
//! judges stands in its folder, the cases that most are made of in `cases`.

mod access;
mod combinations;
mod counts;
mod dates;
mod dimensions;
mod exact;
mod fields;
mod flags;
mod include;
mod independence;
mod lists;
mod no_answer;
mod paging;
mod partial;
mod points;
mod records;
mod robustness;
mod rulings;
mod scope;
mod sort;
mod states;
mod subject;
mod trashed;
mod writing;

use rollcall_contract::Contract;

pub(crate) use crate::engine::check::CheckFuture;
use crate::engine::check::{BASE, Catalogue};
pub use crate::engine::check::{Check, Level};
use crate::engine::region::Stage;
use crate::explore::planned;
pub(crate) use no_answer::{judge_unanswered, leave_out, note_unanswered};
pub use points::UNOBSERVABLE;
pub(crate) use scope::lacking;
pub use subject::Subject;
pub(crate) use writing::ALLOW_WRITES;

/// What the entries have in common whose queries are planned value by value.
const PLANNED_VALUES: Check = Check {
    core: true,
    stage: Some(Stage::Values),
    run: planned,
    ..BASE
};

/// What the entries have in common whose queries are planned as combinations of parameters.
const PLANNED_COMBINATIONS: Check = Check {
    stage: Some(Stage::Combinations),
    run: planned,
    ..BASE
};

/// The sections, in the order of a run.
pub(crate) const CATALOGUE: Catalogue = Catalogue(&[
    lists::CHECKS,
    access::CHECKS,
    records::CHECKS,
    fields::CHECKS,
    exact::CHECKS,
    partial::CHECKS,
    flags::CHECKS,
    states::CHECKS,
    dates::CHECKS,
    trashed::CHECKS,
    sort::CHECKS,
    include::CHECKS,
    counts::CHECKS,
    paging::CHECKS,
    combinations::CHECKS,
    dimensions::CHECKS,
    robustness::CHECKS,
    independence::CHECKS,
    writing::CHECKS,
    points::CHECKS,
    rulings::CHECKS,
]);

/// Every check, in the order of a run.
pub fn all() -> impl Iterator<Item = &'static Check> {
    CATALOGUE.all()
}

/// The checks that apply under a contract: it has something that they are about.
pub fn applicable(contract: &Contract) -> impl Iterator<Item = &'static Check> {
    all().filter(|check| lacking(check, contract).is_none())
}

/// The check with this number, in whatever case it is written; of a number that another check covers, that one.
pub fn find(id: &str) -> Option<&'static Check> {
    let is = |one: &str| one.eq_ignore_ascii_case(id);
    all()
        .find(|check| is(check.id))
        .or_else(|| all().find(|check| check.covers.iter().any(|one| is(one))))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn numbers_are_unique_and_every_check_is_told_in_full() {
        let mut ids = HashSet::new();
        for check in all() {
            assert!(ids.insert(check.id), "{} stands twice", check.id);
            let by_clause = check.level != Level::Ruling;
            assert_eq!(check.clause.starts_with('§'), by_clause, "{}", check.id);
            let texts = [check.says, check.needs, check.finds];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", check.id);
            assert!(check.says.ends_with('.'), "{}", check.id);
            let may_fail = check.level != Level::Observe;
            assert_eq!(check.advice.ends_with('.'), may_fail, "{}", check.id);
        }
    }

    /// A check may fail a target only by a sentence of the specification.
    #[test]
    fn every_check_that_can_fail_names_the_sentences_that_a_failing_target_breaks() {
        let contract = rollcall_oracle::our_contract().unwrap();
        for check in all() {
            let demands: Vec<_> = check.demanded(&contract).collect();
            assert_eq!(
                demands.len(),
                check.demands.len(),
                "{}: a name is not in x-rules",
                check.id
            );
            let is_judged = matches!(check.level, Level::Must | Level::Guarded);
            assert_eq!(!demands.is_empty(), is_judged, "{}", check.id);
            // Its clause is that of its sentences, or the one above them.
            let clauses: Vec<&str> = check.clause.split(", ").collect();
            let sources = demands.iter().flat_map(|rule| &rule.source);
            let sources: Vec<&String> = sources.collect();
            let is_above = |clause: &str, source: &str| {
                source
                    .strip_prefix(clause)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            for source in &sources {
                let is_named = clauses.iter().any(|clause| is_above(clause, source));
                assert!(is_named, "{}: {source} is not below {}", check.id, check.clause);
            }
            for clause in clauses.iter().filter(|_| is_judged) {
                assert!(
                    sources.iter().any(|source| is_above(clause, source)),
                    "{}: {clause}",
                    check.id
                );
            }
        }
    }

    #[test]
    fn a_clause_means_the_checks_below_it() {
        let e1 = find("e1").unwrap();
        assert!(e1.is_meant_by("§4") && e1.is_meant_by("§4.4") && e1.is_meant_by("E1"));
        let t7 = find("T7").unwrap();
        assert!(t7.is_meant_by("§4.1") && t7.is_meant_by("§4.4.6") && !t7.is_meant_by("§4.4.5"));
        assert!(find("B3").unwrap().is_meant_by("b3"));
        assert!(!e1.is_meant_by("§4.4.22") && !e1.is_meant_by("§5") && !e1.is_meant_by("E11"));
    }

    /// The catalogue of what a run has to establish: how many entries each section has.
    #[test]
    fn every_entry_of_the_catalogue_is_established() {
        let sections = [
            ("A", 6),
            ("S", 11),
            ("F", 6),
            ("E", 12),
            ("X", 9),
            ("B", 7),
            ("ST", 4),
            ("D", 12),
            ("T", 8),
            ("O", 9),
            ("I", 16),
            ("C", 3),
            ("G", 7),
            ("K", 7),
            ("W", 14),
            ("N", 3),
            ("H", 3),
        ];
        let entries = sections
            .iter()
            .flat_map(|(section, count)| (1..=*count).map(move |number| format!("{section}{number}")));
        let lacking: Vec<_> = entries.filter(|entry| find(entry).is_none()).collect();
        assert_eq!(lacking, [""; 0]);
    }
}
