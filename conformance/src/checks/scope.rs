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
    /// As filters of its lists.
    Filter(fn(&Filter) -> bool),
    /// As filters that match in one way.
    Matching(Match),
    /// As members of one kind.
    Member(Kind),
    /// As something of its records, by the name of their schema.
    Record(fn(&Contract, &str) -> bool),
    /// As operations that write.
    Write,
    /// In another way.
    Other(fn(&Contract) -> bool),
}

const fn topic(what: &'static str, part: Part, checks: &'static [&'static str]) -> Topic {
    Topic { what, part, checks }
}

const TOPICS: &[Topic] = &[
    topic(
        "open point of the specification",
        Part::Other(|contract| !contract.open_points.is_empty()),
        &[
            "A6", "S10", "F6", "E12", "X8", "B7", "ST4", "D12", "T8", "O9", "I16", "G7", "W12", "H2", "P1",
        ],
    ),
    topic(
        "access control (`security`)",
        Part::Other(|contract| contract.document().raw().get("security").is_some()),
        &["A"],
    ),
    topic("write", Part::Write, &["W", "A4"]),
    topic(
        "relation",
        Part::Other(|contract| contract.lists().any(|(_, list)| !list.relations.is_empty())),
        &["E8", "F1", "F2", "C3"],
    ),
    topic(
        "relation to include",
        Part::Parameter(|one| one.role == Some(Role::Include)),
        &["I", "K5", "K6"],
    ),
    topic("filter", Part::Filter(|_| true), &["K", "E9", "G5", "I7", "O7"]),
    topic(
        "exact filter",
        Part::Matching(Match::Exact),
        &["E1", "E2", "E3", "E4", "E7", "E8", "E10", "E12"],
    ),
    topic(
        "order",
        Part::Parameter(|one| one.role == Some(Role::Sort)),
        &["O", "K5", "K7"],
    ),
    topic(
        "page",
        Part::Parameter(|one| matches!(one.role, Some(Role::Page | Role::Cursor))),
        &["G", "K5"],
    ),
    topic("soft deletion", Part::Matching(Match::Trashed), &["T"]),
    topic(
        "filter by soft deletion that accepts any value",
        Part::Filter(|filter| matches!(&filter.value, ValueKind::Trashed(words) if words.is_empty())),
        &["T6"],
    ),
    topic("partial filter", Part::Matching(Match::Contains), &["X"]),
    topic("flag", Part::Matching(Match::Flag), &["B"]),
    topic(
        "flag that combines several conditions",
        Part::Filter(|filter| !filter.all.is_empty()),
        &["B5", "B6"],
    ),
    topic(
        "filter by one of a few values",
        Part::Filter(|filter| matches!(filter.value, ValueKind::Word(_))),
        &["ST"],
    ),
    topic(
        "filter by a timestamp",
        Part::Filter(|filter| filter.value == ValueKind::Timestamp),
        &["D"],
    ),
    topic(
        "count (`x-count`)",
        Part::Record(|contract, record| contract.counts(record).is_ok_and(|counts| !counts.is_empty())),
        &["C1", "F2", "S5"],
    ),
    topic("link (`x-link`)", Part::Member(Kind::Link), &["S6"]),
    topic("free-form member", Part::Member(Kind::FreeForm), &["S7", "X9"]),
    topic("timestamp", Part::Member(Kind::Timestamp), &["S4"]),
    topic(
        "identifier with a pattern",
        Part::Member(Kind::Identifier),
        &["S3"],
    ),
    topic(
        "member with a list of values",
        Part::Member(Kind::Enumerated),
        &["S2"],
    ),
    topic(
        "member that is made of others (`x-made-of`)",
        Part::Record(|contract, record| contract.made_of(record).is_ok_and(|made| !made.is_empty())),
        &["F3"],
    ),
    topic(
        "state that says something of a timestamp (`x-state-time`)",
        Part::Record(|contract, record| contract.state_times(record).is_ok_and(|times| !times.is_empty())),
        &["F4", "F5"],
    ),
    topic(
        "list of records without described members",
        Part::Record(|contract, record| !Members::of(contract, record).described),
        &["N2"],
    ),
];

impl Topic {
    fn is_in(&self, contract: &Contract) -> bool {
        let mut lists = contract.lists().map(|(operation, _)| &operation.parameters);
        let mut records = contract.records().into_iter();
        match self.part {
            Part::Parameter(_) | Part::Filter(_) | Part::Matching(_) => {
                lists.any(|parameters| parameters.iter().any(|one| self.is_about(one)))
            }
            Part::Member(kind) => {
                records.any(|record| Members::of(contract, record).of_kind(kind).next().is_some())
            }
            Part::Record(is_in) => records.any(|record| is_in(contract, record)),
            Part::Write => !writes(contract).is_empty(),
            Part::Other(is_in) => is_in(contract),
        }
    }

    /// Whether it is about a parameter of a list.
    fn is_about(&self, parameter: &Parameter) -> bool {
        let filter = parameter.filter.as_ref();
        match self.part {
            Part::Parameter(is_meant) => is_meant(parameter),
            Part::Filter(is_meant) => filter.is_some_and(is_meant),
            Part::Matching(matching) => filter.is_some_and(|filter| filter.matching == matching),
            Part::Member(_) | Part::Record(_) | Part::Write | Part::Other(_) => false,
        }
    }
}

/// What a check is about.
fn topics(check: &Check) -> impl Iterator<Item = &'static Topic> {
    let names = [check.id, section(check)];
    let topics = TOPICS.iter();
    topics.filter(move |topic| topic.checks.iter().any(|one| names.contains(one)))
}

/// The letters of the number of a check.
pub(super) fn section(check: &Check) -> &'static str {
    check.id.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// Why a check does not apply under a contract: what the contract does not have; none if it applies.
pub(crate) fn lacking(check: &Check, contract: &Contract) -> Option<&'static str> {
    let lacking = topics(check).find(|topic| !topic.is_in(contract));
    lacking.map(|topic| topic.what)
}

/// The parameters of a list that a check is about.
pub(super) fn parameters<'p>(check: &Check, of_list: &'p [Parameter]) -> impl Iterator<Item = &'p Parameter> {
    let topics: Vec<_> = topics(check).collect();
    let parameters = of_list.iter();
    parameters.filter(move |one| topics.iter().any(|topic| topic.is_about(one)))
}

/// Whether a check writes.
pub(super) fn is_about_writes(check: &Check) -> bool {
    topics(check).any(|topic| matches!(topic.part, Part::Write))
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
