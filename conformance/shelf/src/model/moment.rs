//! Moments: as filters give them, as records show them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A date, a date with time, or ISO 8601 with its offset, in microseconds; without an offset it is UTC.
pub(super) fn parse(text: &str) -> Option<i64> {
    let moment = match text.parse::<Timestamp>() {
        Ok(moment) => moment,
        Err(_) => {
            let civil: DateTime = text.parse().ok()?;
            civil.to_zoned(TimeZone::UTC).ok()?.timestamp()
        }
    };
    Some(moment.as_microsecond())
}

/// A moment as records show it.
pub(super) fn print(moment: Timestamp) -> String {
    format!("{moment:.6}")
}

/// A moment as records show it, so many seconds from now.
pub(super) fn from_now(seconds: i64) -> String {
    print(Timestamp::now() + SignedDuration::from_secs(seconds))
}
