//! Which checks a contract has something for. A contract need not have all that ours has: what is about soft deletion does
//! not apply where no list has it.

use rollcall_contract::{Contract, Filter, Match, Parameter, Role, ValueKind};

use super::{Check, writes};
use crate::corpus::members::{Kind, Members};

/// A part of an API that checks are about.
struct Topic {
    /// What it is, in words that follow "the contract has no".
    what: &'static str,
    /// How a contract has it.
    part: Part,
    /// The checks: numbers, or sections such as `T`.
    checks: &'static [&'static str],
}

/// How a contract has a part of an API.
enum Part {
    /// As parameters of its lists.
    Parameter(fn(&Parameter) -> bool),
    /// As operations that write.
    Write,
    /// In another way.
    Other(fn(&Contract) -> bool),
}

const TOPICS: &[Topic] = &[
    Topic {
        what: "open point of the specification",
        part: Part::Other(|contract| !contract.open_points.is_empty()),
        checks: &[
            "A6", "S10", "F6", "E12", "X8", "B7", "ST4", "D12", "T8", "O9", "I16", "G7", "W12", "H2", "P1",
        ],
    },
    Topic {
        what: "access control (`security`)",
        part: Part::Other(|contract| contract.document().raw().get("security").is_some()),
        checks: &["A"],
    },
    Topic {
        what: "write",
        part: Part::Write,
        checks: &["W", "A4"],
    },
    Topic {
        what: "relation",
        part: Part::Other(|contract| contract.lists().any(|(_, list)| !list.relations.is_empty())),
        checks: &["E8", "F1", "F2", "C3"],
    },
    Topic {
        what: "relation to include",
        part: Part::Parameter(|one| one.role == Some(Role::Include)),
        checks: &["I", "K5", "K6"],
    },
    Topic {
        what: "filter",
        part: Part::Parameter(|one| one.filter.is_some()),
        checks: &["K", "E9", "G5", "I7", "O7"],
    },
    Topic {
        what: "exact filter",
        part: Part::Parameter(|one| is_filter(one, |filter| filter.matching == Match::Exact)),
        checks: &["E1", "E2", "E3", "E4", "E7", "E8", "E10", "E12"],
    },
    Topic {
        what: "order",
        part: Part::Parameter(|one| one.role == Some(Role::Sort)),
        checks: &["O", "K5", "K7"],
    },
    Topic {
        what: "page",
        part: Part::Parameter(|one| matches!(one.role, Some(Role::Page | Role::Cursor))),
        checks: &["G", "K5"],
    },
    Topic {
        what: "soft deletion",
        part: Part::Parameter(|one| is_filter(one, |filter| filter.matching == Match::Trashed)),
        checks: &["T"],
    },
    Topic {
        what: "filter by soft deletion that accepts any value",
        part: Part::Parameter(|one| {
            is_filter(
                one,
                |filter| matches!(&filter.value, ValueKind::Trashed(words) if words.is_empty()),
            )
        }),
        checks: &["T6"],
    },
    Topic {
        what: "partial filter",
        part: Part::Parameter(|one| is_filter(one, |filter| filter.matching == Match::Contains)),
        checks: &["X"],
    },
    Topic {
        what: "flag",
        part: Part::Parameter(|one| is_filter(one, |filter| filter.matching == Match::Flag)),
        checks: &["B"],
    },
    Topic {
        what: "flag that combines several conditions",
        part: Part::Parameter(|one| is_filter(one, |filter| !filter.all.is_empty())),
        checks: &["B5", "B6"],
    },
    Topic {
        what: "filter by one of a few values",
        part: Part::Parameter(|one| is_filter(one, |filter| matches!(filter.value, ValueKind::Word(_)))),
        checks: &["ST"],
    },
    Topic {
        what: "filter by a timestamp",
        part: Part::Parameter(|one| is_filter(one, |filter| filter.value == ValueKind::Timestamp)),
        checks: &["D"],
    },
    Topic {
        what: "count (`x-count`)",
        part: Part::Other(|contract| {
            let counts = |record: &&str| contract.counts(record).is_ok_and(|counts| !counts.is_empty());
            contract.records().iter().any(counts)
        }),
        checks: &["C1", "F2", "S5"],
    },
    Topic {
        what: "link (`x-link`)",
        part: Part::Other(|contract| has_kind(contract, Kind::Link)),
        checks: &["S6"],
    },
    Topic {
        what: "free-form member",
        part: Part::Other(|contract| has_kind(contract, Kind::FreeForm)),
        checks: &["S7", "X9"],
    },
    Topic {
        what: "timestamp",
        part: Part::Other(|contract| has_kind(contract, Kind::Timestamp)),
        checks: &["S4"],
    },
    Topic {
        what: "identifier with a pattern",
        part: Part::Other(|contract| has_kind(contract, Kind::Identifier)),
        checks: &["S3"],
    },
    Topic {
        what: "member with a list of values",
        part: Part::Other(|contract| has_kind(contract, Kind::Enumerated)),
        checks: &["S2"],
    },
    Topic {
        what: "member that is made of others (`x-made-of`)",
        part: Part::Other(|contract| {
            let made = |record: &&str| contract.made_of(record).is_ok_and(|made| !made.is_empty());
            contract.records().iter().any(made)
        }),
        checks: &["F3"],
    },
    Topic {
        what: "state that says something of a timestamp (`x-state-time`)",
        part: Part::Other(|contract| {
            let timed = |record: &&str| contract.state_times(record).is_ok_and(|times| !times.is_empty());
            contract.records().iter().any(timed)
        }),
        checks: &["F4", "F5"],
    },
    Topic {
        what: "list of records without described members",
        part: Part::Other(|contract| {
            let mut records = contract.records().into_iter();
            records.any(|record| !Members::of(contract, record).described)
        }),
        checks: &["N2"],
    },
];

impl Topic {
    fn is_in(&self, contract: &Contract) -> bool {
        match self.part {
            Part::Other(is_in) => is_in(contract),
            Part::Write => !writes(contract).is_empty(),
            Part::Parameter(is_meant) => contract
                .lists()
                .any(|(operation, _)| operation.parameters.iter().any(is_meant)),
        }
    }
}

/// What a check is about.
fn topics(check: &Check) -> impl Iterator<Item = &'static Topic> {
    let section = section(check);
    TOPICS
        .iter()
        .filter(move |topic| topic.checks.iter().any(|one| [check.id, section].contains(one)))
}

/// The letters of the number of a check.
pub(super) fn section(check: &Check) -> &'static str {
    check.id.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// Why a check does not apply under a contract: what the contract does not have; none if it applies.
pub(crate) fn lacking(check: &Check, contract: &Contract) -> Option<&'static str> {
    topics(check)
        .find(|topic| !topic.is_in(contract))
        .map(|topic| topic.what)
}

/// The parameters of a list that a check is about.
pub(super) fn parameters<'p>(check: &Check, of_list: &'p [Parameter]) -> impl Iterator<Item = &'p Parameter> {
    let meant: Vec<_> = topics(check)
        .filter_map(|topic| match topic.part {
            Part::Parameter(is_meant) => Some(is_meant),
            Part::Write | Part::Other(_) => None,
        })
        .collect();
    of_list
        .iter()
        .filter(move |one| meant.iter().any(|is_meant| is_meant(one)))
}

/// Whether a check writes.
pub(super) fn is_about_writes(check: &Check) -> bool {
    topics(check).any(|topic| matches!(topic.part, Part::Write))
}

fn is_filter(parameter: &Parameter, is_meant: impl Fn(&Filter) -> bool) -> bool {
    parameter.filter.as_ref().is_some_and(is_meant)
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
        let is_section = |name: &str| all().any(|check| section(check) == name);
        for name in TOPICS.iter().flat_map(|topic| topic.checks) {
            assert!(
                is_section(name) || find(name).is_some_and(|check| check.id == *name),
                "{name}"
            );
        }
    }
}
