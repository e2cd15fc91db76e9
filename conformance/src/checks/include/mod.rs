//! §2.1, §4.4.6: included relations. What a relation holds, and its shape, are in [`related`], its counts in
//! [`forms`]. What several relations do together, and beside other parameters, is in [`super::combinations`].

mod allowed;
mod forms;
mod related;
pub(crate) mod relations;

use rollcall_oracle::judge::Aspect;

use super::{BASE, Check, Level};
use crate::checks::scope::{INCLUDES, RELATED_EXISTENCE, RELATED_NUMBERS};
use crate::engine::region::{Amount, Area, Region};

const RELATED: &str = "a relation that is offered, and a record that has it";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "I17",
        topics: &[INCLUDES],
        clause: "§4.1",
        demands: &["users-include"],
        says: "Every relation that the specification allows is accepted: as records, as a count and as an existence.",
        needs: "a list that answers with records and whose relations are specified",
        finds: "relations that are refused; counts and existences that are ignored",
        advice: "Accept each relation by its name, and with -count and -exists behind it.",
        run: allowed::taken,
        ..BASE
    },
    Check {
        id: "I15",
        topics: &[INCLUDES],
        clause: "§2.1",
        demands: &["user-included"],
        says: "A relation has the shape of its table: one object or an array of objects, with the members of its \
               summary.",
        needs: RELATED,
        finds: "one record where several are possible; an array around one record; a summary without its members",
        advice: "Decide from the contract whether a relation has one record or many, and not from how many were found.",
        region: Region {
            failed_by: &[Area::ALL
                .filters(Amount::NONE)
                .sort(Amount::NONE)
                .page(Amount::NONE)
                .wrong(&[Aspect::Shape])],
            ..Region::NONE
        },
        run: related::well_formed,
        ..BASE
    },
    Check {
        id: "I3",
        topics: &[INCLUDES],
        clause: "§2.1",
        demands: &["user-included"],
        says: "The related record is the record that this record refers to.",
        needs: "a record that refers to another",
        finds: "the record itself, or another user, in place of the manager",
        advice: "Look at both ends of the join: the foreign key of this record and the identifier of the other one.",
        run: related::is_referred_to,
        ..BASE
    },
    Check {
        id: "I1",
        topics: &[INCLUDES],
        clause: "§4.4.6",
        demands: &["include-forms"],
        level: Level::Guarded,
        says: "A requested relation is shown where the record refers to a record that is not soft-deleted.",
        needs: "a record that refers to another",
        finds: "a relation that is ignored, or loaded for some records only",
        advice: "Load the relation for all records of the page by one query, and put each to its record by the key.",
        run: related::is_populated,
        ..BASE
    },
    Check {
        id: "I5",
        topics: &[INCLUDES],
        covers: &["I12"],
        clause: "§2.1",
        demands: &["user-included"],
        says: "Each of several related records refers back to the record.",
        needs: "a record that others refer to",
        finds: "related records of another record, or over more than one step",
        advice: "Look at both ends of the join. A report is a person whose manager is this record, over one step.",
        run: related::refer_back,
        ..BASE
    },
    Check {
        id: "I6",
        topics: &[INCLUDES],
        clause: "§4.4.6",
        demands: &["include-forms"],
        level: Level::Guarded,
        says: "All records that refer to the record are shown.",
        needs: "a record that several others refer to",
        finds: "a relation that is cut off",
        advice: "Look for a limit in the query of the relation: it must hold for each record and not for the page.",
        run: related::are_all,
        ..BASE
    },
    Check {
        id: "I4",
        topics: &[INCLUDES],
        clause: "§2.1",
        demands: &["summaries"],
        level: Level::Guarded,
        says: "A summary has the values of the full record, beside every record that it is included in.",
        needs: "a related record that is in the same list, or that several records have",
        finds: "outdated summaries; the summary of another record under the right identifier",
        advice: "Render a summary from the row of the related record. Do not store a copy.",
        run: related::equals_record,
        ..BASE
    },
    Check {
        id: "I10",
        topics: &[INCLUDES, RELATED_NUMBERS],
        clause: "§4.4.6",
        demands: &["include-forms"],
        level: Level::Guarded,
        says: "The count of a relation is the number of its records.",
        needs: "a relation whose count is offered and found, and a record that has it",
        finds: "counts off by one; counts of other records",
        advice: "Take the condition that the relation itself is loaded by, and count each record once.",
        run: forms::counted,
        ..BASE
    },
    Check {
        id: "I11",
        topics: &[INCLUDES, RELATED_NUMBERS, RELATED_EXISTENCE],
        clause: "§4.4.6",
        demands: &["include-forms"],
        level: Level::Guarded,
        says: "A relation exists exactly if its count is not 0.",
        needs: "a relation whose count and existence are offered and found",
        finds: "existence that is always true, or reversed",
        advice: "Derive existence from the count, or use EXISTS with the condition of the relation.",
        run: forms::existing,
        ..BASE
    },
];
