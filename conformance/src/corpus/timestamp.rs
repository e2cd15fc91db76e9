//! Timestamps as records and filters spell them, §2, §4.1.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// The timestamp a text stands for: a date-time with its zone, or a date with or without time in UTC.
pub fn read(text: &str) -> Option<Timestamp> {
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp);
    }
    let civil = text
        .parse::<DateTime>()
        .or_else(|_| text.parse::<Date>().map(|date| date.at(0, 0, 0, 0)));
    Some(civil.ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The present timestamp, by the clock of the machine that the runner is on.
///
/// Other places read the clock too: `main.rs` (the day, for waivers), `journal.rs` (the time of each request),
/// `patience.rs` (a date in `Retry-After`), `pace.rs` (the time between requests) and `checks/writing` (the time of each
/// write).
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// The three forms the specification names, §4.1, of one timestamp at full seconds: a date with time, ISO 8601 with `Z`, and,
/// of midnight, a date.
pub(crate) fn forms(timestamp: Timestamp) -> Vec<String> {
    let civil = TimeZone::UTC.to_datetime(timestamp);
    let mut forms = vec![iso(timestamp), civil.strftime("%Y-%m-%d %H:%M:%S").to_string()];
    if civil.time() == jiff::civil::Time::midnight() {
        forms.push(civil.date().to_string());
    }
    forms
}

/// A timestamp as ISO 8601 with `Z`, in seconds.
pub(crate) fn iso(timestamp: Timestamp) -> String {
    TimeZone::UTC
        .to_datetime(timestamp)
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
}

/// The beginning of the day of a timestamp in UTC.
pub(crate) fn midnight(timestamp: Timestamp) -> Timestamp {
    let second = timestamp.as_second().rem_euclid(86_400);
    let whole = Timestamp::from_second(timestamp.as_second() - second);
    whole.unwrap_or(timestamp)
}

/// The timestamp so many days later, or earlier if negative; where there is no such timestamp, the timestamp itself.
pub(crate) fn days_later(timestamp: Timestamp, days: i64) -> Timestamp {
    let later = timestamp.checked_add(SignedDuration::from_hours(24 * days));
    later.unwrap_or(timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_timestamp_is_that_timestamp() {
        for text in ["2026-03-01T09:30:15Z", "2026-03-01T00:00:00Z"] {
            let timestamp = read(text).unwrap();
            assert!(
                forms(timestamp).iter().all(|form| read(form) == Some(timestamp)),
                "{:?}",
                forms(timestamp)
            );
        }
        assert_eq!(forms(read("2026-03-01").unwrap()).len(), 3);
    }

    #[test]
    fn a_day_begins_at_its_midnight() {
        let timestamp = read("2026-03-01T09:30:15.25Z").unwrap();
        assert_eq!(midnight(timestamp), read("2026-03-01").unwrap());
        assert_eq!(days_later(midnight(timestamp), -1), read("2026-02-28").unwrap());
    }

    #[test]
    fn what_is_no_timestamp_is_none() {
        for text in ["", "yesterday", "2026-02-31", "12"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
