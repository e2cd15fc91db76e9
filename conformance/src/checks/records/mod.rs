//! §2: what a record looks like. The rules of shape are in [`shape`], those over several answers in
//! [`consistency`].

mod consistency;
pub(super) mod shape;

use rollcall_oracle::corpus::members::Kind;
use rollcall_oracle::judge::Aspect;

use super::lists;
use super::{BASE, Check, Level};
use crate::checks::scope::{COUNTS, ENUMERATED, FREE_FORM, IDENTIFIERS, LINKS, TIMESTAMPS};
use crate::engine::region::{Area, Region};

const A_RECORD: &str = "a record";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "S1",
        clause: "§2",
        demands: &[
            "common-objects",
            "user-members",
            "workspace-user-members",
            "attribute-members",
        ],
        says: "A record has every member that its table requires, each of the type given there.",
        needs: A_RECORD,
        finds: "missing members; null or another type where neither is allowed",
        advice: "Render the record from a type that has every member of its table. Look for a serializer that leaves \
                 out null.",
        core: true,
        run: |engine, result| shape::check(engine, result, Kind::Member),
        ..BASE
    },
    Check {
        id: "S2",
        topics: &[ENUMERATED],
        clause: "§2, §3",
        demands: &["user-states", "lifecycle-states", "providers", "attribute-types"],
        says: "States, providers and types are among the values listed.",
        needs: A_RECORD,
        finds: "a state that the specification does not have",
        advice: "Map stored states to the names of the specification when a record is rendered.",
        core: true,
        run: |engine, result| shape::check(engine, result, Kind::Enumerated),
        ..BASE
    },
    Check {
        id: "S3",
        topics: &[IDENTIFIERS],
        clause: "§2",
        demands: &["prefixed-ids"],
        says: "An identifier is the prefix of its resource followed by lowercase letters and digits.",
        needs: A_RECORD,
        finds: "a prefix of another resource; capitals; numbers as identifiers",
        advice: "Put the prefix of the resource before a part of lowercase letters and digits.",
        core: true,
        run: |engine, result| shape::check(engine, result, Kind::Identifier),
        ..BASE
    },
    Check {
        id: "S4",
        topics: &[TIMESTAMPS],
        clause: "§2",
        demands: &["utc-timestamps", "user-timestamps", "microseconds"],
        says: "Timestamps are ISO 8601 date-times in UTC; those of workspace users show microseconds.",
        needs: A_RECORD,
        finds: "local times; times without zone; dates; missing timestamps",
        advice: "Render timestamps in UTC and ISO 8601, with Z. Microseconds have six digits, zeros included.",
        core: true,
        run: |engine, result| shape::check(engine, result, Kind::Timestamp),
        ..BASE
    },
    Check {
        id: "S5",
        topics: &[COUNTS],
        clause: "§2",
        demands: &[
            "common-objects",
            "user-counts",
            "workspace-user-members",
            "attribute-members",
        ],
        says: "Every count of the table is present, as an integer that is not negative.",
        needs: A_RECORD,
        finds: "missing, negative or quoted counts",
        advice: "Render counts as integers. A database driver may give them as texts.",
        core: true,
        run: |engine, result| shape::check(engine, result, Kind::Count),
        ..BASE
    },
    Check {
        id: "S6",
        topics: &[LINKS],
        clause: "§2",
        demands: &[
            "common-objects",
            "user-links",
            "workspace-user-members",
            "attribute-members",
        ],
        says: "Every link of the table is present, as a string.",
        needs: A_RECORD,
        finds: "missing links; null for a link",
        advice: "Render each link as a string, also where nothing can be found under it.",
        core: true,
        run: |engine, result| shape::check(engine, result, Kind::Link),
        ..BASE
    },
    Check {
        id: "S7",
        topics: &[FREE_FORM],
        clause: "§2.1",
        demands: &["org-derived", "metadata-free"],
        says: "Free-form members are objects, even if they are empty.",
        needs: A_RECORD,
        finds: "an empty array for an empty object",
        advice: "Render an empty object as {}. Some languages have one type for both and write [].",
        core: true,
        run: |engine, result| shape::check(engine, result, Kind::FreeForm),
        ..BASE
    },
    Check {
        id: "S8",
        clause: "§2",
        demands: &["prefixed-ids"],
        says: "A list contains an identifier once.",
        needs: "two records in a list",
        finds: "joins that multiply rows; identifiers given twice",
        advice: "Look for a join that multiplies rows: load relations by a query of their own, or use DISTINCT.",
        core: true,
        region: Region {
            failed_by: &[Area::ALL.wrong(&[Aspect::Twice])],
            ..Region::NONE
        },
        run: consistency::unique,
        ..BASE
    },
    Check {
        id: "S9",
        clause: "§2",
        demands: &["prefixed-ids", "user-members"],
        level: Level::Guarded,
        says: "A record is the same in every answer that contains it.",
        needs: "a record that is in two answers",
        finds: "a filter, an include or a single record that shows other or older values",
        advice: "Render a record in one place, for every list, filter and relation. Look for a cache that outlives a change.",
        region: Region {
            failed_by: &[Area::ALL.wrong(&[Aspect::Record])],
            ..Region::NONE
        },
        core: true,
        run: consistency::same,
        ..BASE
    },
    Check {
        id: "S11",
        clause: "§1",
        demands: &["json-api"],
        says: "Answers are JSON and have its media type.",
        needs: "a list that answers",
        finds: "JSON under the media type of a page or of plain text",
        advice: "Set the media type application/json, for refusals as well.",
        region: Region {
            failed_by: &[Area::ALL.wrong(&[Aspect::MediaType])],
            ..Region::NONE
        },
        run: lists::media_type,
        ..BASE
    },
];
