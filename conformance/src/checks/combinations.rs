//! §4.4.5, §4.4.6: several sort fields; filters, order, relations and pages in one request. The queries and the judgement of their answers are in
//! [`crate::explore`].

use rollcall_oracle::judge::Aspect;
use rollcall_oracle::open_points::related_number::RelationForm;

use super::{Check, Level, PLANNED_COMBINATIONS};
use crate::checks::scope::{FILTERS, INCLUDES, ORDER, PAGING};
use crate::engine::region::{ALIEN, Amount, Area, DISORDER, MEMBERSHIP, RELATION, Region, Sign};

const TIES: &str = "two fields that sort, and records that are the same in one and differ in the other";

/// Queries with a relation.
const INCLUDED: Area = Area::ALL.include(Amount::SOME);
/// Queries with an order.
const SORTED: Area = Area::ALL.sort(Amount::SOME);
/// What relations show, those that were not requested too.
const RELATIONS: &[Aspect] = &[
    Aspect::Uninvited,
    Aspect::Shape,
    Aspect::Relation(RelationForm::Records),
    Aspect::Relation(RelationForm::Count),
    Aspect::Relation(RelationForm::Exists),
];

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "I2",
        topics: &[INCLUDES],
        clause: "§2",
        demands: &["included-on-request"],
        says: "A relation that was not requested is not included.",
        needs: "a record",
        finds: "relations that are always loaded, or loaded along with others",
        advice: "Load the requested relations and no others. Look for eager loading in the model.",
        region: Region {
            exercised_by: &[Area::ALL.showing(&[Sign::Relations])],
            failed_by: &[Area::ALL
                .filters(Amount::NONE)
                .sort(Amount::NONE)
                .page(Amount::NONE)
                .wrong(&[Aspect::Uninvited])],
            ..Region::NONE
        },
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "I7",
        topics: &[INCLUDES, FILTERS],
        clause: "§4.4.6",
        demands: &["include-forms", "combined"],
        says: "Including a relation changes neither the records of the list nor its filters.",
        needs: "a relation that is offered, and a filter with a value that some records have",
        finds: "records that are missing because they lack the relation; a filter that is dropped",
        advice: "Use an outer join, or load related records by a second query for the records of the page.",
        region: Region {
            exercised_by: &[Area::ALL.include(Amount::SOME)],
            failed_by: &[Area::ALL
                .wrong(MEMBERSHIP)
                .filters(Amount::AT_MOST_ONE)
                .sort(Amount::NONE)
                .include(Amount::SOME)
                .page(Amount::NONE)],
            ..Region::NONE
        },
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "I8",
        topics: &[INCLUDES],
        covers: &["I9"],
        clause: "§4.4.6",
        demands: &["include-forms"],
        says: "Two relations together show the same as each relation alone, in any order of the request.",
        needs: "two relations that are offered, and a record that has one",
        finds: "only the first or the last relation loaded; relations that are found in one order only",
        advice: "Split `include` at its commas and load each relation. A loop that returns early loads the first.",
        region: Region {
            exercised_by: &[Area::ALL.include(Amount::SEVERAL)],
            failed_by: &[Area::ALL
                .filters(Amount::NONE)
                .sort(Amount::NONE)
                .page(Amount::NONE)
                .wrong(RELATION)],
            ..Region::NONE
        },
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "I13",
        topics: &[INCLUDES],
        covers: &["I14"],
        clause: "§4.1",
        demands: &["exact-users"],
        level: Level::Guarded,
        says: "Records found by a related record's identifier show that record when it is included.",
        needs: "a filter by a member that only a relation shows, and a record that has it",
        finds: "a relation that is missing under its own filter",
        advice: "Apply the filter to the list and not to the relation that is loaded.",
        region: Region {
            exercised_by: &[Area::ALL.showing(&[Sign::FilteredRelation])],
            failed_by: &[Area::ALL
                .wrong(RELATION)
                .filters(Amount::ONE)
                .sort(Amount::NONE)
                .page(Amount::NONE)
                .showing(&[Sign::FilteredRelation])],
            ..Region::NONE
        },
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "O4",
        topics: &[ORDER],
        covers: &["O5", "O6"],
        clause: "§4.4.5",
        demands: &["sort"],
        level: Level::Guarded,
        says: "Several fields sort together: each orders the records that are equal in those before it, in its own direction.",
        needs: TIES,
        finds: "a second field that is ignored; fields applied from right to left; the direction of one field applied to all",
        advice: "Hand all fields to one ORDER BY, each with its direction. Sorting twice needs a stable sort in reverse order of \
                 the fields.",
        region: Region {
            exercised_by: &[Area::ALL.sort(Amount::SEVERAL).showing(&[Sign::Ties])],
            failed_by: &[
                Area::ALL
                    .filters(Amount::NONE)
                    .sort(Amount::SEVERAL)
                    .include(Amount::NONE)
                    .page(Amount::NONE)
                    .wrong(DISORDER),
                Area::ALL
                    .filters(Amount::NONE)
                    .sort(Amount::SEVERAL)
                    .include(Amount::NONE)
                    .page(Amount::NONE)
                    .wrong(MEMBERSHIP),
            ],
            ..Region::NONE
        },
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "O7",
        topics: &[FILTERS, ORDER],
        clause: "§4.4.6",
        demands: &["combined"],
        says: "A filter applies under an order, and an order applies under a filter.",
        needs: "a field that sorts, and a filter with a value that some records have",
        finds: "a filter that is dropped under an order; an order that is dropped under a filter",
        advice: "Add filter and order to one query, in the same function.",
        region: Region {
            exercised_by: &[Area::ALL.filters(Amount::ONE).sort(Amount::SOME)],
            failed_by: &[
                Area::ALL
                    .filters(Amount::ONE)
                    .sort(Amount::SOME)
                    .include(Amount::NONE)
                    .page(Amount::NONE)
                    .wrong(MEMBERSHIP),
                Area::ALL
                    .filters(Amount::ONE)
                    .sort(Amount::ONE)
                    .include(Amount::NONE)
                    .page(Amount::NONE)
                    .wrong(DISORDER),
                Area::ALL
                    .filters(Amount::ONE)
                    .sort(Amount::SOME)
                    .include(Amount::NONE)
                    .page(Amount::NONE)
                    .wrong(MEMBERSHIP)
                    .showing(&[Sign::Pages, Sign::IgnoresFilters]),
            ],
            ..Region::NONE
        },
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "G5",
        topics: &[FILTERS, PAGING],
        clause: "§4.4.6, §4.4.8",
        demands: &["combined", "page"],
        level: Level::Guarded,
        says: "The pages of a filtered list contain the records that the filter finds.",
        needs: "a filter that finds more records than fit on a page",
        finds: "a filter that is dropped on the second page",
        advice: "Add filter and page to one query. Links to pages carry the filter, too.",
        region: Region {
            exercised_by: &[Area::ALL.filters(Amount::SOME).page(Amount::SOME)],
            failed_by: &[
                Area::ALL
                    .filters(Amount::ONE)
                    .include(Amount::NONE)
                    .page(Amount::ONE)
                    .wrong(MEMBERSHIP),
                Area::ALL
                    .filters(Amount::ONE)
                    .sort(Amount::SOME)
                    .include(Amount::NONE)
                    .page(Amount::NONE)
                    .wrong(MEMBERSHIP)
                    .showing(&[Sign::Pages]),
                Area::ALL
                    .filters(Amount::SOME)
                    .wrong(DISORDER)
                    .showing(&[Sign::Pages]),
                Area::ALL
                    .filters(Amount::SOME)
                    .wrong(ALIEN)
                    .showing(&[Sign::Pages, Sign::ForgetsFilters]),
            ],
            ..Region::NONE
        },
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K1",
        topics: &[FILTERS],
        covers: &["K3"],
        clause: "§4.4.6",
        demands: &["combined"],
        says: "Two filters together find the records that both find, and no record if they contradict each other.",
        needs: "records that two filters can find",
        finds: "filters joined by OR; a filter that replaces another; filters that are dropped where they find nothing",
        advice: "Join conditions by AND, and answer an empty list where nothing is left. A map from a column to one condition keeps \
                 the last one only.",
        region: Region {
            exercised_by: &[Area::ALL.filters(Amount::SEVERAL)],
            failed_by: &[Area::FILTERS.filters(Amount::TWO).wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K2",
        topics: &[FILTERS],
        clause: "§4.4.6",
        demands: &["combined"],
        says: "A further filter never adds a record.",
        needs: "records that three filters can find",
        finds: "a third filter that is dropped, or that replaces the others",
        advice: "Collect the conditions in a list, and join all of them by AND.",
        region: Region {
            exercised_by: &[Area::ALL.filters(Amount::MANY)],
            failed_by: &[Area::FILTERS.filters(Amount::MANY).wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K4",
        topics: &[FILTERS],
        clause: "§4.4.6",
        demands: &["combined"],
        says: "Two filters find the same records under an order, with a relation and on every page.",
        needs: "records that two filters can find; sort fields and relations that are offered",
        finds: "filters that are dropped beside sort, include or page",
        advice: "Build one query from all parameters. Look for a branch that is taken where sort, include or page is \
                 given.",
        region: Region {
            exercised_by: &[Area::ALL.filters(Amount::SOME).beside_filters(Amount::SOME)],
            failed_by: &[
                Area::ALL
                    .filters(Amount::NONE)
                    .beside_filters(Amount::SEVERAL)
                    .wrong(MEMBERSHIP),
                Area::ALL
                    .filters(Amount::ONE)
                    .include(Amount::SOME)
                    .beside_filters(Amount::SEVERAL)
                    .wrong(MEMBERSHIP),
                Area::ALL
                    .filters(Amount::TWO)
                    .beside_filters(Amount::SOME)
                    .wrong(MEMBERSHIP),
            ],
            ..Region::NONE
        },
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K5",
        topics: &[INCLUDES, FILTERS, ORDER, PAGING],
        clause: "§4.4.6",
        demands: &["combined"],
        level: Level::Guarded,
        says: "Filters, an order, relations and pages together give the answer that the records require.",
        needs: "records that several filters can find; sort fields and relations that are offered",
        finds: "faults that need many parameters at once",
        advice: "Build one query from all parameters. Look for a branch that is taken where two of them are given.",
        region: Region {
            exercised_by: &[Area::ALL.filters(Amount::SEVERAL).beside_filters(Amount::SEVERAL)],
            failed_by: &[Area::ALL
                .filters(Amount::MANY)
                .beside_filters(Amount::SOME)
                .wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K6",
        topics: &[INCLUDES, FILTERS],
        clause: "§4.4.6",
        demands: &["combined"],
        says: "A relation shows the same beside filters, an order and a page as alone.",
        needs: "a relation that is offered, and records that a filter can find",
        finds: "relations that are empty, cut off or counted otherwise beside another parameter",
        advice: "Load relations for the records of the page, after filter, order and page. Their queries take none of \
                 the parameters.",
        region: Region {
            exercised_by: &[
                INCLUDED.filters(Amount::SOME),
                INCLUDED.sort(Amount::SOME),
                INCLUDED.page(Amount::SOME),
            ],
            failed_by: &[
                Area::ALL.filters(Amount::SOME).wrong(RELATIONS),
                Area::ALL.sort(Amount::SOME).wrong(RELATIONS),
                Area::ALL.page(Amount::SOME).wrong(RELATIONS),
            ],
            ..Region::NONE
        },
        core: true,
        ..PLANNED_COMBINATIONS
    },
    Check {
        id: "K7",
        topics: &[FILTERS, ORDER],
        clause: "§4.4.6",
        demands: &["combined"],
        says: "An order applies beside filters, relations and pages, too.",
        needs: "a field that sorts, and records that a filter can find",
        finds: "an order that is dropped or reversed beside another parameter",
        advice: "Build one query from all parameters. Look for a branch that drops or adds an order.",
        region: Region {
            exercised_by: &[
                SORTED.filters(Amount::SOME),
                SORTED.include(Amount::SOME),
                SORTED.page(Amount::SOME),
            ],
            failed_by: &[
                SORTED.include(Amount::SOME).wrong(DISORDER),
                SORTED.page(Amount::SOME).wrong(DISORDER),
                SORTED.filters(Amount::SEVERAL).wrong(DISORDER),
                Area::ALL
                    .filters(Amount::SOME)
                    .sort(Amount::SEVERAL)
                    .wrong(DISORDER),
            ],
            ..Region::NONE
        },
        core: true,
        ..PLANNED_COMBINATIONS
    },
];
