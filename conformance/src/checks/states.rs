//! §3, §4.1: exact filters that take one of a few words, such as the states. Each list is asked for every word that its
//! records show; these are few.

use rollcall_oracle::judge::Aspect;
use rollcall_oracle::plan::ValueRelation;

use super::{Check, PLANNED_VALUES};
use crate::checks::scope::WORD_FILTERS;
use crate::engine::region::{ALIEN, Area, FilterKind, LOST, Owes, Region, SHOWN, Sign};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "ST1",
        topics: &[WORD_FILTERS],
        clause: "§4.1",
        demands: &["state-filter"],
        says: "Every record that the filter by state returns is in the requested state.",
        needs: "a record of each state",
        finds: "several states at once; a state as stored and not as shown",
        advice: "Compare the state that the record shows. Where it is derived from times, filter by the same \
                 derivation.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Word], &[ValueRelation::MemberValue])],
            owes: Owes::EveryWord,
            failed_by: &[Area::by(&[FilterKind::Word], SHOWN).wrong(ALIEN)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "ST2",
        topics: &[WORD_FILTERS],
        clause: "§4.1",
        demands: &["state-filter"],
        says: "No record is found under two states.",
        needs: "two states that records are in",
        finds: "a record that shows the requested state in place of its own",
        advice: "Compare the state that the record shows. Do not put the state of the request into the answer.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Word], &[ValueRelation::MemberValue])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::ALL.wrong(&[Aspect::Record]).showing(&[Sign::OtherWord])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "ST3",
        topics: &[WORD_FILTERS],
        clause: "§4.1",
        demands: &["state-filter"],
        says: "All states together find the whole list.",
        needs: "a record, and a stable order where there are several pages",
        finds: "a state that cannot be requested, or that finds only some of its records",
        advice: "Take every state of the specification for the filter, and look for all records that show it.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Word], &[ValueRelation::MemberValue])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Word], SHOWN).wrong(LOST)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
];
