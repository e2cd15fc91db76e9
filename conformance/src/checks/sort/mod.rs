//! §4.4.5: sorting by one field. What several fields do, and an order beside a filter, is in [`super::combinations`].

pub(super) mod directions;

use super::{BASE, Check, Level};
use crate::checks::scope::ORDER;
use crate::engine::region::{Amount, Area, DISORDER, MEMBERSHIP, Region, Sign};

const A_FIELD: &str = "a field that sorts, and two records that differ in it";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "O8",
        topics: &[ORDER],
        clause: "§4.4.5",
        demands: &["sort"],
        level: Level::Guarded,
        says: "A list that accepts `sort` can be sorted by at least one field.",
        needs: "a field that is taken, and two records that differ in it",
        finds: "a parameter that is accepted and ignored",
        advice: "Map each name of a sort field to a column, and read the parameter `sort` in the query of the list.",
        run: directions::sorts,
        ..BASE
    },
    Check {
        id: "O1",
        topics: &[ORDER],
        clause: "§4.4.5",
        demands: &["sort"],
        says: "Sorting keeps every record in the list.",
        needs: A_FIELD,
        finds: "records without a value that are missing; an order that fails",
        advice: "Sort by an outer join, and give records without a value a place at one end.",
        region: Region {
            failed_by: &[Area::ALL
                .filters(Amount::NONE)
                .sort(Amount::ONE)
                .include(Amount::NONE)
                .page(Amount::NONE)
                .wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        run: directions::keeps_all,
        ..BASE
    },
    Check {
        id: "O2",
        topics: &[ORDER],
        clause: "§4.4.5",
        demands: &["sort"],
        level: Level::Guarded,
        says: "A field without a prefix sorts in ascending order.",
        needs: A_FIELD,
        finds: "an order by another member, or in the other direction; equal values that are apart",
        advice: "Map the field to its own column, and sort texts by one collation throughout.",
        region: Region {
            failed_by: &[Area::ALL
                .filters(Amount::NONE)
                .sort(Amount::ONE)
                .include(Amount::NONE)
                .page(Amount::NONE)
                .wrong(DISORDER)],
            ..Region::NONE
        },
        run: directions::ascends,
        ..BASE
    },
    Check {
        id: "O3",
        topics: &[ORDER],
        clause: "§4.4.5",
        demands: &["sort"],
        level: Level::Guarded,
        says: "A leading - reverses the order of a field.",
        needs: A_FIELD,
        finds: "a minus that is ignored or refused",
        advice: "Take the leading - off the name before the field is looked up, and sort descending.",
        region: Region {
            failed_by: &[Area::ALL
                .filters(Amount::NONE)
                .sort(Amount::ONE)
                .include(Amount::NONE)
                .page(Amount::NONE)
                .wrong(DISORDER)
                .showing(&[Sign::Descending])],
            ..Region::NONE
        },
        run: directions::reverses,
        ..BASE
    },
];
