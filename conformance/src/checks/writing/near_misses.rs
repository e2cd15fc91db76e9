//! Values that a member does not take and that careless parsers do, and bodies that are not the object that an operation takes.
//!
//! Invariant: what the specification leaves open is told apart: a value that plainly means one that the member takes may be taken
//! so (O12): a date-time without an offset is one in UTC (§4.3). Not among the values: `30.0` and `3e1`, which are whole numbers,
//! the hour 24, and an empty text where null is taken: some frameworks make it null.

use jiff::Timestamp;
use rollcall_oracle::open_points::converted_value::ConvertedValue;
use rollcall_oracle::open_points::timestamp;
use serde_json::{Value, json};

use super::attempt::WriteIntent;
use super::body::{FieldKind, Member};

/// So many low bits of a number are kept by parsers that do not refuse larger ones.
const TURNS: [u32; 5] = [16, 31, 32, 63, 64];
/// Dates of near misses lie so many days ahead.
const AHEAD: i64 = 200;

/// A body with a member that is not as the specification has it.
#[derive(Clone, Debug)]
pub(crate) struct NearMiss {
    /// How reports call it.
    pub(crate) what: String,
    /// The body, as text.
    pub(crate) body: String,
    /// What it means: it has to be refused, or it may be taken for the value that is meant.
    pub(crate) intent: WriteIntent,
}

impl NearMiss {
    /// The same body with another member that is null.
    pub(super) fn beside_null(&self, other: &str) -> Option<Self> {
        let mut body: Value = serde_json::from_str(&self.body).ok()?;
        body.as_object_mut()?.insert(other.to_owned(), Value::Null);
        Some(Self {
            what: format!("{} beside {other} null", self.what),
            body: body.to_string(),
            intent: self.intent,
        })
    }
}

impl FieldKind {
    /// Values that it does not take, as JSON.
    fn near_misses(self, now: Timestamp) -> Vec<String> {
        let at = timestamp::midnight(timestamp::days_later(now, AHEAD));
        let (seconds, at) = (at.as_second(), timestamp::iso(at));
        let date = at.split_once('T').map_or(at.as_str(), |(date, _)| date);
        let year = date.split_once('-').map_or(date, |(year, _)| year);
        let values = match self {
            Self::Days { .. } => json!([
                1.5, -0.5, "30", "30 days", "1096", "-1", "many", true, false, [], [30], {}, {"days": 30}
            ]),
            Self::Timestamp => json!([
                "no timestamp", date, format!("{date}T10:00:00"), "10:00:00Z", format!("{year}-13-45T00:00:00Z"),
                format!("{year}-02-30T00:00:00Z"), format!("{date}T25:00:00Z"), format!("{date}T10:61:00Z"),
                format!("{at} and more"), "tomorrow", "+1 week", seconds.to_string(), seconds, true, false, [],
                [at.as_str()], {}, {"date": at.as_str()}
            ]),
            Self::Flag => json!(["yes", 1, null, "true", "many", [], [true], {}, {"value": true}]),
        };
        let values = values.as_array().into_iter().flatten();
        let numbers = self.numbers_outside().into_iter();
        numbers.chain(values.map(Value::to_string)).collect()
    }

    /// Numbers of days outside the range.
    fn numbers_outside(self) -> Vec<String> {
        let Self::Days { least, most } = self else {
            return Vec::new();
        };
        let (least, most) = (i128::from(least), i128::from(most));
        // A parser that keeps only the lower bits of such a number gets a number in the range.
        let wrapped = TURNS.map(|bits| (1_i128 << bits) + most);
        let below = most - (1_i128 << 32);
        let numbers = [least - 1, most + 1, below].into_iter().chain(wrapped);
        numbers.map(|number| number.to_string()).collect()
    }

    /// What a value means: one that the member takes, or one that has to be refused.
    fn intent_of(self, value: &Value, now: Timestamp) -> WriteIntent {
        let meant = match self {
            Self::Days { least, most } => ConvertedValue::days(value)
                .filter(|meant| matches!(meant, ConvertedValue::Days(days) if (least..=most).contains(days))),
            Self::Timestamp => ConvertedValue::timestamp(value, now),
            Self::Flag => ConvertedValue::flag(value),
        };
        meant.map_or(WriteIntent::Wrong(self), |meant| {
            WriteIntent::Converted(self, meant)
        })
    }
}

impl Member {
    /// Bodies that are nearly right, the ones that have to be refused first: the member has a value that parsers take for one that
    /// it takes, or it is required and missing.
    pub(crate) fn near_misses(&self, now: Timestamp) -> Vec<NearMiss> {
        let name = json!(self.name);
        let near = self.takes.near_misses(now).into_iter();
        let near = near.filter(|text| text != "null" || !self.nullable);
        let near = near.map(|text| {
            // A number that no type holds has to be refused.
            let value = serde_json::from_str(&text);
            NearMiss {
                what: format!("{} {text}", self.name),
                body: format!("{{{name}:{text}}}"),
                intent: value.map_or(WriteIntent::Wrong(self.takes), |value| {
                    self.takes.intent_of(&value, now)
                }),
            }
        });
        let mut near: Vec<_> = near.collect();
        if self.required {
            near.extend(self.elsewhere());
        }
        near.sort_by_key(|one| !one.intent.is_to_be_refused());
        near
    }

    /// Bodies that do not have this member in its place; the first is an empty object.
    pub(crate) fn elsewhere(&self) -> impl Iterator<Item = NearMiss> {
        let right = self.right(Timestamp::UNIX_EPOCH);
        let whole = json!({ self.name.as_str(): right });
        let elsewhere = [
            ("without", json!({})),
            ("null without", Value::Null),
            ("an empty list without", json!([])),
            ("true in place of", json!(true)),
            ("a number in place of", json!(7)),
            ("a text in place of", json!("text")),
            ("a text around", json!(whole.to_string())),
            ("a list around", json!([whole])),
            ("another object around", json!({ "data": whole })),
            ("the same member around", json!({ self.name.as_str(): whole })),
        ];
        elsewhere.into_iter().map(move |(how, body)| NearMiss {
            what: format!("{how} {}", self.name),
            body: body.to_string(),
            intent: WriteIntent::Wrong(self.takes),
        })
    }
}

/// Bodies that are no object, as JSON, for operations that demand no member: there such a body may mean what an empty object
/// means (O5).
pub(super) const NO_OBJECT: [&str; 2] = ["[]", "7"];
