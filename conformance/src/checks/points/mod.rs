//! The open points: what the specification leaves open and a target decides. Told, never judged.
//!
//! Invariant: questions and choices are the same words in every run on the same target, whatever the seed and the data,
//! because profiles are compared by them. What the data cannot show is not observed at all.

mod came;
mod garbage;
mod handles;
mod moments;
mod order;
mod pages;
mod records;
mod refusals;
mod relations;
mod values;
mod words;
mod writes;

use super::{Check, Level, Run};

/// A check that observes, with the points it may tell something about.
const fn observing(
    id: &'static str,
    clause: &'static str,
    says: &'static str,
    needs: &'static str,
    run: Run,
) -> Check {
    Check {
        id,
        covers: &[],
        clause,
        level: Level::Observe,
        says,
        needs,
        finds: "nothing; it tells what the target does",
        advice: "",
        core: false,
        run,
    }
}

pub(super) const CHECKS: &[Check] = &[
    observing(
        "A6",
        "§5",
        "How a refusal looks is left open: its status, its body, its challenge, and how the scheme is spelled.",
        "a list that answers with the token",
        refusals::observed,
    ),
    observing(
        "S10",
        "§2",
        "How moments and links are written, what stands in included, and what counts count is left open.",
        "a record in a list",
        records::observed,
    ),
    observing(
        "F6",
        "§2.1, §2.2",
        "A username is the part of the email before the @, unless it was set otherwise.",
        "a record that shows its email and the short name made of it",
        handles::observed,
    ),
    observing(
        "E12",
        "§4.4.2",
        "Case, commas, empty and repeated values, unknown filters and the bare filter are left open.",
        "a value of text",
        values::exact,
    ),
    observing(
        "X8",
        "§4.4.2",
        "Case in a partial filter and the names of three of them are left open.",
        "a value of text",
        values::partial,
    ),
    observing(
        "B7",
        "§4.1",
        "How a boolean is written besides true and false is left open.",
        "a list with a filter by a boolean",
        words::flags,
    ),
    observing(
        "ST4",
        "§4.1",
        "What a state that does not exist finds is left open.",
        "a list with a filter by state",
        words::states,
    ),
    observing(
        "D12",
        "§4.4.3",
        "Further forms of dates, bounds, nulls, and moments that no record shows are left open.",
        "a record with a timestamp",
        moments::observed,
    ),
    observing(
        "T8",
        "§4.4.4",
        "An empty word for soft-deleted records, and its case, are left open.",
        "a soft-deleted record",
        words::trashed,
    ),
    observing(
        "O9",
        "§4.4.5",
        "The usual order, the fields to sort by, the place of nulls and the collation are left open.",
        "a list with several records",
        order::observed,
    ),
    observing(
        "I16",
        "§4.4.6",
        "How an empty relation, a number of related records and the deleted among them are shown is left open.",
        "a list that can include relations",
        relations::observed,
    ),
    observing(
        "G7",
        "§4.4.8",
        "The envelope, the size of a page, what may stand in page, and what is told of paging are left open.",
        "a list that answers with records",
        pages::observed,
    ),
    observing(
        "W12",
        "§4.3",
        "What both options or none come to, the state a write leads to, and the status of success are left open.",
        "--allow-writes, and a record to write to",
        writes::observed,
    ),
    observing(
        "H2",
        "§7",
        "What comes of a request that the specification does not know is left open.",
        "a list that answers with records",
        garbage::observed,
    ),
];

/// The points that cannot be told from outside, each with the reason.
pub const UNOBSERVABLE: &[(&str, &str)] = &[
    (
        "R3",
        "Which vendors there are is for the data to say: a value that is not seen may still be possible.",
    ),
    (
        "R4",
        "Which types and operators there are is for the data to say.",
    ),
    (
        "R5",
        "Which states and types of rulesets there are is for the data to say.",
    ),
    ("R6", "Which states related records have is for the data to say."),
    (
        "O1",
        "Transitions happen by operations that the specification does not name, or by time.",
    ),
    (
        "O8",
        "What the flag gives back depends on what the record held before, which no answer has to show.",
    ),
    (
        "O11",
        "Repeating writes on purpose is what a run promises not to do.",
    ),
    (
        "A1",
        "The token is given to the run; how it came to be is not asked.",
    ),
    ("A6", "To find a limit would mean to hammer at it."),
    (
        "A7",
        "The specification has no address at which events could be looked for.",
    ),
    ("A8", "The run is given one address, which contains the version."),
    ("A10", "An import happens before there is anything to read."),
    (
        "P1",
        "Conditions are shown in part only, so that nobody can say from outside when a rule applies.",
    ),
    (
        "P2",
        "What stands in org follows from the data; any object will do.",
    ),
    (
        "P3",
        "Who becomes a policy user follows from rules that are shown in part only.",
    ),
    ("P4", "Resources outside are not listed anywhere."),
    (
        "P5",
        "What an attribute's end takes along is seen only when its time has come.",
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
