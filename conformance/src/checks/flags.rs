//! §4.1: the filters that are true or false. A flag of one member parts the list in two; a flag of several conditions
//! says something of the records it finds.

use super::{Check, Level, PLANNED_VALUES};
use crate::checks::scope::{COMBINED_FLAGS, FLAGS};
use crate::engine::region::{ALIEN, Area, FilterKind, LOST, MEMBERSHIP, Owes, Region, Sign};

const FLAGGED: &str = "a record whose flag is true";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "B1",
        topics: &[FLAGS],
        clause: "§4.1",
        demands: &["manager-flag"],
        says: "The filter for managers finds every manager and no other user.",
        needs: FLAGGED,
        finds: "a flag that is ignored, reversed, or counts soft-deleted reports",
        advice: "Read the flag as a boolean and compare it with the same member that the record shows.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Flag], &[]).showing(&[Sign::Is("true"), Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Flag], &[])
                .wrong(MEMBERSHIP)
                .showing(&[Sign::Is("true")])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "B2",
        topics: &[FLAGS],
        covers: &["B3"],
        clause: "§4.1",
        demands: &["manager-flag"],
        says: "The filter for individual contributors finds no manager, and no user whom the filter for managers \
               finds.",
        needs: "a record whose flag is false, and a record whose flag is true",
        finds: "`false` read as if the filter were missing",
        advice: "`false` is a value: ask whether the parameter is present and not whether it is true.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Flag], &[]).showing(&[Sign::Is("false"), Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Flag], &[]).wrong(ALIEN)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "B4",
        topics: &[FLAGS],
        clause: "§4.1",
        demands: &["manager-flag"],
        says: "A user who is no manager is an individual contributor: both filters together find the whole list.",
        needs: "a record, and a stable order where there are several pages",
        finds: "records without a value, which neither filter finds",
        advice: "Take a missing flag for false: in SQL, `NULL = false` is not true.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Flag], &[]).showing(&[Sign::Is("false"), Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Flag], &[]).wrong(LOST)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "B5",
        topics: &[FLAGS, COMBINED_FLAGS],
        clause: "§4.1",
        demands: &["pending-deactivation"],
        says: "A user who waits for deactivation is still active.",
        needs: "an active record that the vendor has deprovisioned",
        finds: "a filter that ignores the state, or is ignored",
        advice: "Join both conditions: the state is active, and the vendor has deprovisioned the record.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Conditions], &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Conditions], &[])
                .wrong(MEMBERSHIP)
                .showing(&[Sign::OtherThanDemanded])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "B6",
        topics: &[FLAGS, COMBINED_FLAGS],
        clause: "§4.1",
        demands: &["pending-deactivation"],
        level: Level::Guarded,
        says: "A user who waits for deactivation was deprovisioned.",
        needs: "an active record that the vendor has deprovisioned",
        finds: "a filter that looks at the state alone",
        advice: "Join both conditions: the state is active, and the vendor has deprovisioned the record.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Conditions], &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Conditions], &[]).wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
];
