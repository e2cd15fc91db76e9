//! R1, L15: timestamps as records and filters spell them, §2, §4.1.
//!
//! The document asks for ISO 8601 in UTC and shows no designator, so a timestamp without one is read as UTC.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use rollcall_contract::Pointer;
use serde_json::Value;

/// The timestamp a text stands for: a date-time with its zone, or a date with or without time in UTC.
pub fn read(text: &str) -> Option<Timestamp> {
    let is_early = |timestamp: &Timestamp| timestamp.as_second() < Timestamp::MAX.as_second();
    if let Some(timestamp) = text.parse().ok().filter(is_early) {
        return Some(timestamp);
    }
    let pieces = Pieces::parse(text).ok()?;
    let civil = pieces
        .date()
        .to_datetime(pieces.time().unwrap_or(Time::midnight()));
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    let timestamp = offset.to_timestamp(civil).ok().filter(is_early);
    timestamp.or_else(|| late(civil, offset))
}

/// The timestamp that a record shows at a place; none if it shows null or nothing.
pub fn of(record: &Value, place: &Pointer) -> Option<Timestamp> {
    place.find(record)?.as_str().and_then(read)
}

/// A timestamp after the last one of [`Timestamp`], which ends a day before the year 9999 does. Directories write 9999-12-31 for
/// "never". Such timestamps become fractions of the last second, so that their order stays.
fn late(civil: DateTime, offset: Offset) -> Option<Timestamp> {
    const SECOND: i128 = 1_000_000_000;
    /// So many times closer stand timestamps in the last second.
    const CLOSER: i128 = 1_000_000;
    const EARLIER: SignedDuration = SignedDuration::from_hours(72);
    let earlier = offset.to_timestamp(civil.checked_sub(EARLIER).ok()?).ok()?;
    let timestamp = earlier.as_nanosecond() + EARLIER.as_nanos();
    let last = Timestamp::MAX.as_second();
    let beyond = (timestamp - i128::from(last) * SECOND) / CLOSER;
    Timestamp::new(last, i32::try_from(beyond).ok().filter(|beyond| *beyond >= 0)?).ok()
}

/// The present timestamp, by the clock of the machine that the runner is on.
///
/// Other places read the clock too: `main.rs` (the day, for waivers), `journal.rs` (the time of each request),
/// `retry_after.rs` (a date in `Retry-After`), `rate_limit.rs` (the time between requests) and `checks/writing` (the time of
/// each write).
pub fn now() -> Timestamp {
    Timestamp::now()
}

/// The three forms the specification names, §4.1, of one timestamp at full seconds: a date with time, ISO 8601 with `Z`, and,
/// of midnight, a date.
pub fn forms(timestamp: Timestamp) -> Vec<String> {
    let civil = TimeZone::UTC.to_datetime(timestamp);
    let mut forms = vec![iso(timestamp), with_blank(timestamp)];
    if civil.time() == Time::midnight() {
        forms.push(civil.date().to_string());
    }
    forms
}

/// A timestamp as a date with time, in seconds: a blank is between the two, and no zone is named.
pub fn with_blank(timestamp: Timestamp) -> String {
    let civil = TimeZone::UTC.to_datetime(timestamp);
    civil.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A timestamp as ISO 8601 with `Z`, in seconds.
pub fn iso(timestamp: Timestamp) -> String {
    TimeZone::UTC
        .to_datetime(timestamp)
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
}

/// The beginning of the day of a timestamp in UTC.
pub fn midnight(timestamp: Timestamp) -> Timestamp {
    let second = timestamp.as_second().rem_euclid(86_400);
    let whole = Timestamp::from_second(timestamp.as_second() - second);
    whole.unwrap_or(timestamp)
}

/// The beginning of the first 29 February after a timestamp; where the calendar has none, the timestamp itself.
pub fn leap_day_after(timestamp: Timestamp) -> Timestamp {
    let year = TimeZone::UTC.to_datetime(timestamp).year();
    let years = (0..=8).filter_map(|later| year.checked_add(later));
    let leap_days = years.filter_map(|year| Date::new(year, 2, 29).ok());
    let mut leap_days =
        leap_days.filter_map(|day| TimeZone::UTC.to_timestamp(day.to_datetime(Time::midnight())).ok());
    leap_days.find(|day| *day > timestamp).unwrap_or(timestamp)
}

/// The timestamp so many days later, or earlier if negative, as [`later`].
pub fn days_later(timestamp: Timestamp, days: i64) -> Timestamp {
    later(timestamp, SignedDuration::from_hours(24 * days))
}

/// The timestamp after a time; where there is no such timestamp in the years 1 to 9999, the timestamp itself. Not every calendar
/// has other years.
pub fn later(timestamp: Timestamp, time: SignedDuration) -> Timestamp {
    let later = timestamp.checked_add(time).ok();
    let is_usual = |later: &Timestamp| TimeZone::UTC.to_datetime(*later).year() > 0;
    later.filter(is_usual).unwrap_or(timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_leap_day_is_found_over_the_end_of_a_century() {
        let next = |text: &str| iso(leap_day_after(text.parse().unwrap()));
        assert_eq!(next("2026-11-28T10:00:00Z"), "2028-02-29T00:00:00Z");
        assert_eq!(next("2028-02-29T00:00:00Z"), "2032-02-29T00:00:00Z");
        assert_eq!(next("2097-01-01T00:00:00Z"), "2104-02-29T00:00:00Z");
    }

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
    fn the_short_form_and_the_short_offset_of_iso_8601_are_read() {
        let timestamp = read("2026-03-01T09:30:15.25Z");
        for text in [
            "20260301T093015.25Z",
            "20260301T093015,25+00",
            "2026-03-01 09:30:15.25+00",
            "2026-03-01T09:30:15.25-0000",
            "20260301T093015.25",
        ] {
            assert_eq!(read(text), timestamp, "{text}");
        }
    }

    #[test]
    fn a_day_begins_at_its_midnight() {
        let timestamp = read("2026-03-01T09:30:15.25Z").unwrap();
        assert_eq!(midnight(timestamp), read("2026-03-01").unwrap());
        assert_eq!(days_later(midnight(timestamp), -1), read("2026-02-28").unwrap());
        let first = read("0001-01-02T00:00:00Z").unwrap();
        assert_eq!(days_later(first, -1), read("0001-01-01").unwrap());
        assert_eq!(days_later(first, -2), first);
    }

    #[test]
    fn the_last_day_of_the_calendar_has_an_order() {
        let texts = [
            "9999-12-30T21:59:59Z",
            "9999-12-30T22:00:01.5Z",
            "9999-12-31",
            "9999-12-31T00:00:01Z",
            "9999-12-31T23:59:59+02:00",
            "9999-12-31 23:59:59",
            "9999-12-31T23:59:59.999999Z",
            "9999-12-31T23:59:59-12:00",
        ];
        let read: Vec<_> = texts.iter().map(|text| read(text).unwrap()).collect();
        assert!(read.is_sorted_by(|one, other| one < other), "{read:?}");
        assert_eq!(read[2], super::read("9999-12-31T02:00:00+02:00").unwrap());
    }

    #[test]
    fn what_is_no_timestamp_is_none() {
        for text in [
            "",
            "yesterday",
            "2026-02-31",
            "12",
            "10000-01-01",
            "9999-12-31T24:00:00Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
