//! Timestamps keep microseconds and `Z`; instants in any offset are the same timestamp; what is no date is refused.

use proptest::prelude::*;
use rollcall::model::{ExpiryDays, PageSize};
use rollcall::{Instant, Timestamp};
use serde_json::json;

const FIRST: i64 = -62_167_219_200_000_000;
const LAST: i64 = 253_402_300_799_999_999;
const DAY: i64 = 86_400_000_000;

/// Any timestamp that can be printed, the first and the last days more often.
fn timestamps() -> impl Strategy<Value = Timestamp> {
    let micros =
        prop_oneof![4 => FIRST..=LAST, 1 => FIRST..=FIRST + DAY, 1 => LAST - 2 * DAY..=LAST, 1 => -DAY..=DAY];
    micros.prop_map(|micros| Timestamp::from_micros(micros).unwrap())
}

proptest! {
    #[test]
    fn a_timestamp_survives_being_printed_and_parsed(timestamp in timestamps()) {
        let text = timestamp.to_string();
        prop_assert_eq!(text.len(), "2026-03-01T09:30:00.000000Z".len());
        prop_assert!(text.ends_with('Z') && text.as_bytes()[19] == b'.', "{}", text);
        prop_assert_eq!(text.parse(), Ok(timestamp));
        prop_assert_eq!(Timestamp::read_any(&text), Ok(timestamp));
        prop_assert_eq!(serde_json::to_value(timestamp).unwrap(), json!(text));
        prop_assert_eq!(serde_json::from_value::<Timestamp>(json!(text)).unwrap(), timestamp);
    }

    #[test]
    fn timestamps_are_ordered_as_their_texts_are(one in timestamps(), other in timestamps()) {
        prop_assert_eq!(one.cmp(&other), one.to_string().cmp(&other.to_string()));
    }

    #[test]
    fn an_instant_is_the_same_timestamp_in_every_offset(timestamp in timestamps(), minutes in -1439..=1439i64) {
        let Some(local) = timestamp.plus_seconds(minutes * 60) else { return Ok(()) };
        let (sign, minutes) = (if minutes < 0 { '-' } else { '+' }, minutes.abs());
        let text = local.to_string();
        let text = format!("{}{sign}{:02}:{:02}", text.trim_end_matches('Z'), minutes / 60, minutes % 60);
        prop_assert_eq!(text.parse(), Ok(Instant(timestamp)));
        prop_assert_eq!(Timestamp::read_any(&text), Ok(timestamp));
        prop_assert!(text.parse::<Timestamp>().is_err(), "a record shows Z and nothing else");
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,40}", near in "[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9:.]{0,12}([Zz+-][0-9:]{0,5})?)?") {
        for text in [text, near] {
            let read = (text.parse::<Timestamp>(), text.parse::<Instant>(), Timestamp::read_any(&text));
            if let (Ok(timestamp), instant, any) = read {
                prop_assert_eq!((instant, any), (Ok(Instant(timestamp)), Ok(timestamp)));
            }
        }
    }

    #[test]
    fn a_bounded_integer_holds_nothing_outside_its_bounds(number in prop_oneof![any::<i64>(), -5..2000i64]) {
        prop_assert_eq!(ExpiryDays::try_from(number).is_ok(), (0..=1095).contains(&number));
        prop_assert_eq!(serde_json::from_value::<ExpiryDays>(json!(number)).is_ok(), (0..=1095).contains(&number));
        prop_assert_eq!(PageSize::try_from(number).is_ok(), (1..=200).contains(&number));
    }
}

#[test]
fn the_first_and_the_last_timestamp_are_printed_whole() {
    assert_eq!(
        Timestamp::from_micros(FIRST).unwrap().to_string(),
        "0000-01-01T00:00:00.000000Z"
    );
    assert_eq!(
        Timestamp::from_micros(LAST).unwrap().to_string(),
        "9999-12-31T23:59:59.999999Z"
    );
    assert_eq!(
        Timestamp::from_micros(-1).unwrap().to_string(),
        "1969-12-31T23:59:59.999999Z"
    );
    assert_eq!(
        (
            Timestamp::from_micros(FIRST - 1),
            Timestamp::from_micros(LAST + 1)
        ),
        (None, None)
    );
    assert_eq!(Timestamp::from_micros(0).unwrap().plus_seconds(i64::MAX), None);
}

#[test]
fn the_expiry_days_end_at_1095() {
    for (days, accepted) in [(-1, false), (0, true), (1095, true), (1096, false)] {
        assert_eq!(
            serde_json::from_value::<ExpiryDays>(json!(days)).is_ok(),
            accepted,
            "{days}"
        );
    }
    let refused = ExpiryDays::try_from(1096).unwrap_err();
    assert_eq!(refused.to_string(), "1096 is not from 0 to 1095");
}

#[test]
fn a_date_filter_takes_dates_times_and_iso_8601() {
    for (text, meant) in [
        ("2026-03-01", "2026-03-01T00:00:00.000000Z"),
        ("2026-03-01 09:30:00", "2026-03-01T09:30:00.000000Z"),
        ("2026-03-01T09:30:00", "2026-03-01T09:30:00.000000Z"),
        ("2026-03-01 09:30", "2026-03-01T09:30:00.000000Z"),
        ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000000Z"),
        ("2026-03-01t09:30:00z", "2026-03-01T09:30:00.000000Z"),
        ("2026-03-01T09:30:00.25+02:00", "2026-03-01T07:30:00.250000Z"),
        ("2026-03-01T00:30:00.1234567-01:30", "2026-03-01T02:00:00.123456Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999Z"),
        ("2017-01-01T00:59:60+01:00", "2016-12-31T23:59:59.999999Z"),
        ("9999-12-31", "9999-12-31T00:00:00.000000Z"),
    ] {
        assert_eq!(
            Timestamp::read_any(text).map(|timestamp| timestamp.to_string()),
            Ok(meant.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn what_is_no_date_is_refused() {
    for text in [
        "",
        "2026",
        "2026-03",
        "2026-3-1",
        "20260301",
        "2026-02-30",
        "2026-13-01",
        "2026-00-10",
        "2026-01-00",
        "2100-02-29",
        "2026-03-01T",
        "2026-03-01T9:30",
        "2026-03-01T24:00:00",
        "2026-03-01T12:60:00",
        "2026-03-01T12:00:61",
        "2026-03-01T12:00:60Z",
        "2026-03-01T12:00:00.",
        "2026-03-01T12:00:00.Z",
        "2026-03-01T12:00:00+24:00",
        "2026-03-01T12:00:00+1:00",
        "2026-03-01T12:00:00 01:00",
        "2026-03-01T12:00:00ZZ",
        "2026-03-01Z",
        "yesterday",
        "1772357400",
        "+2026-03-01",
        "-026-03-01",
        "02026-03-01",
        "2026-03-01\n",
        " 2026-03-01",
        "２026-03-01",
        "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    ] {
        assert!(Timestamp::read_any(text).is_err(), "{text:?} was read");
    }
}
