//! §4.1, §4.4.2: exact filters, over every filter of every list that the specification has. Rules about one value are in
//! [`values`], about asking again in [`repeats`].

pub(super) mod repeats;
mod values;

use rollcall_oracle::judge::Aspect;
use rollcall_oracle::plan::ValueRelation;

use super::{BASE, Check, Level, PLANNED_VALUES};
use crate::checks::scope::{EXACT_FILTERS, FILTERS, RELATIONS};
use crate::engine::region::{
    ALIEN, Area, EXACT, FilterKind, LOST, MEMBERSHIP, Owes, REFUSED, Region, SHOWN, Sign, Simpler,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "E7",
        topics: &[EXACT_FILTERS],
        clause: "§4.1",
        demands: &["exact-users"],
        says: "The filter by identifier returns the one record that has it.",
        needs: "a record",
        finds: "identifiers compared in part; a record that cannot be found",
        advice: "Compare the whole identifier by equality, prefix included.",
        region: Region {
            exercised_by: &[Area::by(&[FilterKind::Identifier], &[ValueRelation::MemberValue])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Identifier], SHOWN).wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "E8",
        topics: &[RELATIONS, EXACT_FILTERS],
        clause: "§4.1",
        demands: &["exact-users"],
        says: "The filter by a related record's identifier returns exactly the records that show that relation.",
        needs: "a record that others refer to",
        finds: "a join by the wrong member, or over more than one step",
        advice: "Compare the foreign key of the record itself. A join needs DISTINCT, and must end at the next table.",
        region: Region {
            exercised_by: &[Area::by(
                &[FilterKind::Join],
                &[ValueRelation::MemberValue, ValueRelation::Foreign],
            )],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Join], SHOWN).wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "E1",
        topics: &[EXACT_FILTERS],
        covers: &["E4", "E5"],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "An exact filter returns records with the requested value, and no others.",
        needs: "a record that shows a value",
        finds: "a filter that is ignored, also where no record shows its member; a filter that looks at another member; similar \
                values taken for equal, such as 42 and 0042; `null` taken for no value",
        advice: "Compare the whole value by equality. Look for a filter that is bound to another column, for numbers \
                 that lose leading zeros, and for a collation that takes two values for equal.",
        region: Region {
            exercised_by: &[Area::by(
                &[FilterKind::Text, FilterKind::Other],
                &[ValueRelation::MemberValue, ValueRelation::Foreign],
            )],
            owes: Owes::EveryFilter,
            failed_by: &[
                Area::by(&[FilterKind::Text, FilterKind::Other], SHOWN).wrong(ALIEN),
                Area::by(
                    EXACT,
                    &[
                        ValueRelation::Foreign,
                        ValueRelation::Senseless,
                        ValueRelation::Nothing,
                        ValueRelation::Zero,
                    ],
                )
                .wrong(MEMBERSHIP),
                Area::by(EXACT, &[ValueRelation::MemberValue, ValueRelation::Whole])
                    .wrong(ALIEN)
                    .showing(&[Sign::FindsNothing]),
            ],
            ..Region::NONE
        },
        run: values::shown_or_absent,
        ..PLANNED_VALUES
    },
    Check {
        id: "E2",
        topics: &[EXACT_FILTERS],
        covers: &["E6"],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "An exact filter returns every record that has the value.",
        needs: "a record that shows a value, and a stable order where there are several pages",
        finds: "missing records, also where few values exist; values that cannot be requested; a filter that fails",
        advice: "Look for a second condition, for an inner join that drops rows without a relation, and for a value \
                 that is changed before it is compared (trimmed, decoded twice, cut).",
        region: Region {
            exercised_by: &[Area::by(
                &[FilterKind::Text, FilterKind::Other],
                &[ValueRelation::MemberValue],
            )],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(&[FilterKind::Text, FilterKind::Other], SHOWN).wrong(LOST)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "E3",
        topics: &[EXACT_FILTERS],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "An exact filter does not find a record by a part of its value.",
        needs: "a value of four letters",
        finds: "contains, starts-with or ends-with in place of equals",
        advice: "Use equality and not LIKE, and put no wildcards around the value.",
        region: Region {
            exercised_by: &[Area::by(
                &[
                    FilterKind::Identifier,
                    FilterKind::Join,
                    FilterKind::Word,
                    FilterKind::Text,
                ],
                &[ValueRelation::Part],
            )],
            owes: Owes::EveryFilter,
            failed_by: &[
                Area::by(EXACT, &[ValueRelation::Part]).wrong(MEMBERSHIP),
                Area::by(EXACT, &[ValueRelation::MemberValue, ValueRelation::Whole])
                    .wrong(ALIEN)
                    .showing(&[Sign::LongerValues]),
                Area::by(EXACT, &[ValueRelation::MemberValue, ValueRelation::Whole])
                    .wrong(ALIEN)
                    .showing(&[Sign::LongerValues, Sign::FindsNothing]),
                Area::by(EXACT, &[ValueRelation::Foreign])
                    .wrong(&[Aspect::Alien, Aspect::Missing, Aspect::Page])
                    .showing(&[Sign::PartOfValue]),
            ],
            unless: Some(Simpler::PlainValue),
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "E9",
        topics: &[FILTERS],
        clause: "§4.4.6",
        demands: &["combined"],
        says: "The order of parameters is irrelevant.",
        needs: "a record with values for two filters that others have only one of",
        finds: "a server that keeps the first or the last filter only",
        advice: "Collect the parameters first and apply them in an order of your own.",
        core: true,
        run: repeats::reordered,
        ..BASE
    },
    Check {
        id: "E10",
        topics: &[EXACT_FILTERS],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "The characters % _ ' and \\ stand for themselves.",
        needs: "a value of text",
        finds: "wildcards; values that become part of a query; errors on quotes",
        advice: "Bind the value as a parameter. Equality needs no escapes, so add none.",
        region: Region {
            exercised_by: &[
                Area::by(
                    &[FilterKind::Identifier, FilterKind::Join, FilterKind::Text],
                    &[ValueRelation::Disguised],
                ),
                Area::by(
                    &[FilterKind::Identifier, FilterKind::Join, FilterKind::Text],
                    &[ValueRelation::MemberValue],
                )
                .showing(&[Sign::Odd]),
            ],
            owes: Owes::EveryFilter,
            failed_by: &[
                Area::by(EXACT, &[]).wrong(REFUSED).showing(&[Sign::Odd]),
                Area::by(EXACT, &[ValueRelation::Disguised])
                    .wrong(MEMBERSHIP)
                    .showing(&[Sign::Trimmed]),
            ],
            unless: Some(Simpler::PlainValue),
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "E11",
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        level: Level::Guarded,
        says: "The same request has the same answer while the data does not change.",
        needs: "for a filter a value that some records have",
        finds: "answers that depend on the node, the cache or chance",
        advice: "Give every query an order that ends in a unique column, and let no cache answer for another request.",
        core: true,
        run: repeats::repeated,
        ..BASE
    },
];
