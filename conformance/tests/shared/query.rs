//! A request for a list, taken apart.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde_json::Value;

/// The parameters of a request, in the order they came.
#[derive(Clone, Debug)]
pub(crate) struct Query(pub(crate) Vec<(String, String)>);

/// Why a request is refused: the parameter.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl Query {
    /// The value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut pairs = self.0.iter();
        pairs
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }
}

/// A timestamp in any of the three forms: a date, a date with a time, ISO 8601.
pub(crate) fn timestamp(text: &str) -> Option<Timestamp> {
    let civil = || {
        let time = text.parse::<DateTime>();
        time.or_else(|_| text.parse::<Date>().map(|date| date.at(0, 0, 0, 0)))
            .ok()
    };
    let utc = || Some(civil()?.to_zoned(TimeZone::UTC).ok()?.timestamp());
    text.parse().ok().or_else(utc)
}

/// The timestamp that a record shows.
pub(crate) fn shown(record: &Value, member: &str) -> Option<Timestamp> {
    record[member].as_str()?.parse().ok()
}

/// Whether a text contains another, whatever the case of letters.
pub(crate) fn contains(text: &Value, part: &str) -> bool {
    let text = text.as_str().unwrap_or_default().to_lowercase();
    text.contains(&part.to_lowercase())
}
