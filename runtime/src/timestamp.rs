//! Timestamps: read in several written forms, kept as microseconds, always printed alike (`2026-03-01T09:30:00.000000Z`).

use std::fmt::{self, Display};
use std::str::FromStr;

use jiff::civil::{Date, DateTime, Time};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A timestamp in UTC, to the microsecond. Reads and prints one form: `2026-03-01T09:30:00.000000Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Text that is no timestamp in the form asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotATimestamp(&'static str);

impl Display for NotATimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NotATimestamp {}

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

const RECORD_FORM: NotATimestamp = NotATimestamp("not a timestamp like 2026-03-01T09:30:00.000000Z");
const RFC_3339: NotATimestamp = NotATimestamp("not an RFC 3339 date-time like 2026-03-01T09:30:00Z");
const ANY_FORM: NotATimestamp = NotATimestamp(
    "not a date (2026-03-01), a date with time (2026-03-01 09:30:00) or ISO 8601 (2026-03-01T09:30:00Z; write a + as %2B)",
);

impl Timestamp {
    /// The earliest and the latest timestamp that can be printed: the years 0 to 9999.
    const RANGE: std::ops::RangeInclusive<i64> = -62_167_219_200_000_000..=253_402_300_799_999_999;

    /// The first timestamp of 1970.
    pub const EPOCH: Self = Self(0);

    /// From microseconds since 1970; `None` outside the years 0 to 9999.
    pub fn from_micros(micros: i64) -> Option<Self> {
        Self::RANGE.contains(&micros).then_some(Self(micros))
    }

    /// Microseconds since 1970.
    pub fn micros(self) -> i64 {
        self.0
    }

    /// This timestamp moved by `seconds`; `None` outside the years 0 to 9999.
    pub fn plus_seconds(self, seconds: i64) -> Option<Self> {
        Self::from_micros(self.0.checked_add(seconds.checked_mul(1_000_000)?)?)
    }

    /// Reads what a list's date filter may hold (§4.1, L15): a date is its midnight, and UTC is meant where nothing is said.
    pub fn read_any(text: &str) -> Result<Self, NotATimestamp> {
        let mut scan = Scan(text.as_bytes());
        let timestamp = scan.any().ok_or(ANY_FORM)?;
        if scan.0.is_empty() {
            Ok(timestamp)
        } else {
            Err(ANY_FORM)
        }
    }

    /// The 27 bytes of the printed form.
    pub fn bytes(self) -> [u8; 27] {
        const DAY: i64 = 86_400_000_000;
        let (year, month, day) = civil(self.0.div_euclid(DAY));
        // Both parts fit: there are fewer than 100,000 seconds in a day.
        let of_day = self.0.rem_euclid(DAY);
        let seconds = u32::try_from(of_day / 1_000_000).unwrap_or_default();
        let micros = u32::try_from(of_day % 1_000_000).unwrap_or_default();
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        digits(&mut text[0..4], year);
        digits(&mut text[5..7], month);
        digits(&mut text[8..10], day);
        digits(&mut text[11..13], seconds / 3_600);
        digits(&mut text[14..16], seconds / 60 % 60);
        digits(&mut text[17..19], seconds % 60);
        digits(&mut text[20..26], micros);
        text
    }
}

/// The year, month and day that is so many days after 1970-01-01, from the year 0 on. In years that begin in March the leap
/// day is the last one, so that the lengths of the months before it repeat.
fn civil(days: i64) -> (u32, u32, u32) {
    const CYCLE: u32 = 146_097; // Days of 400 years.
    const BEFORE_1970: i64 = 719_468 + CYCLE as i64; // From the first of March of the year -400.
    let days = u32::try_from(days + BEFORE_1970).unwrap_or_default();
    let (cycle, day) = (days / CYCLE, days % CYCLE);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (400 * cycle + year + next - 400, month, day)
}

/// Writes a number whose place has an even number of digits.
fn digits(place: &mut [u8], mut number: u32) {
    for pair in place.rchunks_exact_mut(2) {
        let two = u8::try_from(number % 100).unwrap_or_default();
        pair.copy_from_slice(&[b'0' + two / 10, b'0' + two % 10]);
        number /= 100;
    }
}

impl Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.bytes()).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Timestamp {
    type Err = NotATimestamp;

    fn from_str(text: &str) -> Result<Self, NotATimestamp> {
        let timestamp: Instant = text.parse().map_err(|_| RECORD_FORM)?;
        // Of the RFC 3339 forms only this one has 27 characters, these among them.
        match text.as_bytes() {
            [_, _, _, _, _, _, _, _, _, _, b'T', .., b'Z'] if text.len() == 27 => Ok(timestamp.0),
            _ => Err(RECORD_FORM),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(str::from_utf8(&self.bytes()).map_err(serde::ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// A timestamp as a request may write it: RFC 3339 with any offset (§4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Instant(pub Timestamp);

impl Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Instant {
    type Err = NotATimestamp;

    fn from_str(text: &str) -> Result<Self, NotATimestamp> {
        let mut scan = Scan(text.as_bytes());
        let timestamp = scan.rfc_3339().ok_or(RFC_3339)?;
        if scan.0.is_empty() {
            Ok(Self(timestamp))
        } else {
            Err(RFC_3339)
        }
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// A timestamp as a server may write it: any ISO 8601 date-time in UTC (R1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct AnyTimestamp(pub Timestamp);

impl Display for AnyTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for AnyTimestamp {
    type Err = NotATimestamp;

    fn from_str(text: &str) -> Result<Self, NotATimestamp> {
        // ISO 8601 has a comma before a fraction, and an offset without a colon, too.
        let mut text = text.replace(',', ".");
        if let Some(place) = text.len().checked_sub(5)
            && text.get(place..).is_some_and(|offset| {
                offset.starts_with(['+', '-']) && offset[1..].bytes().all(|byte| byte.is_ascii_digit())
            })
        {
            text.insert(place + 3, ':');
        }
        Timestamp::read_any(&text).map(Self)
    }
}

impl<'de> Deserialize<'de> for AnyTimestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// A time of day. A leap second (RFC 3339 §5.7) is read as the microsecond before its end, so that order is kept.
struct Clock {
    time: Time,
    leap: bool,
}

/// What is left of a text that is being read. Every method takes what it reads, or gives `None`.
struct Scan<'t>(&'t [u8]);

impl Scan<'_> {
    fn rfc_3339(&mut self) -> Option<Timestamp> {
        let date = self.date()?;
        self.one_of(b"Tt")?;
        let time = self.time(true)?;
        let offset = self.offset()?;
        utc(date, time, offset)
    }

    fn any(&mut self) -> Option<Timestamp> {
        let date = self.date()?;
        if self.0.is_empty() {
            return utc(
                date,
                Clock {
                    time: Time::midnight(),
                    leap: false,
                },
                0,
            );
        }
        self.one_of(b"Tt ")?;
        let time = self.time(false)?;
        let offset = if self.0.is_empty() { 0 } else { self.offset()? };
        utc(date, time, offset)
    }

    fn date(&mut self) -> Option<Date> {
        let year = self.number(4)?;
        self.one_of(b"-")?;
        let month = self.number(2)?;
        self.one_of(b"-")?;
        let day = self.number(2)?;
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    }

    fn time(&mut self, with_seconds: bool) -> Option<Clock> {
        let hour = self.number(2)?;
        self.one_of(b":")?;
        let minute = self.number(2)?;
        let mut second = 0;
        let mut nanos = 0;
        if with_seconds || self.0.first() == Some(&b':') {
            self.one_of(b":")?;
            second = self.number(2)?;
            if self.0.first() == Some(&b'.') {
                self.one_of(b".")?;
                nanos = self.fraction()?;
            }
        }
        let leap = second == 60;
        if leap {
            (second, nanos) = (59, 999_999_000);
        }
        let part = |number| i8::try_from(number).ok();
        Some(Clock {
            time: Time::new(part(hour)?, part(minute)?, part(second)?, nanos).ok()?,
            leap,
        })
    }

    /// Seconds east of UTC.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.number(2).filter(|hours| *hours < 24)?;
        self.one_of(b":")?;
        let minutes = self.number(2).filter(|minutes| *minutes < 60)?;
        Some(sign * (i64::from(hours) * 3_600 + i64::from(minutes) * 60))
    }

    fn number(&mut self, count: usize) -> Option<i16> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let number = digits.iter().try_fold(0i16, |number, digit| {
            digit
                .is_ascii_digit()
                .then(|| number * 10 + i16::from(digit - b'0'))
        })?;
        self.0 = rest;
        Some(number)
    }

    /// Nanoseconds, from one digit or more; what lies below the microsecond is dropped.
    fn fraction(&mut self) -> Option<i32> {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        let micros = (0..6).fold(0, |sum, place| {
            sum * 10 + digits.get(place).map_or(0, |digit| i32::from(digit - b'0'))
        });
        (length > 0).then_some(micros * 1_000)
    }

    fn one_of(&mut self, allowed: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        allowed.contains(first).then(|| {
            self.0 = rest;
            *first
        })
    }
}

fn utc(date: Date, Clock { time, leap }: Clock, offset: i64) -> Option<Timestamp> {
    let local = date.to_datetime(time).duration_since(EPOCH);
    let utc = i64::try_from(local.as_micros())
        .ok()?
        .checked_sub(offset * 1_000_000)?;
    let utc = Timestamp::from_micros(utc)?;
    // A leap second ends a day of UTC.
    let ends_a_day = utc.0.rem_euclid(86_400_000_000) == 86_399_999_999;
    (!leap || ends_a_day).then_some(utc)
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::{AnyTimestamp, EPOCH, Timestamp};

    /// The printed form, made by the library of dates.
    fn printed(timestamp: Timestamp) -> String {
        let civil = EPOCH
            .checked_add(SignedDuration::from_micros(timestamp.0))
            .unwrap();
        civil.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
    }

    #[test]
    fn timestamps_are_printed_as_the_library_of_dates_prints_them() {
        let (first, last) = Timestamp::RANGE.into_inner();
        let day: usize = 86_400_000_000;
        // Each day of the first 401 years, which repeat; then timestamps of all times of the day up to the last year.
        let days = (first..).step_by(day).take(401 * 366);
        let timestamps = (first..=last).step_by(7_919_003_111_117);
        for micros in days.chain(timestamps).chain([-1, 0, last]) {
            let timestamp = Timestamp(micros);
            assert_eq!(timestamp.to_string(), printed(timestamp));
        }
    }

    #[test]
    fn a_server_may_write_a_timestamp_in_every_form_of_iso_8601() {
        let expected = "2026-03-01T09:30:00.500000Z";
        for text in [
            expected,
            "2026-03-01 09:30:00.5Z",
            "2026-03-01T09:30:00,5+00:00",
            "2026-03-01t09:30:00.500-0000",
            "2026-03-01T11:30:00.5+0200",
        ] {
            let read: AnyTimestamp = text.parse().unwrap();
            assert_eq!(read.to_string(), expected, "{text}");
        }
        for text in [
            "",
            "now",
            "2026-13-01T00:00:00Z",
            "é0000",
            "2026-03-01T09:30:00+1",
        ] {
            assert!(text.parse::<AnyTimestamp>().is_err(), "{text}");
        }
    }
}
