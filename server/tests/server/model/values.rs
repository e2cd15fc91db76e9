//! Random values: names nobody would think of, timestamps that meet each other, nulls.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// When the tests begin: noon of the first of March 2026.
pub(super) const NOW: i64 = 1_772_366_400_000_000;
/// Microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;
const SECOND: i64 = 1_000_000;

/// Timestamps that meet the present and each other, so that ties and bounds are common.
const OFFSETS: [i64; 12] = [
    -800 * DAY,
    -DAY,
    -DAY + 1,
    -SECOND,
    -1,
    0,
    1,
    SECOND,
    DAY,
    2 * DAY,
    30 * DAY,
    800 * DAY,
];

/// What names are made of.
const PIECES: [&str; 40] = [
    "a",
    "A",
    "b",
    "Ab",
    "ann",
    "Ann",
    "ä",
    "Ä",
    "é",
    "É",
    "e\u{301}",
    "%",
    "_",
    "\\",
    "'",
    "\"",
    ",",
    " ",
    "-",
    ".",
    "*",
    "ß",
    "ẞ",
    "ss",
    "İ",
    "i",
    "ı",
    "I",
    "Σ",
    "σ",
    "ς",
    "😀",
    "漢字",
    "ﬁ",
    "ǅ",
    "{",
    ":",
    "OR",
    "O'Neill",
    "\u{1f600}\u{200d}",
];

pub(super) fn some<V: Into<Value> + std::fmt::Debug + 'static>(
    strategy: impl Strategy<Value = V> + 'static,
) -> BoxedStrategy<Value> {
    strategy.prop_map(Into::into).boxed()
}

pub(super) fn or_null(strategy: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![Just(Value::Null), strategy].boxed()
}

pub(super) fn rarely(strategy: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![5 => Just(Value::Null), 1 => strategy].boxed()
}

pub(super) fn one_of(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    some(select(words))
}

/// A text out of the nasty pieces.
pub(super) fn name() -> BoxedStrategy<String> {
    prop::collection::vec(select(&PIECES[..]), 1..4)
        .prop_map(|pieces| pieces.concat())
        .boxed()
}

pub(super) fn email() -> BoxedStrategy<Value> {
    some(
        (
            name(),
            select(&["@example.net", "@Example.org", "@ex_mple.net"][..]),
        )
            .prop_map(|(name, host)| name + host),
    )
}

/// A timestamp before, at or after the present.
pub(super) fn some_timestamp() -> BoxedStrategy<Value> {
    some(select(&OFFSETS[..]).prop_map(|offset| NOW + offset))
}

pub(super) fn past() -> BoxedStrategy<Value> {
    some(select(&OFFSETS[..6]).prop_map(|offset| NOW + offset))
}

/// A pointer to a row of another table, made an id by [`link`].
pub(super) fn pointer() -> BoxedStrategy<Value> {
    some(any::<u8>())
}

pub(super) fn metadata() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        4 => some(name()),
        1 => some(-20_i64..2000),
        1 => some(any::<bool>()),
        1 => Just(Value::Null),
        1 => some("[0-9]{1,3}\\.[0-9]"),
    ];
    let value = leaf.prop_recursive(2, 4, 2, |inner| {
        let object = prop::collection::btree_map(select(&["ann", "b"][..]), inner.clone(), 0..2);
        let object = object.prop_map(|map| {
            map.into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
        });
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
            object.prop_map(Value::Object)
        ]
    });
    let keys = select(&["ann", "desk", "Ä", "a b"][..]);
    some(prop::collection::btree_map(keys, value, 0..3).prop_map(|map| json!(map)))
}
