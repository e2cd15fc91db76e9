//! §4.1, §4.4.2: partial filters.

use rollcall_oracle::corpus::search;
use rollcall_oracle::plan::ValueRelation;

use super::{Check, CheckFuture, Level, PLANNED_VALUES};
use crate::checks::scope::{FREE_FORM, PARTIAL_FILTERS};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::engine::region::{
    ALIEN, Area, FilterKind, LOST, MEMBERSHIP, Owes, REFUSED, Region, Sign, Simpler,
};
use crate::explore::planned;

const A_VALUE: &str = "a record that shows a value of four letters";

/// Filters that look for a part of a text.
const PART: &[FilterKind] = &[FilterKind::Part];
/// Parts of values, whole ones among them, however they are made.
const WHOLE_OR_PART: &[ValueRelation] = &[
    ValueRelation::MemberValue,
    ValueRelation::Whole,
    ValueRelation::Part,
    ValueRelation::Foreign,
    ValueRelation::MemberName,
    ValueRelation::Disguised,
];
/// Parts of values that are no whole ones.
const PARTS: &[ValueRelation] = &[
    ValueRelation::MemberValue,
    ValueRelation::Part,
    ValueRelation::Foreign,
    ValueRelation::MemberName,
    ValueRelation::Disguised,
];

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "X9",
        topics: &[PARTIAL_FILTERS, FREE_FORM],
        clause: "§4.1",
        demands: &["free-form-search"],
        level: Level::Guarded,
        says: "The searches of free-form members look at values and not at the names of members.",
        needs: "the searches named in the configuration, and a member name that no value contains",
        finds: "a search over the JSON text",
        advice: "Look through the values of the object. A search over its JSON text finds names and punctuation, too.",
        region: Region {
            exercised_by: &[Area::by(PART, &[ValueRelation::MemberName])],
            failed_by: &[Area::by(PART, &[]).wrong(ALIEN).showing(&[Sign::MemberNames])],
            ..Region::NONE
        },
        run: names,
        ..PLANNED_VALUES
    },
    Check {
        id: "X7",
        topics: &[PARTIAL_FILTERS],
        clause: "§4.1",
        demands: &["partial-users"],
        says: "A domain after its @ finds all addresses of the domain, and no character is decoded twice.",
        needs: "a record that shows an email address",
        finds: "an @ that is cut off or read as an operator; + read as a blank",
        advice: "Decode the query once. `%40` is an @, `%2B` is a plus sign, and a bare `+` may mean a blank.",
        region: Region {
            exercised_by: &[Area::by(PART, &[ValueRelation::Address])],
            failed_by: &[
                Area::by(PART, &[ValueRelation::Address]).wrong(MEMBERSHIP),
                Area::by(PART, &[]).wrong(MEMBERSHIP).showing(&[Sign::LeadingAt]),
                Area::by(PART, &[ValueRelation::Address])
                    .wrong(REFUSED)
                    .showing(&[Sign::Odd]),
                Area::by(
                    PART,
                    &[
                        ValueRelation::MemberValue,
                        ValueRelation::Whole,
                        ValueRelation::Part,
                        ValueRelation::Foreign,
                    ],
                )
                .wrong(ALIEN)
                .showing(&[Sign::Plus]),
            ],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "X1",
        topics: &[PARTIAL_FILTERS],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "A partial filter finds every record whose value begins with, ends with or contains the requested text.",
        needs: A_VALUE,
        finds: "a search for beginnings or whole words only; a search in another member; missing records",
        advice: "Look for the value anywhere in the member, unchanged. A full-text index finds words and not parts \
                 of words.",
        region: Region {
            exercised_by: &[Area::by(
                PART,
                &[ValueRelation::MemberValue, ValueRelation::Whole],
            )],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(PART, PARTS).wrong(LOST).showing(&[Sign::Plain])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "X2",
        topics: &[PARTIAL_FILTERS],
        covers: &["N3"],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "Every record that a partial filter returns contains the requested text.",
        needs: A_VALUE,
        finds: "a filter that is ignored, searches further members, or finds similar values",
        advice: "Look in the one member that the filter names. Similarity and stemming find too much.",
        region: Region {
            exercised_by: &[Area::by(
                PART,
                &[
                    ValueRelation::MemberValue,
                    ValueRelation::Whole,
                    ValueRelation::Foreign,
                ],
            )],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(PART, WHOLE_OR_PART).wrong(ALIEN)],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "X3",
        topics: &[PARTIAL_FILTERS],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "A record is found by its whole value, too.",
        needs: A_VALUE,
        finds: "a value that is not found as a part of itself",
        advice: "A value contains itself: look for a pattern that wants something before or after the needle.",
        region: Region {
            exercised_by: &[Area::by(PART, &[ValueRelation::Whole])],
            owes: Owes::EveryFilter,
            failed_by: &[Area::by(PART, &[ValueRelation::Whole])
                .wrong(LOST)
                .showing(&[Sign::Plain])],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "X4",
        topics: &[PARTIAL_FILTERS],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "Several words are one text: a longer text finds fewer records, and the words in another order find \
               none.",
        needs: "a value of two words",
        finds: "a text that is split into words, any or all of which have to match",
        advice: "Look for the text as a whole, blanks included. Do not split it into words.",
        region: Region {
            exercised_by: &[Area::by(PART, &[ValueRelation::Words])],
            failed_by: &[
                Area::by(PART, &[ValueRelation::Words]).wrong(MEMBERSHIP),
                Area::by(PART, WHOLE_OR_PART)
                    .wrong(ALIEN)
                    .showing(&[Sign::OneOfTheWords]),
            ],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "X5",
        topics: &[PARTIAL_FILTERS],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "A text that no value contains finds no record.",
        needs: "a record that is in the list without the filter",
        finds: "a search that finds everything where it should find nothing; a missing value that is searched as the word null",
        advice: "Finding nothing is a right answer. Look for a fallback that drops the condition, and for a missing value that is \
                 written as a word before it is searched.",
        region: Region {
            exercised_by: &[Area::by(PART, &[ValueRelation::Senseless])],
            owes: Owes::EveryFilter,
            failed_by: &[
                Area::by(PART, &[ValueRelation::Senseless, ValueRelation::Nothing]).wrong(MEMBERSHIP),
            ],
            ..Region::NONE
        },
        ..PLANNED_VALUES
    },
    Check {
        id: "X6",
        topics: &[PARTIAL_FILTERS],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "The characters % _ ' and \\ stand for themselves in a part of a value, too.",
        needs: A_VALUE,
        finds: "wildcards; texts that become part of a query; characters that cannot be found",
        advice: "Escape % and _ and the escape character itself before LIKE, or use a function that finds a part of a \
                 text.",
        region: Region {
            exercised_by: &[
                Area::by(PART, &[ValueRelation::Disguised]),
                Area::by(PART, &[ValueRelation::MemberValue]).showing(&[Sign::Odd]),
            ],
            owes: Owes::EveryFilter,
            failed_by: &[
                Area::by(PART, &[]).wrong(REFUSED).showing(&[Sign::Odd]),
                Area::by(PART, WHOLE_OR_PART).wrong(LOST).showing(&[Sign::Odd]),
                Area::by(PART, &[ValueRelation::Disguised])
                    .wrong(ALIEN)
                    .showing(&[Sign::Trimmed]),
                Area::by(PART, &[ValueRelation::Disguised])
                    .wrong(ALIEN)
                    .showing(&[Sign::Trimmed, Sign::OneOfTheWords]),
                Area::by(PART, &[]).wrong(ALIEN).showing(&[Sign::Odds]),
            ],
            unless: Some(Simpler::PlainValue),
        },
        ..PLANNED_VALUES
    },
];

/// Which searches are named is a matter of the configuration: what it does not name is a gap.
fn names<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for key in search::keys(&engine.contract) {
            if !engine.config.searches.contains_key(key) {
                result.gap(format!("--search {key}=NAME to test the search by {key}"));
            }
        }
        planned(engine, result).await
    })
}
