//! Changes to a value after which it may be valid or not.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::CONTRACT;

/// A change at some place of a value.
#[derive(Clone, Debug)]
pub(crate) struct Mutation {
    place: Index,
    change: Change,
    pick: Index,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    /// Another value altogether.
    Replace,
    /// A value from elsewhere in the same record.
    Swap,
    /// A member or an item less.
    Drop,
    /// A member or an item more.
    Add,
    /// What serde's derive would read as well: an object as the array of its members, a word as an object with null.
    Reshape,
    /// A number or text that is almost the same.
    Nudge,
}

pub(crate) fn any() -> impl Strategy<Value = Mutation> {
    let change = prop::sample::select(vec![
        Change::Replace,
        Change::Swap,
        Change::Drop,
        Change::Add,
        Change::Reshape,
        Change::Nudge,
    ]);
    let parts = (
        proptest::arbitrary::any::<Index>(),
        change,
        proptest::arbitrary::any::<Index>(),
    );
    parts.prop_map(|(place, change, pick)| Mutation { place, change, pick })
}

impl Mutation {
    pub(crate) fn apply(&self, value: &mut Value) {
        let mut places = Vec::new();
        collect(value, String::new(), &mut places);
        let other = value
            .pointer(self.pick.get::<String>(&places))
            .cloned()
            .unwrap_or_default();
        let node = value.pointer_mut(self.place.get::<String>(&places)).unwrap();
        match self.change {
            Change::Replace => *node = self.pick.get::<Value>(&POOL).clone(),
            Change::Swap => *node = other,
            Change::Drop => self.shorten(node),
            Change::Add => self.lengthen(node),
            Change::Reshape => reshape(node),
            Change::Nudge => self.nudge(node),
        }
    }

    fn shorten(&self, node: &mut Value) {
        match node {
            Value::Object(members) if !members.is_empty() => {
                let name = members
                    .keys()
                    .nth(self.pick.index(members.len()))
                    .unwrap()
                    .clone();
                members.remove(&name);
            }
            Value::Array(items) if !items.is_empty() => {
                items.remove(self.pick.index(items.len()));
            }
            _ => *node = Value::Null,
        }
    }

    fn lengthen(&self, node: &mut Value) {
        let value = self.pick.get::<Value>(&POOL).clone();
        match node {
            Value::Object(members) => {
                members.insert("surplus".to_owned(), value);
            }
            Value::Array(items) => items.push(value),
            _ => *node = json!([node.take()]),
        }
    }

    fn nudge(&self, node: &mut Value) {
        let pick = |all: Vec<Value>| self.pick.get::<Value>(&all).clone();
        *node = match node.take() {
            Value::Number(number) => {
                let float = number.as_f64().unwrap();
                let (below, above) = (
                    number.as_i64().map(|n| n.wrapping_sub(1)),
                    number.as_i64().map(|n| n.wrapping_add(1)),
                );
                pick(vec![
                    json!(below),
                    json!(above),
                    json!(float),
                    json!(float + 0.5),
                    json!(float * 1e3),
                    json!(-float),
                    json!(number.to_string()),
                ])
            }
            Value::String(text) => pick(vec![
                json!(text.to_uppercase()),
                json!(text.to_lowercase()),
                json!(format!("{text}\n")),
                json!(format!(" {text}")),
                json!(format!("{text}é")),
                json!(text.replace('T', " ")),
                json!(text.replace('0', "٠")),
                json!(text.chars().skip(1).collect::<String>()),
            ]),
            Value::Bool(flag) => pick(vec![
                json!(!flag),
                json!(flag.to_string()),
                json!(i32::from(flag)),
            ]),
            other => other,
        };
    }
}

fn reshape(node: &mut Value) {
    *node = match node.take() {
        Value::Object(members) => members.into_iter().map(|(_, value)| value).collect(),
        Value::String(word) => json!({word: null}),
        other => json!([other]),
    };
}

/// The pointers of all values within a value.
fn collect(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                collect(
                    member,
                    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")),
                    places,
                );
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
    places.push(at);
}

/// Values that some schema accepts and others do not: every word and bound of the contract, and what is often got wrong.
static POOL: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut pool: Vec<Value> = vec![
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!([null]),
        json!({"": null}),
        json!(""),
        json!("x"),
        json!(-1),
        json!(0),
        json!(-0.0),
        json!(1.0),
        json!(1.5),
        json!(1e3),
        json!(30.000_000_000_000_004),
        json!(9_007_199_254_740_992_i64),
        json!(9_007_199_254_740_992.0),
        json!(9_007_199_254_740_991.0),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e19),
        json!(1e300),
        json!(-1e300),
        json!(5e-324),
    ];
    pool.extend(IDS.iter().chain(TIMESTAMPS).map(|text| json!(text)));
    let lengths = [64, 255, 1024, 2048, 4096]
        .into_iter()
        .flat_map(|length| [length, length + 1]);
    pool.extend(lengths.flat_map(|length| ["a", "é", "😀"].map(|letter| json!(letter.repeat(length)))));
    for (_, schema) in CONTRACT.document().schemas() {
        pool.extend(schema["enum"].as_array().into_iter().flatten().cloned());
        pool.extend(schema.get("example").cloned());
        let bounds = ["minimum", "maximum"]
            .into_iter()
            .filter_map(|key| schema[key].as_i64());
        pool.extend(bounds.flat_map(|bound| [bound - 1, bound, bound + 1].map(Value::from)));
    }
    pool
});

const IDS: &[&str] = &[
    "drusr_",
    "drusr_A",
    "drusr-1",
    "drusr_1_",
    "drusr_1\n",
    "drusr_é",
    "drusr_٣",
    "DRUSR_1",
    "wsusr_1",
    "usr_1",
    "wsdev_1",
    "wstok_0z",
    "(wsdev|wsrol)_1",
    "_1",
    " drusr_1",
    "a b",
    "a\tb",
    "\u{0}",
    "!~",
    "\u{7f}",
];

const TIMESTAMPS: &[&str] = &[
    "2026-03-01T09:30:00Z",
    "2026-03-01T09:30:00.000000Z",
    "2026-03-01T09:30:00.00000Z",
    "2026-03-01T09:30:00.0000000Z",
    "2026-03-01t09:30:00.000000z",
    "2026-03-01 09:30:00.000000Z",
    "2026-03-01T09:30:00.000000",
    "2026-03-01",
    "2026-03-01T09:30Z",
    "2026-03-01T09:30:00,000000Z",
    "2026-03-01T09:30:00.Z",
    "2026-03-01T09:30:00.000000+00:00",
    "2026-03-01T09:30:00-00:00",
    "2026-03-01T09:30:00+23:59",
    "2026-03-01T09:30:00+24:00",
    "2026-03-01T09:30:00+01:60",
    "2026-03-01T09:30:00+0100",
    "2026-03-01T09:30:00+01",
    "2026-02-29T00:00:00.000000Z",
    "2024-02-29T00:00:00.000000Z",
    "2026-02-30T00:00:00.000000Z",
    "2026-04-31T00:00:00.000000Z",
    "2026-00-01T00:00:00.000000Z",
    "2026-13-01T00:00:00.000000Z",
    "2026-01-00T00:00:00.000000Z",
    "2026-01-01T24:00:00.000000Z",
    "2026-01-01T23:60:00.000000Z",
    "2026-01-01T23:59:61.000000Z",
    "2016-12-31T23:59:60.000000Z",
    "2016-12-31T23:59:60.5Z",
    "2016-12-31T22:59:60-01:00",
    "2016-12-31T12:00:60.000000Z",
    "2016-12-31T23:58:60Z",
    "9999-12-31T23:59:60.000000Z",
    "9999-12-31T23:59:59.999999Z",
    "0000-01-01T00:00:00.000000Z",
    "0000-02-29T00:00:00.000000Z",
    "1900-02-29T00:00:00.000000Z",
    "10000-01-01T00:00:00.000000Z",
    "-001-01-01T00:00:00.000000Z",
    "9999-12-31T23:59:59-00:01",
    "0000-01-01T00:00:00+00:01",
    "２026-03-01T09:30:00Z",
    "1970-01-01T00:00:00.000000Z\n",
];
