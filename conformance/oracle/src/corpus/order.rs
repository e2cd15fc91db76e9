//! The order of values, as far as it is the same under every collation.
//!
//! Invariant: what a collation could turn either way is no contradiction (L5, L19): case, accents, signs, numbers in texts,
//! nulls first or last, the order of words that stand for states.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use rollcall_contract::{Contract, Pointer};
use serde_json::Value;

use crate::corpus::collation::{text_order, texts_differ};
use crate::corpus::members::shown_at;
use crate::corpus::records::Record;
use crate::open_points::timestamp;

/// A field that a list can be sorted by, and the member it looks at.
#[derive(Clone, Debug)]
pub struct SortField {
    /// Its name in `sort`.
    pub name: String,
    at: Pointer,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Timestamp,
    Word,
    Plain,
}

/// A value to be ordered. Its own order is one of many: it serves to group the same values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// None; first or last.
    Null,
    /// `false` before `true`.
    Flag(bool),
    /// A number.
    Number(Number),
    /// A timestamp, earlier before later.
    Timestamp(Timestamp),
    /// One of a few words, whose order is open.
    Word(String),
    /// A text in some collation.
    Text(String),
}

/// A number, and no infinite one.
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

/// A value as a sentence names it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.0.fmt(f),
            Self::Timestamp(timestamp) => timestamp.fmt(f),
            Self::Word(text) | Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// So many digits a fraction of a second has that nothing is cut off (§2).
const MICROSECONDS: usize = 6;

impl SortField {
    /// A sort field of a list of `record`.
    pub fn of(contract: &Contract, record: &str, name: &str, at: &Pointer) -> Self {
        let schema = contract.member_schema(record, at);
        let schema = schema.map(|schema| contract.document().underlying(schema));
        let says = |keyword: &str| schema.and_then(|schema| schema.get(keyword));
        let kind = match (says("enum"), says("format").and_then(Value::as_str)) {
            (Some(_), _) => Kind::Word,
            (None, Some("date-time")) => Kind::Timestamp,
            (None, _) => Kind::Plain,
        };
        Self {
            name: name.to_owned(),
            at: at.clone(),
            kind,
        }
    }

    /// What a record shows of it; none if it shows nothing that could be ordered.
    pub fn key(&self, record: &Value) -> Option<Key> {
        Some(match (shown_at(&self.at, record)?, self.kind) {
            (Value::Null, _) => Key::Null,
            (Value::Bool(flag), _) => Key::Flag(*flag),
            // Zero is the same with a sign.
            (Value::Number(number), _) => Key::Number(Number(number.as_f64()? + 0.0)),
            // A date without a time of day could stand anywhere within its day.
            (Value::String(text), Kind::Timestamp) if !text.contains(':') => return None,
            (Value::String(text), Kind::Timestamp) => Key::Timestamp(timestamp::read(text)?),
            (Value::String(text), Kind::Word) => Key::Word(text.clone()),
            (Value::String(text), Kind::Plain) => Key::Text(text.clone()),
            (Value::Array(_) | Value::Object(_), _) => return None,
        })
    }

    /// Whether records that show the same are the same here. Timestamps without microseconds may be cut: what differs within a second,
    /// say, is not shown.
    pub fn shows_ties<'r>(&self, mut records: impl Iterator<Item = &'r Record>) -> bool {
        let has_microseconds = |record: &Record| {
            let text = shown_at(&self.at, record).and_then(Value::as_str);
            let fraction = text.and_then(|text| text.split_once(['.', ',']));
            fraction
                .is_some_and(|(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count() >= MICROSECONDS)
        };
        self.kind != Kind::Timestamp || records.any(has_microseconds)
    }

    /// Whether its values have one order and no other.
    pub fn is_strict(&self) -> bool {
        self.kind == Kind::Timestamp
    }
}

impl Key {
    /// Which of two values comes first in ascending order; none if that is open.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            _ if self == other => Some(Ordering::Equal),
            (Self::Flag(one), Self::Flag(other)) => Some(one.cmp(other)),
            (Self::Number(one), Self::Number(other)) => Some(one.cmp(other)),
            (Self::Timestamp(one), Self::Timestamp(other)) => Some(one.cmp(other)),
            (Self::Text(one), Self::Text(other)) => text_order(one, other),
            _ => None,
        }
    }

    /// The same, where it is open between any two texts.
    pub fn strict_order(&self, other: &Self) -> Option<Ordering> {
        if self.is_text() { None } else { self.order(other) }
    }

    /// A text that differs from that of another value only if both differ under every collation.
    pub fn distinct(&self) -> String {
        match self {
            Self::Text(text) | Self::Word(text) if text.is_ascii() => text
                .to_ascii_lowercase()
                .replace(|letter: char| !letter.is_ascii_alphanumeric(), ""),
            Self::Text(_) | Self::Word(_) => String::new(),
            key => key.to_string(),
        }
    }

    /// Whether two values are different under every collation.
    pub fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Word(one), Self::Word(other)) => one != other,
            (Self::Text(one), Self::Text(other)) => texts_differ(one, other),
            _ => self.order(other).is_some_and(Ordering::is_ne),
        }
    }

    /// Whether it is a text whose first letter is of some kind.
    pub fn begins_with(&self, is_meant: fn(char) -> bool) -> bool {
        matches!(self, Self::Text(text) if text.starts_with(is_meant))
    }

    fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }
}

/// Two places of a sequence, the first before the second, whose values cannot stand in that order.
pub fn contradiction(keys: &[Key], descending: bool) -> Option<(usize, usize)> {
    nulls_within(keys)
        .or_else(|| torn_apart(keys))
        .or_else(|| wrong_way(keys, descending))
}

/// Nulls that stand neither first nor last.
fn nulls_within(keys: &[Key]) -> Option<(usize, usize)> {
    let is_null = |index: &usize| keys[*index] == Key::Null;
    let changes: Vec<usize> = (1..keys.len())
        .filter(|index| is_null(index) != is_null(&(index - 1)))
        .collect();
    (changes.len() > 1).then(|| (changes[0] - 1, changes[0]))
}

/// Equal values with another between them.
fn torn_apart(keys: &[Key]) -> Option<(usize, usize)> {
    keys.iter().enumerate().find_map(|(last, key)| {
        let first = keys[..last].iter().rposition(|other| other == key)?;
        let between = (first + 1..last).find(|index| keys[*index].differs(key))?;
        Some((between, last))
    })
}

/// Values in the other direction. Of texts a quarter of those that can be told apart has to be wrong: no collation that
/// is known differs that much from the others, but each differs in something.
fn wrong_way(keys: &[Key], descending: bool) -> Option<(usize, usize)> {
    let wrong = if descending {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    if !keys.iter().any(Key::is_text) {
        let mut pairs = (1..keys.len()).map(|index| (index - 1, index));
        return pairs.find(|(one, other)| keys[*one].order(&keys[*other]) == Some(wrong));
    }
    let (mut told, mut inverted, mut first) = (0, 0, None);
    for (one, key) in keys.iter().enumerate() {
        for (other, later) in keys.iter().enumerate().skip(one + 1) {
            let order = key.order(later).filter(|order| order.is_ne());
            told += usize::from(order.is_some());
            if order == Some(wrong) {
                inverted += 1;
                first = first.or(Some((one, other)));
            }
        }
    }
    first.filter(|_| inverted * 4 > told)
}

/// Two values that stand in the same order in both sequences, though one of these is the reverse of the other.
pub fn unreversed<'k>(forward: &'k [Key], backward: &[Key]) -> Option<(&'k Key, &'k Key)> {
    let mut places: Vec<(&Key, usize)> = Vec::new();
    let later = backward.iter().enumerate().map(|(index, key)| (key, index));
    let later: BTreeMap<&Key, usize> = later.collect();
    for key in forward.iter().filter(|key| **key != Key::Null) {
        if let Some(place) = later.get(key)
            && !places.iter().any(|(known, _)| *known == key)
        {
            places.push((key, *place));
        }
    }
    places.iter().enumerate().find_map(|(index, (one, place))| {
        let mut rest = places[index + 1..].iter();
        rest.find(|(other, after)| after > place && one.differs(other))
            .map(|(other, _)| (*one, *other))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn texts(texts: &[&str]) -> Vec<Key> {
        texts.iter().map(|text| Key::Text((*text).to_owned())).collect()
    }

    #[test]
    fn orders_of_different_collations_are_no_contradiction() {
        for sequence in [
            ["Back\\slash", "O'Neill", "Smith", "van der Berg", "100%"],
            ["100%", "O'Neill", "Smith", "van der Berg", "Zoë"],
            ["abel", "Abel", "Ábel", "Baker", "baker"],
            ["B-9", "B-10", "B-100", "C-1", "c-2"],
        ] {
            assert_eq!(contradiction(&texts(&sequence), false), None, "{sequence:?}");
        }
        let reversed = texts(&["Smith", "Miller", "Grant", "Abel"]);
        assert!(contradiction(&reversed, false).is_some());
        assert_eq!(contradiction(&reversed, true), None);
    }

    #[test]
    fn values_differ_where_no_collation_takes_them_for_the_same() {
        let differ = |one: &str, other: &str| Key::Text(one.into()).differs(&Key::Text(other.into()));
        for (one, other) in [
            ("de la Cruz", "Young"),
            ("abel", "Abt"),
            ("B-10", "c-2"),
            ("B-12", "B-13"),
        ] {
            assert!(differ(one, other) && differ(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("abel", "Abel"),
            ("Abel", "Ábel"),
            ("Weber", "Veber"),
            ("7", "007"),
            ("Smith", "Smith-Jones"),
            ("van Berg", "vanBerg"),
        ] {
            assert!(!differ(one, other) && !differ(other, one), "{one} {other}");
        }
    }

    #[test]
    fn nulls_stand_together_at_either_end() {
        let flags = |flags: &[Option<bool>]| -> Vec<Key> {
            let keys = flags.iter().map(|flag| flag.map_or(Key::Null, Key::Flag));
            keys.collect()
        };
        for fine in [[None, Some(false), Some(true)], [Some(false), Some(true), None]] {
            assert_eq!(contradiction(&flags(&fine), false), None);
        }
        assert!(contradiction(&flags(&[Some(false), None, Some(true)]), false).is_some());
        assert!(contradiction(&flags(&[None, Some(false), None]), false).is_some());
    }

    #[test]
    fn words_may_stand_in_any_order_but_together() {
        let words =
            |words: &[&str]| -> Vec<Key> { words.iter().map(|word| Key::Word((*word).to_owned())).collect() };
        assert_eq!(
            contradiction(&words(&["staged", "active", "active"]), false),
            None
        );
        assert!(contradiction(&words(&["active", "staged", "active"]), false).is_some());
        assert!(unreversed(&words(&["staged", "active"]), &words(&["staged", "active"])).is_some());
        assert!(unreversed(&words(&["staged", "active"]), &words(&["active", "staged"])).is_none());
    }

    #[test]
    fn timestamps_without_microseconds_may_differ_where_they_show_the_same() {
        let contract = crate::our_contract().unwrap();
        let at = "/timestamp/created_at".parse().unwrap();
        let field = SortField::of(&contract, "DirectoryUser", "created_at", &at);
        let shows_ties = |shown: &[&str]| {
            let records = shown.iter().map(|at| json!({"timestamp": {"created_at": at}}));
            let records: Vec<Record> = records
                .map(|one| Record::new(one, &contract.identifier))
                .collect();
            field.shows_ties(records.iter())
        };
        for cut in [
            "2026-03-01T09:30:00Z",
            "2026-03-01T09:30:00.123Z",
            "2026-03-01T09:30:00+00:00",
        ] {
            assert!(!shows_ties(&[cut, cut]), "{cut}");
        }
        // A server that leaves zeros out at the end.
        assert!(shows_ties(&[
            "2026-03-01T09:30:00Z",
            "2026-03-01T09:30:00.123456Z"
        ]));
        let by_name = SortField::of(&contract, "DirectoryUser", "email", &"/email".parse().unwrap());
        assert!(by_name.shows_ties([].iter()));
    }

    proptest! {
        #[test]
        fn bytes_and_folded_letters_never_contradict(mut values in prop::collection::vec("[a-cA-C0-9 '-]{0,4}", 0..12)) {
            let keys = |values: &[String]| -> Vec<Key> { values.iter().cloned().map(Key::Text).collect() };
            values.sort();
            let bytes = keys(&values);
            prop_assert_eq!(contradiction(&bytes, false), None);
            values.sort_by_key(|value| value.to_lowercase());
            let folded = keys(&values);
            prop_assert_eq!(contradiction(&folded, false), None);
            values.reverse();
            prop_assert_eq!(contradiction(&keys(&values), true), None);
            prop_assert_eq!(unreversed(&folded, &keys(&values)), None);
        }
    }
}
