//! Timestamps: read in several written forms, kept as microseconds, always printed alike (`2026-03-01T09:30:00.000000Z`).

use std::fmt::{self, Display};
use std::str::FromStr;

use jiff::SignedDuration;
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

    fn civil(self) -> DateTime {
        // Civil time reaches to the end of 9999 as this type does (jiff's timestamps end a day earlier), so that the
        // fallback is never taken.
        EPOCH
            .checked_add(SignedDuration::from_micros(self.0))
            .unwrap_or(EPOCH)
    }

    /// The 27 bytes of the printed form.
    pub fn bytes(self) -> [u8; 27] {
        let civil = self.civil();
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        let micros = u32::try_from(civil.subsec_nanosecond() / 1_000).unwrap_or_default();
        digits(&mut text[0..4], civil.year().unsigned_abs().into());
        digits(&mut text[5..7], civil.month().unsigned_abs().into());
        digits(&mut text[8..10], civil.day().unsigned_abs().into());
        digits(&mut text[11..13], civil.hour().unsigned_abs().into());
        digits(&mut text[14..16], civil.minute().unsigned_abs().into());
        digits(&mut text[17..19], civil.second().unsigned_abs().into());
        digits(&mut text[20..26], micros);
        text
    }
}

fn digits(place: &mut [u8], mut number: u32) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
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
    use super::AnyTimestamp;

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
