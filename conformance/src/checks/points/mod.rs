//! The open points: what the specification leaves open and a target decides. Told, and not judged.
//!
//! Invariant: questions and choices are the same words in every run on the same target, whatever the seed and the data,
//! because profiles are compared by them. What the data cannot show is not observed at all.

mod first_page;
mod garbage;
mod handles;
mod order;
mod pages;
mod records;
mod refusals;
mod relations;
mod timestamps;
mod values;
mod words;
mod writes;

use crate::checks::scope::{
    ACCESS, EXACT_FILTERS, FLAGS, INCLUDES, OPEN_POINTS, ORDER, PAGING, PARTIAL_FILTERS, SOFT_DELETION,
    WINDOWS, WORD_FILTERS, WRITES,
};
use std::collections::BTreeSet;

use super::{BASE, Check, Level};
use crate::engine::check::Run;
use crate::engine::outcome::CheckResult;
use crate::engine::topic::Topic;

/// A check that observes, with the points it may tell something about.
const fn observing(
    id: &'static str,
    topics: &'static [Topic],
    clause: &'static str,
    says: &'static str,
    needs: &'static str,
    run: Run,
) -> Check {
    Check {
        id,
        topics,
        clause,
        level: Level::Observe,
        says,
        needs,
        finds: "nothing; it tells what the target does",
        run,
        ..BASE
    }
}

/// Observes the different things that some records show, if they show any.
fn observe_all(result: &mut CheckResult, point: &'static str, question: String, shown: BTreeSet<&str>) {
    if !shown.is_empty() {
        result.observe(point, question, Vec::from_iter(shown).join(" or "));
    }
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        covers: &["A3"],
        ..observing(
            "A6",
            &[OPEN_POINTS, ACCESS],
            "§5",
            "Not specified: the status, body and challenge of a refusal, and another scheme than Bearer.",
            "a list that answers with the token",
            refusals::observed,
        )
    },
    observing(
        "S10",
        &[OPEN_POINTS],
        "§2",
        "Not specified: the forms of timestamps and links, the content of included, and the records that a count includes.",
        "a record in a list",
        records::observed,
    ),
    observing(
        "F6",
        &[OPEN_POINTS],
        "§2.1, §2.2",
        "A username is the part of the email before the @, unless it was set otherwise.",
        "a record that shows its email and the short name made of it",
        handles::observed,
    ),
    observing(
        "E12",
        &[OPEN_POINTS, EXACT_FILTERS],
        "§4.4.2",
        "Not specified: case, commas, empty and repeated values, unknown filters, and a filter without a name.",
        "a value of text",
        values::exact,
    ),
    observing(
        "X8",
        &[OPEN_POINTS, PARTIAL_FILTERS],
        "§4.4.2",
        "Not specified: case in a partial filter, and the names of three partial filters.",
        "a value of text",
        values::partial,
    ),
    observing(
        "B7",
        &[OPEN_POINTS, FLAGS],
        "§4.1",
        "Not specified: other words for a boolean than true and false.",
        "a list with a filter by a boolean",
        words::flags,
    ),
    observing(
        "ST4",
        &[OPEN_POINTS, WORD_FILTERS],
        "§4.1",
        "Not specified: the answer to a state that does not exist.",
        "a list with a filter by state",
        words::states,
    ),
    observing(
        "D12",
        &[OPEN_POINTS, WINDOWS],
        "§4.4.3",
        "Not specified: further forms of dates, a timestamp equal to its bound, nulls, and timestamps that no record shows.",
        "a record with a timestamp",
        timestamps::observed,
    ),
    observing(
        "T8",
        &[OPEN_POINTS, SOFT_DELETION],
        "§4.4.4",
        "Not specified: an empty value for soft-deleted records, and the case of the value.",
        "a soft-deleted record",
        words::trashed,
    ),
    observing(
        "O9",
        &[OPEN_POINTS, ORDER],
        "§4.4.5",
        "Not specified: the default order, the fields to sort by, the place of nulls, and the collation.",
        "a list with several records",
        order::observed,
    ),
    observing(
        "I16",
        &[OPEN_POINTS, INCLUDES],
        "§4.4.6",
        "Not specified: the form of an empty relation and of a count of related records, and soft-deleted related records.",
        "a list that can include relations",
        relations::observed,
    ),
    observing(
        "G7",
        &[OPEN_POINTS, PAGING],
        "§4.4.8",
        "Not specified: the envelope, the size of a page, the values of page, and the metadata of pages.",
        "a list that answers with records",
        pages::observed,
    ),
    observing(
        "W12",
        &[OPEN_POINTS, WRITES],
        "§4.3",
        "Not specified: the outcome of both options or none, the state after a write, and the status of success.",
        "--allow-writes, and a record to write to",
        writes::observed,
    ),
    observing(
        "H2",
        &[OPEN_POINTS],
        "§7",
        "Not specified: the answer to a request that the specification does not describe.",
        "a list that answers with records",
        garbage::observed,
    ),
];

/// The points that cannot be told from outside, each with the reason.
pub const UNOBSERVABLE: &[(&str, &str)] = &[
    (
        "R3",
        "The data decides which vendors exist: a value that no record shows may still be possible.",
    ),
    ("R4", "The data decides which types and operators exist."),
    ("R5", "The data decides which states and types of rulesets exist."),
    ("R6", "The data decides which states related records have."),
    (
        "O1",
        "Transitions happen by operations that the specification does not name, or by time.",
    ),
    (
        "O8",
        "The flag restores what the record had before, which no answer has to show.",
    ),
    ("O11", "A run promises not to repeat writes on purpose."),
    (
        "A1",
        "The run is given a token, and does not see how the token was made.",
    ),
    ("A6", "Only a flood of requests would find the limit."),
    (
        "A7",
        "The specification has no path under which events could be found.",
    ),
    ("A8", "The run is given one address, which contains the version."),
    ("A10", "An import happens before there is anything to read."),
    (
        "P1",
        "Conditions are shown in part only, so an observer cannot say when a rule applies.",
    ),
    (
        "P2",
        "The content of org follows from the data: any object conforms.",
    ),
    (
        "P3",
        "Policy users follow from rules that are shown in part only.",
    ),
    ("P4", "No list shows the resources of other systems."),
    (
        "P5",
        "The effect of an attribute's expiration is visible only at that time.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_observes_never_judges() {
        assert!(CHECKS.iter().all(|check| check.level == Level::Observe));
    }
}
