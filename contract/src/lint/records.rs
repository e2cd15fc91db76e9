//! Every count counts something, every link leads somewhere, and states speak of timestamps that exist.

use serde_json::Value;

use super::relations::unlisted;
use super::{Findings, Rule};
use crate::{Contract, Counted, Listing};

pub(super) const HOUSE: &[Rule] = &[
    Rule {
        id: "count-annotated",
        says: "Every member of a `count` has `x-count`, whose list exists and has the filter.",
        check: counts,
    },
    Rule {
        id: "link-annotated",
        says: "Every member of a `links` has `x-link`: a list that exists and has the filter, or the operation that shows \
               the record itself.",
        check: links,
    },
];

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "record-identifier",
        says: "The records of a list show their identifier, a string, where `x-identifier` says, else at `/id`.",
        check: identifiers,
    },
    Rule {
        id: "state-time",
        says: "`x-state-time` speaks of states of the enum and of timestamps of the record.",
        check: state_times,
    },
    Rule {
        id: "made-of",
        says: "`x-made-of` speaks of members of the records that lists show.",
        check: made_of,
    },
];

fn identifiers(contract: &Contract, findings: &mut Findings<'_>) {
    for (operation, list) in contract.lists() {
        let member = contract.member(&list.record, &contract.identifier);
        let kind = member
            .as_ref()
            .and_then(|member| member.underlying().value().get("type"));
        let says = format!(
            "{} has no member {} that is a string; `x-identifier` names the member that identifies records",
            list.record, contract.identifier
        );
        findings.unless(kind.is_some_and(|kind| kind == "string"), &operation.at, says);
    }
}

fn counts(contract: &Contract, findings: &mut Findings<'_>) {
    for (record, _) in contract.document().schemas() {
        let counts = contract.counts(record).unwrap_or_default();
        for (member, place) in contract.members_of(record, contract.frame.count.as_ref()) {
            match counts
                .iter()
                .find(|count| count.member == member)
                .map(|count| &count.counted)
            {
                None => findings.add(place.at(), "`x-count` is missing"),
                Some(Counted::External) => {}
                Some(Counted::Listing(listing)) => {
                    unlisted(contract, listing)
                        .into_iter()
                        .for_each(|says| findings.add(place.at(), says));
                }
            }
        }
    }
}

fn links(contract: &Contract, findings: &mut Findings<'_>) {
    for (record, _) in contract.document().schemas() {
        let links = contract.links(record).unwrap_or_default();
        for (member, place) in contract.members_of(record, contract.frame.links.as_ref()) {
            let Some(link) = links.iter().find(|link| link.member == member) else {
                findings.add(place.at(), "`x-link` is missing");
                continue;
            };
            let operation = link.operation.clone();
            let wrong = match link.filter.clone() {
                Some(filter) => unlisted(contract, &Listing { operation, filter }),
                None => not_itself(contract, record, &operation),
            };
            wrong.into_iter().for_each(|says| findings.add(place.at(), says));
        }
    }
}

/// Why an operation does not show one `record` by its id.
fn not_itself(contract: &Contract, record: &str, id: &str) -> Option<String> {
    let Some(operation) = contract.operation(id) else {
        return Some(format!("there is no operation `{id}`"));
    };
    let shows = operation.answer.schema.as_deref() == Some(record) && !operation.answer.many;
    let by_id = operation.path_parameters().count() == 1;
    (!shows || !by_id).then(|| format!("`{id}` does not show a {record} by its id; a list needs a filter"))
}

fn state_times(contract: &Contract, findings: &mut Findings<'_>) {
    for record in contract.records() {
        let place = contract.frame.state.as_ref();
        let Some(state) = place.and_then(|place| contract.member(record, place)) else {
            continue;
        };
        let schema = state.underlying();
        let states = schema.value().get("enum").and_then(Value::as_array);
        for time in contract.state_times(record).unwrap_or_default() {
            let known = states.is_some_and(|states| states.iter().any(|state| state == &time.state));
            findings.unless(
                known,
                schema.at(),
                format!("`{}` is none of the states", time.state),
            );
            let exists = contract.member(record, &time.member).is_some();
            findings.unless(
                exists,
                schema.at(),
                format!("{record} has no member {}", time.member),
            );
        }
    }
}

fn made_of(contract: &Contract, findings: &mut Findings<'_>) {
    for record in contract.records() {
        for (member, parts) in contract.made_of(record).unwrap_or_default() {
            let Some(place) = contract.member(record, &member) else {
                continue;
            };
            let unknown = parts
                .iter()
                .filter(|part| contract.member(record, part).is_none());
            unknown.for_each(|part| findings.add(place.at(), format!("{record} has no member {part}")));
        }
    }
}
