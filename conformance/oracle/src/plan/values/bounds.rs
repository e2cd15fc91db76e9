//! Bounds for filters of timestamps.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::Match;

use super::ClassedValue;
use crate::open_points::timestamp;
use crate::plan::sample::Choice;

/// Timestamps that calendars, time zones and clocks get wrong.
const CALENDAR: [(&str, &str); 7] = [
    ("leap day", "2024-02-29"),
    ("leap day", "2020-02-29T12:00:00Z"),
    ("end of a year", "2023-12-31 23:59:59"),
    ("end of a month", "2024-04-30"),
    ("begin of summer time", "2024-03-31 02:30:00"),
    ("end of summer time", "2024-10-27T01:30:00Z"),
    ("two-digit confusion", "2012-11-10"),
];
/// Timestamps that are too late for a number of 32 bit.
const LATE: [(&str, &str); 3] = [
    ("limit of 32 bit", "2038-01-21T03:14:08Z"),
    ("far future", "2100-03-01 00:00:00"),
    ("far future", "9998-12-31"),
];
/// Timestamps before the first one that many clocks know.
const EARLY: [(&str, &str); 3] = [
    ("before 1970", "1969-12-31"),
    ("before 1970", "1901-12-13T20:45:52Z"),
    ("before 1970", "1900-02-28 12:00:00"),
];
/// Bounds are placed at so many places of the timestamps that records show.
const PLACES: usize = 5;
/// So many bounds are close to a record.
const CLOSE: usize = 1;
/// They are so many hours away, which is beyond the margin of two days (L15, L16).
const BEYOND: i64 = 54;
/// Each filter is asked for so many dates of the calendar; other filters are asked for others.
const DATES: usize = 3;

/// The earliest timestamp there is in the calendar: no record is before it.
pub const YEAR_ONE: &str = "0001-01-01T00:00:00Z";
/// The time that many clocks count from. As a number it is 0, which careless code takes for no bound.
const ZERO: &str = "1970-01-01T00:00:00Z";

/// Bounds that divide the records, in each specified form, and those of the calendar.
pub(super) fn bounds(
    matching: Match,
    shown: &BTreeMap<String, usize>,
    choice: &mut Choice,
) -> Vec<ClassedValue> {
    let mut timestamps: Vec<Timestamp> = shown.keys().filter_map(|text| timestamp::read(text)).collect();
    timestamps.sort();
    let mut values = Vec::new();
    if matching == Match::Before {
        let early = [YEAR_ONE, ZERO].map(|bound| ClassedValue::shown(bound, "before everything"));
        values.extend(early);
    }
    if !timestamps.is_empty() {
        let first = choice.below(PLACES);
        for place in 0..PLACES {
            let at = timestamps[(timestamps.len() - 1) * place / (PLACES - 1)];
            let days = i64::try_from(choice.below(9)).unwrap_or_default() - 4;
            let midnight = timestamp::days_later(timestamp::midnight(at), days);
            let forms = timestamp::forms(midnight);
            let form = &forms[(first + place) % forms.len()];
            values.push(ClassedValue::shown(form, "among the records"));
        }
    }
    for at in choice.some(&timestamps, CLOSE) {
        let hours = if choice.below(2) == 0 { BEYOND } else { -BEYOND };
        let close = timestamp::later(at, SignedDuration::from_hours(hours));
        if close != at {
            values.push(ClassedValue::shown(&close.to_string(), "close to a record"));
        }
    }
    let calendar = choice.some(&CALENDAR, DATES).into_iter();
    let calendar = calendar
        .chain(choice.some(&LATE, 1))
        .chain(choice.some(&EARLY, 1));
    values.extend(calendar.map(|(class, text)| ClassedValue::shown(text, class)));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_is_a_timestamp() {
        let shown = BTreeMap::from([("2024-05-06T07:08:09.123456Z".to_owned(), 1)]);
        for bound in bounds(Match::Before, &shown, &mut Choice::new(1, "x")) {
            assert!(timestamp::read(&bound.value).is_some(), "{bound:?}");
        }
    }

    #[test]
    fn every_form_is_asked_for() {
        let shown = BTreeMap::from([("2024-05-06T07:08:09Z".to_owned(), 1)]);
        let bounds = bounds(Match::After, &shown, &mut Choice::new(1, "x"));
        let among = bounds.iter().filter(|bound| bound.class == "among the records");
        let lengths: std::collections::BTreeSet<usize> = among.map(|bound| bound.value.len()).collect();
        assert_eq!(lengths.len(), 3, "{bounds:?}");
    }
}
