//! Which checks a contract has something for. A contract need not have all that ours has: what is about soft deletion does
//! not apply where no list has it.

use rollcall_contract::{Contract, Filter, Match, Method, Role, ValueKind};

use super::Check;
use crate::corpus::members::{Kind, Members};

/// A part of an API that checks are about.
struct Topic {
    /// What it is, in words that follow "the contract has no".
    what: &'static str,
    /// Whether a contract has it.
    is_in: fn(&Contract) -> bool,
    /// The checks: numbers, or sections such as `T`.
    checks: &'static [&'static str],
}

const TOPICS: &[Topic] = &[
    Topic {
        what: "open point of the specification",
        is_in: |contract| !contract.open_points.is_empty(),
        checks: &[
            "A6", "S10", "F6", "E12", "X8", "B7", "ST4", "D12", "T8", "O9", "I16", "G7", "W12", "H2", "P1",
        ],
    },
    Topic {
        what: "access control (`security`)",
        is_in: |contract| contract.document().raw().get("security").is_some(),
        checks: &["A"],
    },
    Topic {
        what: "write",
        is_in: |contract| {
            contract
                .operations
                .iter()
                .any(|operation| operation.method == Method::Patch)
        },
        checks: &["W", "A4"],
    },
    Topic {
        what: "relation",
        is_in: |contract| contract.lists().any(|(_, list)| !list.relations.is_empty()),
        checks: &["I", "E8", "F1", "F2", "C3", "K6"],
    },
    Topic {
        what: "order",
        is_in: |contract| has_role(contract, &[Role::Sort]),
        checks: &["O", "K7"],
    },
    Topic {
        what: "page",
        is_in: |contract| has_role(contract, &[Role::Page, Role::Cursor]),
        checks: &["G"],
    },
    Topic {
        what: "soft deletion",
        is_in: |contract| has_filter(contract, |filter| filter.matching == Match::Trashed),
        checks: &["T"],
    },
    Topic {
        what: "filter by soft deletion that takes any word",
        is_in: |contract| {
            has_filter(
                contract,
                |filter| matches!(&filter.value, ValueKind::Trashed(words) if words.is_empty()),
            )
        },
        checks: &["T6"],
    },
    Topic {
        what: "partial filter",
        is_in: |contract| has_filter(contract, |filter| filter.matching == Match::Contains),
        checks: &["X"],
    },
    Topic {
        what: "flag",
        is_in: |contract| has_filter(contract, |filter| filter.matching == Match::Flag),
        checks: &["B"],
    },
    Topic {
        what: "flag that stands for several conditions",
        is_in: |contract| has_filter(contract, |filter| !filter.all.is_empty()),
        checks: &["B5", "B6"],
    },
    Topic {
        what: "filter by one of a few words",
        is_in: |contract| has_filter(contract, |filter| matches!(filter.value, ValueKind::Word(_))),
        checks: &["ST"],
    },
    Topic {
        what: "filter by a timestamp",
        is_in: |contract| has_filter(contract, |filter| filter.value == ValueKind::Timestamp),
        checks: &["D"],
    },
    Topic {
        what: "count (`x-count`)",
        is_in: |contract| {
            let counts = |record: &&str| contract.counts(record).is_ok_and(|counts| !counts.is_empty());
            contract.records().iter().any(counts)
        },
        checks: &["C1", "F2", "S5"],
    },
    Topic {
        what: "link (`x-link`)",
        is_in: |contract| has_kind(contract, Kind::Link),
        checks: &["S6"],
    },
    Topic {
        what: "free-form member",
        is_in: |contract| has_kind(contract, Kind::FreeForm),
        checks: &["S7", "X9"],
    },
    Topic {
        what: "timestamp",
        is_in: |contract| has_kind(contract, Kind::Timestamp),
        checks: &["S4"],
    },
    Topic {
        what: "identifier with a pattern",
        is_in: |contract| has_kind(contract, Kind::Identifier),
        checks: &["S3"],
    },
    Topic {
        what: "member with a list of values",
        is_in: |contract| has_kind(contract, Kind::Enumerated),
        checks: &["S2"],
    },
    Topic {
        what: "member that is made of others (`x-made-of`)",
        is_in: |contract| {
            let made = |record: &&str| contract.made_of(record).is_ok_and(|made| !made.is_empty());
            contract.records().iter().any(made)
        },
        checks: &["F3"],
    },
    Topic {
        what: "state that says something of a timestamp (`x-state-time`)",
        is_in: |contract| {
            let timed = |record: &&str| contract.state_times(record).is_ok_and(|times| !times.is_empty());
            contract.records().iter().any(timed)
        },
        checks: &["F4", "F5"],
    },
    Topic {
        what: "list of records without described members",
        is_in: |contract| {
            let mut records = contract.records().into_iter();
            records.any(|record| !Members::of(contract, record).described)
        },
        checks: &["N2"],
    },
];

/// Why a check does not apply under a contract: what the contract does not have; none if it applies.
pub(crate) fn lacking(check: &Check, contract: &Contract) -> Option<&'static str> {
    let section = check.id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let about = |topic: &&Topic| topic.checks.iter().any(|one| [check.id, section].contains(one));
    let mut subjects = TOPICS.iter().filter(about);
    subjects
        .find(|topic| !(topic.is_in)(contract))
        .map(|topic| topic.what)
}

fn has_role(contract: &Contract, roles: &[Role]) -> bool {
    contract
        .lists()
        .any(|(operation, _)| roles.iter().any(|role| operation.role(*role).is_some()))
}

fn has_filter(contract: &Contract, is_meant: impl Fn(&Filter) -> bool) -> bool {
    contract
        .lists()
        .any(|(operation, _)| operation.filters().any(|(_, filter)| is_meant(filter)))
}

fn has_kind(contract: &Contract, kind: Kind) -> bool {
    let mut records = contract.records().into_iter();
    records.any(|record| Members::of(contract, record).of_kind(kind).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{all, find};

    #[test]
    fn every_check_applies_under_our_contract() {
        let contract = crate::our_contract().unwrap();
        let lacking: Vec<_> = all()
            .filter_map(|check| Some((check.id, lacking(check, &contract)?)))
            .collect();
        assert_eq!(lacking, []);
    }

    #[test]
    fn every_subject_has_checks_that_exist() {
        let is_section =
            |name: &str| all().any(|check| check.id.trim_end_matches(|c: char| c.is_ascii_digit()) == name);
        for name in TOPICS.iter().flat_map(|topic| topic.checks) {
            assert!(
                is_section(name) || find(name).is_some_and(|check| check.id == *name),
                "{name}"
            );
        }
    }
}
