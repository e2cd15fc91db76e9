//! Chooses records that are as different as can be: code that renders one record is often wrong for records of one kind alone,
//! such as those without a manager, or those whose username is not the first half of their email.

use std::collections::BTreeSet;

use rollcall_contract::Pointer;
use serde_json::Value;

use crate::corpus::predicate::folded;

/// What a record shows at a place, as far as code treats it in its own way.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Feature<'r> {
    Nothing,
    Null,
    Empty,
    Flag(bool),
    Number {
        is_zero: bool,
    },
    Text {
        is_ascii: bool,
    },
    /// A word from a closed list.
    Word(&'r str),
    /// An array or an object that is not empty.
    Several,
    /// The text of another place is a part of it, or is not.
    Part {
        place: usize,
        is_part: bool,
    },
}

/// So many records at most, each with the most that no record before it shows.
pub fn varied<'r>(
    places: &[&Pointer],
    is_word: impl Fn(&Pointer) -> bool,
    records: &[(&'r str, &Value)],
    most: usize,
) -> Vec<&'r str> {
    let is_word: Vec<bool> = places.iter().map(|place| is_word(place)).collect();
    let mut left: Vec<_> = records
        .iter()
        .map(|(id, record)| (*id, features(places, &is_word, record)))
        .collect();
    let mut chosen = Vec::new();
    let mut seen = BTreeSet::new();
    while chosen.len() < most {
        for (_, shows) in &mut left {
            shows.retain(|shows| !seen.contains(shows));
        }
        // One of those that show most.
        let best = left
            .iter()
            .enumerate()
            .rev()
            .max_by_key(|(_, (_, shows))| shows.len());
        let Some((at, _)) = best.filter(|(_, (_, shows))| !shows.is_empty()) else {
            break;
        };
        let (id, shows) = left.swap_remove(at);
        chosen.push(id);
        seen.extend(shows);
    }
    chosen
}

/// All that a record shows, by the number of the place.
fn features<'r>(places: &[&Pointer], is_word: &[bool], record: &'r Value) -> BTreeSet<(usize, Feature<'r>)> {
    let values: Vec<Option<&Value>> = places.iter().map(|place| place.find(record)).collect();
    let texts = values.iter().enumerate().filter(|(at, _)| !is_word[*at]);
    let texts = texts.filter_map(|(at, value)| Some((at, folded(value.as_ref()?.as_str()?))));
    let texts: Vec<(usize, String)> = texts.collect();
    let parts = texts.iter().flat_map(|(at, text)| {
        let others = texts.iter().filter(move |(place, _)| place != at);
        others.map(move |(place, other)| {
            let is_part = text.contains(other.as_str());
            (
                *at,
                Feature::Part {
                    place: *place,
                    is_part,
                },
            )
        })
    });
    let alone = values
        .iter()
        .enumerate()
        .map(|(at, value)| (at, alone(*value, is_word[at])));
    alone.chain(parts).collect()
}

fn alone(value: Option<&Value>, is_word: bool) -> Feature<'_> {
    match value {
        None => Feature::Nothing,
        Some(Value::Null) => Feature::Null,
        Some(Value::Bool(flag)) => Feature::Flag(*flag),
        Some(Value::Number(number)) => Feature::Number {
            is_zero: number.as_f64() == Some(0.0),
        },
        Some(Value::String(text)) if text.is_empty() => Feature::Empty,
        Some(Value::String(text)) if is_word => Feature::Word(text),
        Some(Value::String(text)) => Feature::Text {
            is_ascii: text.is_ascii(),
        },
        Some(Value::Array(values)) if values.is_empty() => Feature::Empty,
        Some(Value::Object(members)) if members.is_empty() => Feature::Empty,
        Some(Value::Array(_) | Value::Object(_)) => Feature::Several,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chosen(records: &[Value], most: usize) -> Vec<String> {
        let places =
            ["/id", "/email", "/username", "/state", "/manager", "/tags"].map(|place| place.parse().unwrap());
        let places: Vec<&Pointer> = places.iter().collect();
        let records: Vec<(&str, &Value)> = records
            .iter()
            .map(|record| (record["id"].as_str().unwrap(), record))
            .collect();
        let is_word = |place: &Pointer| place.last() == Some("state");
        let chosen = varied(&places, is_word, &records, most);
        chosen.into_iter().map(str::to_owned).collect()
    }

    fn person(id: &str, username: &str, state: &str, manager: Option<&str>) -> Value {
        json!({"id": id, "email": "ann@example.org", "username": username, "state": state, "manager": manager, "tags": []})
    }

    #[test]
    fn records_that_show_what_no_other_shows_are_chosen() {
        let usual = |id| person(id, "ann", "active", None);
        let records = [
            usual("usual"),
            usual("usual_too"),
            person("renamed", "bob", "active", None),
            usual("usual_three"),
            person("managed", "ann", "active", Some("ann")),
            person("expired", "ann", "expired", None),
        ];
        let all = chosen(&records, 9);
        assert_eq!(all.len(), 3, "{all:?}");
        for id in ["renamed", "managed", "expired"] {
            assert!(all.iter().any(|one| one == id), "{all:?}");
        }
        assert_eq!(chosen(&records, 2).len(), 2);
        assert!(chosen(&[], 3).is_empty());
    }
}
