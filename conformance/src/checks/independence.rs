//! §4: an answer follows from its own request, whatever was sent before it and whatever headers it carries besides. The plan
//! sends every second query with such headers and some after other requests ([`crate::explore`]).

use crate::engine::region::{Area, Region};

use super::{Check, Level, PLANNED_COMBINATIONS};

pub(super) const CHECKS: &[Check] = &[Check {
    id: "H3",
    clause: "§4.4",
    demands: &["exact-and-partial", "combined"],
    level: Level::Guarded,
    says: "An answer depends on its request alone: not on earlier requests, and not on headers that are not specified or on the letters of percent-encoding.",
    needs: "a list that answers with a record",
    finds: "answers from the cache of another request; state that a refused request leaves behind; headers that \
            change the data",
    advice: "Make the whole request a part of every cache key: path, all parameters and token. Reset what a worker \
             keeps between requests, also after a refusal.",
    region: Region {
        exercised_by: &[Area::DISTURBED],
        failed_by: &[Area::DISTURBED],
        ..Region::NONE
    },
    ..PLANNED_COMBINATIONS
}];
