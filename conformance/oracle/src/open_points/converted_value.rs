//! O12: a member of a body in another type or form than the specification gives it.
//!
//! Accepted is a refusal, or success with the result of the value that is plainly meant, as the converters of frameworks read
//! it: `"30"` as 30 days, `"2027-06-15"` as its midnight in UTC, `"yes"` as true, `[30]` as 30 days. A value that no reading makes one of the member
//! has to be refused, and so has a number outside its range in any form.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::open_points::timestamp;

/// Relative timestamps and ends of days may be rounded to a day.
const A_DAY: SignedDuration = SignedDuration::from_hours(26);
/// A timestamp at a full second may be stored in seconds.
const A_SECOND: SignedDuration = SignedDuration::from_secs(1);

/// What a value of another type or form plainly means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConvertedValue {
    /// So many days.
    Days(i64),
    /// A timestamp, give or take a margin.
    Timestamp(Timestamp, SignedDuration),
    /// A number of seconds or of milliseconds since 1970.
    UnixTime([Timestamp; 2]),
    /// A boolean.
    Flag,
}

impl ConvertedValue {
    /// A number of days; none if nothing makes the value a whole number.
    pub fn days(value: &Value) -> Option<Self> {
        let days = match alone(value) {
            Value::Bool(flag) => i64::from(*flag),
            number @ Value::Number(_) => whole(number)?,
            // A word behind the number says what it counts.
            Value::String(text) => text.split_whitespace().next()?.parse().ok()?,
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        Some(Self::Days(days))
    }

    /// A timestamp; none if nothing makes the value one. Relative words are read from the present time.
    pub fn timestamp(value: &Value, now: Timestamp) -> Option<Self> {
        let value = alone(value);
        let text = match value {
            Value::Number(_) => return Self::unix_time(whole(value)?),
            Value::String(text) => text.trim(),
            _ => return None,
        };
        if let Ok(number) = text.parse() {
            return Self::unix_time(number);
        }
        let relative = RELATIVE.iter().find(|(word, _)| *word == text);
        if let Some((_, days)) = relative {
            return Some(Self::Timestamp(timestamp::days_later(now, *days), A_DAY));
        }
        let first = text.split_whitespace().next()?;
        let today = timestamp::iso(now);
        let (date, _) = today.split_once('T')?;
        // A time of day without a date is that of today.
        let at = timestamp::read(first).or_else(|| timestamp::read(&format!("{date}T{first}")))?;
        Some(Self::Timestamp(at, A_SECOND))
    }

    /// A boolean; none if the value is not one of the usual words and numbers for it.
    pub fn flag(value: &Value) -> Option<Self> {
        let is_flag = match alone(value) {
            Value::Bool(_) => true,
            number @ Value::Number(_) => whole(number).is_some_and(|number| (0..=1).contains(&number)),
            Value::String(text) => FLAGS.contains(&text.trim().to_ascii_lowercase().as_str()),
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        };
        is_flag.then_some(Self::Flag)
    }

    fn unix_time(number: i64) -> Option<Self> {
        let seconds = Timestamp::from_second(number).ok()?;
        let milliseconds = Timestamp::from_millisecond(number).ok()?;
        Some(Self::UnixTime([seconds, milliseconds]))
    }

    /// The timestamps at which a record may end after a write with the value, each give or take a margin; the write was sent at
    /// a timestamp. None if it says nothing of an end.
    pub fn ends(self, sent: Timestamp) -> Vec<(Timestamp, SignedDuration)> {
        match self {
            Self::Days(days) => vec![(timestamp::days_later(sent, days), A_DAY)],
            Self::Timestamp(at, margin) => vec![(at, margin)],
            Self::UnixTime(either) => either.map(|at| (at, A_SECOND)).to_vec(),
            Self::Flag => Vec::new(),
        }
    }
}

/// Words of relative dates that date libraries read, each with its days from now.
const RELATIVE: [(&str, i64); 2] = [("tomorrow", 1), ("+1 week", 7)];

/// Texts for booleans that converters take.
const FLAGS: [&str; 12] = [
    "true", "false", "yes", "no", "on", "off", "1", "0", "t", "f", "y", "n",
];

/// The value of a list that holds nothing else, else the value itself.
fn alone(value: &Value) -> &Value {
    match value.as_array().map(Vec::as_slice) {
        Some([one]) => one,
        _ => value,
    }
}

/// A whole number, in whatever form JSON writes it.
fn whole(value: &Value) -> Option<i64> {
    let fraction = value.as_f64().filter(|number| number.fract() == 0.0);
    value.as_i64().or_else(|| fraction.map(|number| number as i64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_of_days_is_read_from_each_form_of_it() {
        for (value, days) in [
            (json!("30"), Some(30)),
            (json!(" 30 days"), Some(30)),
            (json!(30.0), Some(30)),
            (json!(true), Some(1)),
            (json!("-1"), Some(-1)),
            (json!(1.5), None),
            (json!("1.5"), None),
            (json!(""), None),
            (json!("many"), None),
            (json!([30]), Some(30)),
            (json!([30, 31]), None),
            (json!([]), None),
        ] {
            let read = ConvertedValue::days(&value);
            assert_eq!(read, days.map(ConvertedValue::Days), "{value}");
        }
    }

    #[test]
    fn a_timestamp_is_read_from_each_form_of_it() {
        let now = timestamp::read("2026-11-27T08:00:00Z").unwrap();
        let ends = |value: Value| {
            let read = ConvertedValue::timestamp(&value, now)?;
            let ends = read.ends(now).into_iter();
            Some(
                ends.map(|(at, _)| timestamp::iso(at))
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        };
        for (value, end) in [
            (json!("2027-06-15"), "2027-06-15T00:00:00Z"),
            (json!("2027-06-15T10:00:00Z and more"), "2027-06-15T10:00:00Z"),
            (json!("10:00:00Z"), "2026-11-27T10:00:00Z"),
            (json!("tomorrow"), "2026-11-28T08:00:00Z"),
            (json!(1_813_053_600), "2027-06-15T10:00:00Z 1970-01-21T23:37:33Z"),
            (json!(["2027-06-15"]), "2027-06-15T00:00:00Z"),
            (json!("1813053600"), "2027-06-15T10:00:00Z 1970-01-21T23:37:33Z"),
        ] {
            assert_eq!(ends(value.clone()).as_deref(), Some(end), "{value}");
        }
        for value in [
            json!("2027-02-30"),
            json!("no timestamp"),
            json!(true),
            json!(["2027-06-15", "2027-06-16"]),
        ] {
            assert_eq!(ends(value.clone()), None, "{value}");
        }
    }

    #[test]
    fn a_boolean_is_one_of_the_usual_words() {
        for value in [json!("yes"), json!("FALSE"), json!(1), json!(0.0), json!([true])] {
            assert!(ConvertedValue::flag(&value).is_some(), "{value}");
        }
        for value in [json!(2), json!("many"), json!(""), json!(null), json!([])] {
            assert!(ConvertedValue::flag(&value).is_none(), "{value}");
        }
    }
}
