//! What is nearly right and has to be refused: values that a member does not take and careless parsers do, and
//! bodies that are not the object that an operation takes.
//!
//! Invariant: what the specification leaves open is not among them: `30.0` and `3e1` are whole numbers, a date-time without
//! an offset may mean UTC, and the end of a day may be its hour 24.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::body::{FieldKind, Member};

/// So many low bits of a number are kept by parsers that do not refuse larger ones.
const TURNS: [u32; 5] = [16, 31, 32, 63, 64];

impl FieldKind {
    /// Values that it does not take, as JSON.
    pub(super) fn near_misses(self) -> Vec<String> {
        let values = match self {
            Self::Days { .. } => json!([
                1.5, -0.5, "30", " 30", "30 days", "", "many", true, false, [], [30], {}, {"days": 30}
            ]),
            // §4.1 tells a date from a date-time and takes both; §4.3 takes a date-time alone. No form of any date has a
            // thirteenth month.
            Self::Timestamp => json!([
                "no timestamp", "", "2027-06-15", "10:00:00Z", "2027-13-45T00:00:00Z", "2027-02-30T00:00:00Z",
                "2027-06-15T25:00:00Z", "2027-06-15T10:61:00Z", "2027-06-15T10:00:00Z and more", "tomorrow",
                "+1 week", "1813053600", 1813053600, true, false, [], ["2027-06-15T10:00:00Z"], {},
                {"date": "2027-06-15T10:00:00Z"}
            ]),
            Self::Flag => json!([
                "yes", "on", 1, 0, 2, null, "true", "false", "", "1", [], [true], {}, {"value": true}
            ]),
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
}

impl Member {
    /// Bodies that must be refused because of this member, as text, each with how reports call it: the member has a value
    /// that careless parsers take for one that it takes, or it is required and missing.
    pub(crate) fn wrong(&self) -> Vec<(String, String)> {
        let name = json!(self.name);
        let near = self.takes.near_misses().into_iter();
        let near = near.filter(|text| text != "null" || !self.nullable);
        let mut wrong: Vec<_> = near
            .map(|text| (format!("{} {text}", self.name), format!("{{{name}:{text}}}")))
            .collect();
        if self.required {
            wrong.extend(self.elsewhere());
        }
        wrong
    }

    /// Bodies that do not have this member in its place.
    fn elsewhere(&self) -> impl Iterator<Item = (String, String)> {
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
        let elsewhere = elsewhere.into_iter();
        elsewhere.map(move |(how, body)| (format!("{how} {}", self.name), body.to_string()))
    }
}

/// Bodies that are no object, as JSON, for operations that demand no member: there such a body may mean what an empty object
/// means (O5).
pub(super) const NO_OBJECT: [&str; 2] = ["[]", "7"];
