//! §4.4.5, §4.4.6: several sort fields; filters, order, relations and pages in one request. The queries and the judgement of their answers are in
//! [`super::exploration`].

use super::{Check, Level, PLANNED_COMBINATIONS};

const TIES: &str = "two fields that sort, and records that are the same in one and differ in the other";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "I2",
        clause: "§2",
        demands: &["included-on-request"],
        says: "A relation that was not requested is not included.",
        needs: "a record",
        finds: "relations that are always loaded, or loaded along with others",
        advice: "Load the requested relations and no others. Look for eager loading in the model.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "I7",
        clause: "§4.4.6",
        demands: &["include-forms", "combined"],
        says: "Including a relation changes neither the records of the list nor its filters.",
        needs: "a relation that is offered, and a filter with a value that some records have",
        finds: "records that are missing because they lack the relation; a filter that is dropped",
        advice: "Use an outer join, or load related records by a second query for the records of the page.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "I8",
        clause: "§4.4.6",
        demands: &["include-forms"],
        says: "Two relations together show the same as each relation alone.",
        needs: "two relations that are offered, and a record that has one",
        finds: "only the first or the last relation loaded",
        advice: "Split `include` at its commas and load each relation. A loop that returns early loads the first.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "I9",
        clause: "§4.4.6",
        demands: &["include-forms"],
        says: "The order in which relations are requested is irrelevant.",
        needs: "two relations that are offered, and a record that has one",
        finds: "relations that are found in one order only",
        advice: "Load each relation by itself. The order of names means nothing.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "I13",
        covers: &["I14"],
        clause: "§4.1",
        demands: &["exact-users"],
        level: Level::Guarded,
        says: "Records found by a related record's identifier show that record when it is included.",
        needs: "a filter by a member that only a relation shows, and a record that has it",
        finds: "a relation that is missing under its own filter",
        advice: "Apply the filter to the list and not to the relation that is loaded.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "O4",
        clause: "§4.4.5",
        demands: &["sort"],
        level: Level::Guarded,
        says: "The second field orders the records that are equal in the first.",
        needs: TIES,
        finds: "a second field that is ignored",
        advice: "Hand all fields to one ORDER BY. Sorting twice needs a stable sort in reverse order of the fields.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "O5",
        clause: "§4.4.5",
        demands: &["sort"],
        level: Level::Guarded,
        says: "Fields are applied in order of precedence, the first before the second.",
        needs: TIES,
        finds: "fields applied from right to left; a server that keeps the last field only",
        advice: "The first field is the first in ORDER BY. A loop that sorts by one field after another must begin \
                 with the last.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "O6",
        clause: "§4.4.5",
        demands: &["sort"],
        level: Level::Guarded,
        says: "Every field has its own direction.",
        needs: TIES,
        finds: "the direction of the first or the last field applied to all",
        advice: "Keep a direction for each field, and write it behind each column in ORDER BY.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "O7",
        clause: "§4.4.6",
        demands: &["combined"],
        says: "A filter applies under an order, and an order applies under a filter.",
        needs: "a field that sorts, and a filter with a value that some records have",
        finds: "a filter that is dropped under an order; an order that is dropped under a filter",
        advice: "Add filter and order to one query, in the same function.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "G5",
        clause: "§4.4.6, §4.4.8",
        demands: &["combined", "page"],
        level: Level::Guarded,
        says: "The pages of a filtered list contain the records that the filter finds.",
        needs: "a filter that finds more records than fit on a page",
        finds: "a filter that is dropped on the second page",
        advice: "Add filter and page to one query. Links to pages carry the filter, too.",
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K1",
        clause: "§4.4.6",
        demands: &["combined"],
        says: "Two filters together find the records that both find.",
        needs: "records that two filters can find",
        finds: "filters joined by OR; a filter that replaces another",
        advice: "Join conditions by AND. A map from a column to one condition keeps the last one only.",
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K2",
        clause: "§4.4.6",
        demands: &["combined"],
        says: "A further filter never adds a record.",
        needs: "records that three filters can find",
        finds: "a third filter that is dropped, or that replaces the others",
        advice: "Collect the conditions in a list, and join all of them by AND.",
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K3",
        clause: "§4.4.6",
        demands: &["combined"],
        says: "Filters that contradict each other find no record.",
        needs: "two records that differ in what two filters look at",
        finds: "filters that are dropped where they find nothing",
        advice: "Join conditions by AND, and answer an empty list where nothing is left.",
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K4",
        clause: "§4.4.6",
        demands: &["combined"],
        says: "Two filters find the same records under an order, with a relation and on every page.",
        needs: "records that two filters can find; sort fields and relations that are offered",
        finds: "filters that are dropped beside sort, include or page",
        advice: "Build one query from all parameters. Look for a branch that is taken where sort, include or page is \
                 given.",
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K5",
        clause: "§4.4.6",
        demands: &["combined"],
        level: Level::Guarded,
        says: "Filters, an order, relations and pages together give the answer that the records require.",
        needs: "records that several filters can find; sort fields and relations that are offered",
        finds: "faults that need many parameters at once",
        advice: "Build one query from all parameters. Look for a branch that is taken where two of them are given.",
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K6",
        clause: "§4.4.6",
        demands: &["combined"],
        says: "A relation shows the same beside filters, an order and a page as alone.",
        needs: "a relation that is offered, and records that a filter can find",
        finds: "relations that are empty, cut off or counted otherwise beside another parameter",
        advice: "Load relations for the records of the page, after filter, order and page. Their queries take none of \
                 the parameters.",
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K7",
        clause: "§4.4.6",
        demands: &["combined"],
        says: "An order applies beside filters, relations and pages, too.",
        needs: "a field that sorts, and records that a filter can find",
        finds: "an order that is dropped or reversed beside another parameter",
        advice: "Build one query from all parameters. Look for a branch that drops or adds an order.",
        core: true,
        ..PLANNED_COMBINATIONS
    },
];
