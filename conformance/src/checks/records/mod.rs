//! §2: what a record looks like. The rules of shape are in [`shape`], those over several answers in
//! [`sightings`].

pub(super) mod shape;
mod sightings;

use super::lists;
use super::{Check, Level};
use crate::members::Kind;

const A_RECORD: &str = "a record";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "S1",
        covers: &[],
        clause: "§2",
        level: Level::Must,
        says: "A record has every member that its table requires, each of the type given there.",
        needs: A_RECORD,
        finds: "missing members; null or another type where neither may stand",
        core: true,
        run: |context, tally| shape::check(context, tally, Kind::Member),
    },
    Check {
        id: "S2",
        covers: &[],
        clause: "§2, §3",
        level: Level::Must,
        says: "States, providers and types are among the values listed.",
        needs: A_RECORD,
        finds: "a state the specification does not know",
        core: true,
        run: |context, tally| shape::check(context, tally, Kind::Enumerated),
    },
    Check {
        id: "S3",
        covers: &[],
        clause: "§2",
        level: Level::Must,
        says: "An identifier is the prefix of its resource followed by lowercase letters and digits.",
        needs: A_RECORD,
        finds: "a prefix of another resource; capitals; numbers as identifiers",
        core: true,
        run: |context, tally| shape::check(context, tally, Kind::Identifier),
    },
    Check {
        id: "S4",
        covers: &[],
        clause: "§2",
        level: Level::Must,
        says: "Timestamps are ISO 8601 date-times in UTC; those of workspace users show microseconds.",
        needs: A_RECORD,
        finds: "local times; times without zone; dates; missing timestamps",
        core: true,
        run: |context, tally| shape::check(context, tally, Kind::Timestamp),
    },
    Check {
        id: "S5",
        covers: &[],
        clause: "§2",
        level: Level::Must,
        says: "Every count of the table is there, as an integer that is not negative.",
        needs: A_RECORD,
        finds: "missing, negative or quoted counts",
        core: true,
        run: |context, tally| shape::check(context, tally, Kind::Count),
    },
    Check {
        id: "S6",
        covers: &[],
        clause: "§2",
        level: Level::Must,
        says: "Every link of the table is there, as a string.",
        needs: A_RECORD,
        finds: "missing links; null for a link",
        core: true,
        run: |context, tally| shape::check(context, tally, Kind::Link),
    },
    Check {
        id: "S7",
        covers: &[],
        clause: "§2.1",
        level: Level::Must,
        says: "Free-form members are objects, also when nothing stands in them.",
        needs: A_RECORD,
        finds: "an empty array for an empty object",
        core: true,
        run: |context, tally| shape::check(context, tally, Kind::FreeForm),
    },
    Check {
        id: "S8",
        covers: &[],
        clause: "§2",
        level: Level::Must,
        says: "An identifier stands in a list once.",
        needs: "two records in a list",
        finds: "joins that multiply rows; identifiers given twice",
        core: true,
        run: sightings::unique,
    },
    Check {
        id: "S9",
        covers: &[],
        clause: "§2",
        level: Level::Guarded,
        says: "A record is the same in every answer it stands in.",
        needs: "a record that stands in two answers",
        finds: "a filter, an include or a single record that shows other or older values",
        core: true,
        run: sightings::same,
    },
    Check {
        id: "S11",
        covers: &[],
        clause: "§1",
        level: Level::Must,
        says: "Answers are JSON and say so.",
        needs: "a list that answers",
        finds: "JSON under the media type of a page or of plain text",
        core: false,
        run: lists::media_type,
    },
];
