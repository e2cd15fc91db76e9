//! §4.1, §4.4.2: partial filters.

use super::exploration::planned_values;
use super::{BASE, Check, CheckFuture, Level, PLANNED_VALUES};
use crate::corpus::search;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

const A_VALUE: &str = "a record that shows a value of four letters";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "X1",
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "A partial filter finds every record whose value begins with, ends with or contains the requested text.",
        needs: A_VALUE,
        finds: "a search for beginnings or whole words only; a search in another member; missing records",
        advice: "Look for the value anywhere in the member, unchanged. A full-text index finds words and not parts \
                 of words.",
        ..PLANNED_VALUES
    },
    Check {
        id: "X2",
        covers: &["N3"],
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "Every record that a partial filter returns contains the requested text.",
        needs: A_VALUE,
        finds: "a filter that is ignored, searches further members, or finds similar values",
        advice: "Look in the one member that the filter names. Similarity and stemming find too much.",
        ..PLANNED_VALUES
    },
    Check {
        id: "X3",
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "A record is found by its whole value, too.",
        needs: A_VALUE,
        finds: "a value that is not found as a part of itself",
        advice: "A value contains itself: look for a pattern that wants something before or after the needle.",
        ..PLANNED_VALUES
    },
    Check {
        id: "X4",
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "Several words are one text: a longer text finds fewer records, and the words in another order find \
               none.",
        needs: "a value of two words",
        finds: "a text that is split into words, any or all of which have to match",
        advice: "Look for the text as a whole, blanks included. Do not split it into words.",
        ..PLANNED_VALUES
    },
    Check {
        id: "X5",
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "A text that no value contains finds no record.",
        needs: "a record that is in the list without the filter",
        finds: "a search that finds everything where it should find nothing",
        advice: "Finding nothing is a right answer. Look for a fallback that drops the condition.",
        ..PLANNED_VALUES
    },
    Check {
        id: "X6",
        clause: "§4.4.2",
        demands: &["exact-and-partial"],
        says: "The characters % _ ' and \\ stand for themselves in a part of a value, too.",
        needs: A_VALUE,
        finds: "wildcards; texts that become part of a query; characters that cannot be found",
        advice: "Escape % and _ and the escape character itself before LIKE, or use a function that finds a part of a \
                 text.",
        ..PLANNED_VALUES
    },
    Check {
        id: "X7",
        clause: "§4.1",
        demands: &["partial-users"],
        says: "A domain after its @ finds all addresses of the domain, and no character is decoded twice.",
        needs: "a record that shows an email address",
        finds: "an @ that is cut off or read as an operator; + read as a blank",
        advice: "Decode the query once. `%40` is an @, `%2B` is a plus sign, and a bare `+` may mean a blank.",
        ..PLANNED_VALUES
    },
    Check {
        id: "X9",
        clause: "§4.1",
        demands: &["free-form-search"],
        level: Level::Guarded,
        says: "The searches of free-form members look at values and not at the names of members.",
        needs: "the searches named in the configuration, and a member name that no value contains",
        finds: "a search over the JSON text",
        advice: "Look through the values of the object. A search over its JSON text finds names and punctuation, too.",
        core: true,
        run: names,
        ..BASE
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
        planned_values(engine, result).await
    })
}
