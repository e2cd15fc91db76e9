//! Timestamps: as filters give them, as records show them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A date, a date with time, or ISO 8601 with its offset, in microseconds; without an offset it is UTC.
pub(super) fn parse(text: &str) -> Option<i64> {
    let timestamp = match text.parse::<Timestamp>() {
        Ok(timestamp) => timestamp,
        Err(_) => {
            let civil: DateTime = text.parse().ok()?;
            civil.to_zoned(TimeZone::UTC).ok()?.timestamp()
        }
    };
    Some(timestamp.as_microsecond())
}

/// A timestamp as records show it.
pub(super) fn print(timestamp: Timestamp) -> String {
    format!("{timestamp:.6}")
}

/// A timestamp as records show it, so many seconds from now.
pub(super) fn from_now(seconds: i64) -> String {
    print(Timestamp::now() + SignedDuration::from_secs(seconds))
}
