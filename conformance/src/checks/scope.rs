//! The topics of checks: parts of an API that a contract may lack. Where no list has soft deletion, the checks of soft deletion do
//! not apply.

use rollcall_contract::{Contract, Match, Parameter, Role, ValueKind};
use rollcall_oracle::corpus::members::{Kind, Members};

use super::Check;
use crate::cases::writes::writes;
use crate::engine::topic::{Part, Topic};

const fn topic(what: &'static str, part: Part) -> Topic {
    Topic { what, part }
}

pub(super) const OPEN_POINTS: Topic = topic(
    "open point of the specification",
    Part::Other(|contract| !contract.open_points.is_empty()),
);
pub(super) const ACCESS: Topic = topic(
    "access control (`security`)",
    Part::Other(|contract| contract.document().raw().get("security").is_some()),
);
pub(super) const WRITES: Topic = topic("write", Part::Other(|contract| !writes(contract).is_empty()));
pub(super) const RELATIONS: Topic = topic("relation", Part::Relation(|_| true));
pub(super) const INCLUDES: Topic = topic(
    "relation to include",
    Part::Parameter(|one| one.role == Some(Role::Include)),
);
pub(super) const RELATED_NUMBERS: Topic = topic(
    "relation that can be requested as a number",
    Part::Relation(|relation| relation.number_at.is_some()),
);
pub(super) const RELATED_EXISTENCE: Topic = topic(
    "relation whose existence can be requested",
    Part::Relation(|relation| relation.existence_at.is_some()),
);
pub(super) const FILTERS: Topic = topic("filter", Part::Filter(|_| true));
pub(super) const EXACT_FILTERS: Topic = topic("exact filter", Part::Matching(Match::Exact));
pub(super) const ORDER: Topic = topic("order", Part::Parameter(|one| one.role == Some(Role::Sort)));
pub(super) const PAGING: Topic = topic(
    "page",
    Part::Parameter(|one| matches!(one.role, Some(Role::Page | Role::Cursor))),
);
pub(super) const SOFT_DELETION: Topic = topic("soft deletion", Part::Matching(Match::Trashed));
pub(super) const ANY_WORD: Topic = topic(
    "filter by soft deletion that accepts any value",
    Part::Filter(|filter| matches!(&filter.value, ValueKind::Trashed(words) if words.is_empty())),
);
pub(super) const PARTIAL_FILTERS: Topic = topic("partial filter", Part::Matching(Match::Contains));
pub(super) const FLAGS: Topic = topic("flag", Part::Matching(Match::Flag));
pub(super) const COMBINED_FLAGS: Topic = topic(
    "flag that combines several conditions",
    Part::Filter(|filter| !filter.all.is_empty()),
);
pub(super) const WORD_FILTERS: Topic = topic(
    "filter by one of a few values",
    Part::Filter(|filter| matches!(filter.value, ValueKind::Word(_))),
);
pub(super) const WINDOWS: Topic = topic(
    "filter by a timestamp",
    Part::Filter(|filter| filter.value == ValueKind::Timestamp),
);
pub(super) const COUNTS: Topic = topic(
    "count (`x-count`)",
    Part::Record(|contract, record| contract.counts(record).is_ok_and(|counts| !counts.is_empty())),
);
pub(super) const LINKS: Topic = topic("link (`x-link`)", Part::Member(Kind::Link));
pub(super) const FREE_FORM: Topic = topic("free-form member", Part::Member(Kind::FreeForm));
pub(super) const TIMESTAMPS: Topic = topic("member that is a timestamp", Part::Member(Kind::Timestamp));
pub(super) const IDENTIFIERS: Topic = topic("identifier with a pattern", Part::Member(Kind::Identifier));
pub(super) const ENUMERATED: Topic = topic("member with a list of values", Part::Member(Kind::Enumerated));
pub(super) const MADE_OF: Topic = topic(
    "member that is made of others (`x-made-of`)",
    Part::Record(|contract, record| contract.made_of(record).is_ok_and(|made| !made.is_empty())),
);
pub(super) const STATE_TIMES: Topic = topic(
    "state that says something of a timestamp (`x-state-time`)",
    Part::Record(|contract, record| contract.state_times(record).is_ok_and(|times| !times.is_empty())),
);
pub(super) const UNDESCRIBED: Topic = topic(
    "list of records without described members",
    Part::Record(|contract, record| !Members::of(contract, record).described),
);

/// The letters of the number of a check.
pub(super) fn section(check: &Check) -> &'static str {
    check.id.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// Why a check does not apply under a contract: what the contract does not have; none if it applies.
pub(crate) fn lacking(check: &Check, contract: &Contract) -> Option<&'static str> {
    let mut topics = check.topics.iter();
    topics
        .find(|topic| !topic.is_in(contract))
        .map(|topic| topic.what)
}

/// The parameters of a list that a check is about.
pub(super) fn parameters<'p>(check: &Check, of_list: &'p [Parameter]) -> impl Iterator<Item = &'p Parameter> {
    let topics = check.topics;
    of_list
        .iter()
        .filter(|one| topics.iter().any(|topic| topic.is_about(one)))
}

/// Whether a check writes.
pub(super) fn is_about_writes(check: &Check) -> bool {
    is_about(check, &WRITES)
}

/// Whether a check is about who may ask.
pub(super) fn is_about_access(check: &Check) -> bool {
    is_about(check, &ACCESS)
}

fn is_about(check: &Check, wanted: &Topic) -> bool {
    check.topics.iter().any(|topic| topic.what == wanted.what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::all;

    #[test]
    fn every_check_applies_under_our_contract() {
        let contract = rollcall_oracle::our_contract().unwrap();
        let lacking: Vec<_> = all()
            .filter_map(|check| Some((check.id, lacking(check, &contract)?)))
            .collect();
        assert_eq!(lacking, []);
    }
}
