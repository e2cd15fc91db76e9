//! §4.1, §4.4.3: windows over timestamps. Of a timestamp that records show, the plan asks; of another one answers are held
//! against each other in [`windows`], with the bounds of [`bounds`].
//!
//! Timestamps within two days of a bound are not judged, save where the time of the day itself is looked at.

mod bounds;
pub(super) mod time_of_day;
mod windows;

use rollcall_oracle::judge::Aspect;
use rollcall_oracle::plan::YEAR_ONE;

use self::windows::of_hidden;
use super::{BASE, Check, Level, PLANNED_VALUES};
use crate::checks::scope::WINDOWS;
use crate::engine::region::{ALIEN, Area, FilterKind, MEMBERSHIP, Owes, REFUSED, Region, Sign, Simpler};

const DATED: &str = "a record on either side of a bound that is two days away";

/// Filters by a bound of a timestamp.
const BOUNDS: &[FilterKind] = &[FilterKind::Before, FilterKind::After];

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "D8",
        topics: &[WINDOWS],
        clause: "§4.1",
        demands: &["date-forms"],
        says: "A date, a date with time and ISO 8601 with Z are accepted as bounds.",
        needs: "a list that answers with records",
        finds: "a form that is refused",
        advice: "Read all three forms in one function, and let every timestamp filter use it. In a URL `+` means a \
                 blank.",
        region: Region {
            exercised_by: &[Area::by(BOUNDS, &[])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(BOUNDS, &[]).wrong(REFUSED)],
            ..Region::NONE
        },
        run: |engine, result| of_hidden(engine, result, windows::accepted),
        ..PLANNED_VALUES
    },
    Check {
        id: "D1",
        topics: &[WINDOWS],
        clause: "§4.4.3",
        demands: &["date-windows"],
        says: "Every record that `before` finds has the timestamp, and none after the bound.",
        needs: DATED,
        finds: "a bound that is ignored or reversed; a filter on another timestamp; records without the timestamp",
        advice: "Compare with `<` for before and `>` for after, as timestamps and not as text. Look whether each \
                 filter has its own column.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Before], &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Before], &[]).wrong(ALIEN)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "D2",
        topics: &[WINDOWS],
        clause: "§4.4.3",
        demands: &["date-windows"],
        says: "No record that `after` finds has a timestamp before the bound.",
        needs: DATED,
        finds: "a bound that is ignored or reversed; a filter on another timestamp; some of the records without it",
        advice: "Compare with `<` for before and `>` for after, as timestamps and not as text. Look whether each \
                 filter has its own column.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::After], &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::After], &[]).wrong(ALIEN)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "D3",
        topics: &[WINDOWS],
        clause: "§4.4.3",
        demands: &["date-windows"],
        says: "Every record with a timestamp well before or well after a bound is found.",
        needs: DATED,
        finds: "rows that are dropped; a bound on one end only",
        advice: "Look for a bound that is rounded to a year, a range with a hard-coded end, and an inner join that \
                 drops rows.",
        region: Region {
            exercised_by: &[Area::by(BOUNDS, &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(BOUNDS, &[]).wrong(&[Aspect::Missing, Aspect::Page])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "D4",
        topics: &[WINDOWS],
        clause: "§4.4.3",
        demands: &["date-windows"],
        says: "A later bound of `before` finds every record that an earlier bound finds, even where no record shows \
               the timestamp.",
        needs: "a record before some bound",
        finds: "a filter on a hidden timestamp that is reversed",
        advice: "Look whether before and after are exchanged for this timestamp.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Before], &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            ..Region::NONE
        },
        run: |engine, result| of_hidden(engine, result, windows::growing_before),
        ..PLANNED_VALUES
    },
    Check {
        id: "D5",
        topics: &[WINDOWS],
        clause: "§4.4.3",
        demands: &["date-windows"],
        says: "An earlier bound of `after` finds every record that a later bound finds, even where no record shows \
               the timestamp.",
        needs: "a record after some bound",
        finds: "a filter on a hidden timestamp that is reversed",
        advice: "Look whether before and after are exchanged for this timestamp.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::After], &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            ..Region::NONE
        },
        run: |engine, result| of_hidden(engine, result, windows::growing_after),
        ..PLANNED_VALUES
    },
    Check {
        id: "D6",
        topics: &[WINDOWS],
        clause: "§4.4.3",
        demands: &["date-windows"],
        says: "No record is both before an early bound and after a late bound.",
        needs: "a record before some bound and one after another",
        finds: "a filter on a hidden timestamp that is ignored",
        advice: "Look whether the filter has a column at all: a timestamp that no record shows can be filtered by, \
                 too.",
        region: Region {
            exercised_by: &[Area::by(BOUNDS, &[]).showing(&[Sign::Divides])],
            owes: Owes::EveryFilter,
            ..Region::NONE
        },
        run: |engine, result| of_hidden(engine, result, windows::apart),
        ..PLANNED_VALUES
    },
    Check {
        id: "D7",
        topics: &[WINDOWS],
        clause: "§4.4.3, §4.4.6",
        demands: &["date-windows", "combined"],
        says: "Two bounds together find the records that both find.",
        needs: "a record between two bounds, and others beyond them",
        finds: "a bound that is dropped; bounds joined by OR",
        advice: "Join both bounds by AND. A map from column to bound keeps the second one only.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::After], &[]).showing(&[Sign::Window])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::FILTERS.wrong(MEMBERSHIP).showing(&[Sign::Window])],
            ..Region::NONE
        },
        run: |engine, result| of_hidden(engine, result, windows::between),
        ..PLANNED_VALUES
    },
    Check {
        id: "D9",
        topics: &[WINDOWS],
        clause: "§4.1",
        demands: &["date-forms"],
        level: Level::Guarded,
        says: "The three forms of one timestamp find the same records.",
        needs: DATED,
        finds: "a form that is accepted and misread",
        advice: "Read a date as its midnight in UTC, and a date-time without a zone as UTC. Compare timestamps, not \
                 texts.",
        region: Region {
            exercised_by: &[Area::by(BOUNDS, &[]).showing(&[Sign::Divides, Sign::OtherForm])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(BOUNDS, &[])
                .wrong(&[Aspect::Alien, Aspect::Missing, Aspect::Page])
                .showing(&[Sign::OtherForm])],
            unless: Some(Simpler::IsoForm),
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "D10",
        topics: &[WINDOWS],
        clause: "§4.4.3",
        demands: &["date-windows"],
        says: "No record is before the year 1.",
        needs: "a record that is in the list without the filter",
        finds: "a bound that is ignored because it is out of a range",
        advice: "Do not ignore a bound that the database cannot hold: it lies before or after everything.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Before], &[]).showing(&[Sign::Is(YEAR_ONE)])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Before], &[])
                .wrong(ALIEN)
                .showing(&[Sign::Is(YEAR_ONE)])],
            ..Region::NONE
        },
        run: |engine, result| of_hidden(engine, result, windows::before_all),
        ..PLANNED_VALUES
    },
    Check {
        id: "D11",
        topics: &[WINDOWS],
        clause: "§4.1, §4.4.3",
        demands: &["date-forms", "date-windows"],
        level: Level::Guarded,
        says: "A bound with a time of day is read in one way, as a timestamp or as its whole day in UTC, alone and in a window.",
        needs: "a record in the middle hours of its day, and a filter by identifier",
        finds: "bounds, or one form of them, that are read in another time zone; times of day that count for one bound and not \
                for two",
        advice: "Read a bound as UTC, and use one reading for a single bound and for both.",
        core: true,
        run: time_of_day::read_alike,
        ..BASE
    },
];
