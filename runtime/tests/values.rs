//! The value types of the models: what they take, what they refuse, and how they read and write JSON.

use proptest::prelude::*;
use rollcall_runtime::{
    Bounded, Id, IdKind, Instant, Presence, StrictDeserializer, Timestamp, WrongId, presence,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum OfBook {}

impl IdKind for OfBook {
    const PREFIXES: &'static [&'static str] = &["book_", "volume_"];
    const RESOURCE: &'static str = "book";
}

type BookId = Id<OfBook>;

#[test]
fn an_id_has_a_prefix_and_a_rest() {
    for text in ["book_1", "book_abc", "volume_0z9"] {
        let id: BookId = text.parse().unwrap();
        assert_eq!(id.as_str(), text);
        assert_eq!(
            (id.to_string(), format!("{id:?}")),
            (text.to_owned(), text.to_owned())
        );
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{text}\""));
        assert_eq!(
            serde_json::from_str::<BookId>(&format!("\"{text}\"")).unwrap(),
            id
        );
        assert_eq!(BookId::try_from(text), Ok(id));
    }
    for text in [
        "", "book_", "book", "shelf_1", "book_A", "book_a-b", "book_a b", "book_é", " book_1",
    ] {
        let wrong = WrongId {
            resource: "book",
            prefixes: &["book_", "volume_"],
        };
        assert_eq!(text.parse::<BookId>(), Err(wrong), "{text}");
        assert!(serde_json::from_str::<BookId>(&format!("\"{text}\"")).is_err());
    }
    let told = BookId::try_from("x").unwrap_err().to_string();
    assert_eq!(
        told,
        "not the id of a book: that is book_ or volume_ followed by lowercase letters and digits"
    );
}

type Percent = Bounded<1, 100>;

#[test]
fn a_bounded_number_reads_every_spelling_of_an_integer() {
    for (text, number) in [("1", 1), ("100", 100), ("30.0", 30), ("3e1", 30)] {
        let read: Percent = serde_json::from_str(text).unwrap();
        assert_eq!((read.get(), read.to_string()), (number, number.to_string()));
        assert_eq!(serde_json::to_string(&read).unwrap(), number.to_string());
    }
    for (text, why) in [
        ("0", "0 is not from 1 to 100"),
        ("101", "101 is not from 1 to 100"),
        ("101.0", "101 is not from 1 to 100"),
        ("-1", "-1 is not from 1 to 100"),
        ("1.5", "expected an integer from 1 to 100"),
        ("1e300", "expected an integer from 1 to 100"),
        ("18446744073709551615", "expected an integer from 1 to 100"),
        ("\"1\"", "expected an integer from 1 to 100"),
    ] {
        let refused = serde_json::from_str::<Percent>(text).unwrap_err().to_string();
        assert!(refused.contains(why), "{text}: {refused}");
    }
    // From 2^53 on, a number with a fraction is not known exactly.
    type Any = Bounded<{ i64::MIN }, { i64::MAX }>;
    let exact = serde_json::from_str::<Any>("9007199254740992.0").unwrap();
    assert_eq!(exact.get(), 9_007_199_254_740_992);
    assert!(serde_json::from_str::<Any>("9007199254740994.0").is_err());
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Members {
    #[serde(default, skip_serializing_if = "Presence::is_absent")]
    any: Presence<u8>,
    #[serde(deserialize_with = "presence::nullable")]
    nullable: Option<u8>,
    #[serde(
        default,
        deserialize_with = "presence::present",
        skip_serializing_if = "Option::is_none"
    )]
    present: Option<u8>,
}

#[test]
fn absent_null_and_a_value_are_three_things() {
    for (text, any) in [
        (r#"{"nullable":null}"#, Presence::Absent),
        (r#"{"any":null,"nullable":null}"#, Presence::Null),
        (r#"{"any":7,"nullable":null}"#, Presence::Value(7)),
    ] {
        let read: Members = serde_json::from_str(text).unwrap();
        assert_eq!(read.any, any);
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(any.is_absent(), any == Presence::Absent);
        assert_eq!(any.clone().value(), (any == Presence::Value(7)).then_some(7));
    }
    assert_eq!(Presence::from(None::<u8>), Presence::Null);
    assert_eq!(Presence::from(Some(7)), Presence::Value(7));
    let read = |text| serde_json::from_str::<Members>(text);
    assert_eq!(read(r#"{"nullable":7}"#).unwrap().nullable, Some(7));
    assert_eq!(read(r#"{"nullable":7,"present":8}"#).unwrap().present, Some(8));
    for wrong in [
        "{}",
        r#"{"nullable":"7"}"#,
        r#"{"nullable":7,"present":null}"#,
        r#"{"nullable":7,"present":"8"}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[derive(Debug, PartialEq, Deserialize)]
struct Book {
    title: String,
    kind: Kind,
}

#[derive(Debug, PartialEq)]
enum Kind {
    Novel,
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Word {
            Novel,
        }
        let Word::Novel = Word::deserialize(StrictDeserializer(deserializer))?;
        Ok(Self::Novel)
    }
}

#[test]
fn an_object_is_not_read_from_an_array_and_a_word_not_from_an_object() {
    let read =
        |text: &str| Book::deserialize(StrictDeserializer(&mut serde_json::Deserializer::from_str(text)));
    let book = Book {
        title: "Emma".to_owned(),
        kind: Kind::Novel,
    };
    assert_eq!(read(r#"{"title":"Emma","kind":"novel"}"#).unwrap(), book);
    for wrong in [
        r#"["Emma","novel"]"#,
        r#"{"title":"Emma","kind":{"novel":null}}"#,
        r#"{"title":"Emma","kind":"poem"}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_timestamp_counts_microseconds_and_moves_within_the_years_that_can_be_printed() {
    let at: Timestamp = "1970-01-02T00:00:00.000007Z".parse().unwrap();
    assert_eq!(at.micros(), 86_400_000_007);
    assert_eq!(Timestamp::from_micros(at.micros()), Some(at));
    assert_eq!(
        at.plus_seconds(-86_400).unwrap().to_string(),
        "1970-01-01T00:00:00.000007Z"
    );
    let last = Timestamp::from_micros(253_402_300_799_999_999).unwrap();
    assert_eq!(last.to_string(), "9999-12-31T23:59:59.999999Z");
    for too_far in [1, i64::MAX, i64::MIN] {
        assert_eq!(last.plus_seconds(too_far), None);
    }
    let refused = "yesterday".parse::<Timestamp>().unwrap_err().to_string();
    assert_eq!(refused, "not a timestamp like 2026-03-01T09:30:00.000000Z");
}

#[test]
fn an_offset_is_less_than_a_day() {
    for (text, utc) in [
        ("2026-03-01T09:30:00-23:59", Some("2026-03-02T09:29:00.000000Z")),
        ("2026-03-01T09:30:00+23:59", Some("2026-02-28T09:31:00.000000Z")),
        ("2026-03-01T09:30:00+24:00", None),
        ("2026-03-01T09:30:00+00:60", None),
    ] {
        let read = Timestamp::read_any(text).ok();
        assert_eq!(read.map(|read| read.to_string()).as_deref(), utc, "{text}");
    }
}

#[test]
fn a_record_has_timestamps_of_one_form_alone() {
    let at = "2026-03-01T09:30:00.000000Z";
    let instant: Instant = at.parse().unwrap();
    assert_eq!(
        (instant.to_string(), instant.0.to_string()),
        (at.to_owned(), at.to_owned())
    );
    for other in [
        "2026-03-01T09:30:00Z",
        "2026-03-01T09:30:00.00000Z",
        "2026-03-01T09:30:00.0000000Z",
        "2026-03-01T09:30:00.0+00:00",
        "2026-03-01t09:30:00.000000Z",
        "2026-03-01T09:30:00.000000z",
    ] {
        assert!(other.parse::<Instant>().is_ok(), "{other}");
        assert!(other.parse::<Timestamp>().is_err(), "{other}");
    }
    assert!("2026-03-01T09:30:00.Z".parse::<Instant>().is_err());
}

#[test]
fn a_leap_second_ends_a_day_of_utc() {
    for text in ["2016-12-31T23:59:60Z", "2017-01-01T00:59:60.5+01:00"] {
        let read: Instant = text.parse().unwrap();
        assert_eq!(read.to_string(), "2016-12-31T23:59:59.999999Z");
    }
    assert!("2016-12-31T22:59:60Z".parse::<Instant>().is_err());
}

proptest! {
    #[test]
    fn a_timestamp_with_an_offset_is_read_as_the_library_of_dates_reads_it(
        micros in -62_000_000_000_000_000_i64..253_000_000_000_000_000,
        minutes in -1_439_i32..1_440,
        places in 0_usize..=9,
    ) {
        let offset = jiff::tz::Offset::from_seconds(minutes * 60).unwrap();
        let at = jiff::Timestamp::from_microsecond(micros).unwrap();
        let local = offset.to_datetime(at);
        let fraction = format!("{:09}", local.subsec_nanosecond());
        let fraction = if places == 0 { String::new() } else { format!(".{}", &fraction[..places]) };
        let sign = if minutes < 0 { '-' } else { '+' };
        let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
        let text = format!("{}{fraction}{sign}{hours:02}:{minutes:02}", local.strftime("%Y-%m-%dT%H:%M:%S"));
        let expected: jiff::Timestamp = text.parse().unwrap();
        let read: Instant = text.parse().unwrap();
        // Below the microsecond nothing was written.
        prop_assert_eq!(read.0.micros(), expected.as_microsecond(), "{}", text);
    }

    #[test]
    fn a_bounded_number_is_within_its_bounds(number: i64) {
        let taken = Percent::try_from(number);
        prop_assert_eq!(taken.is_ok(), (1..=100).contains(&number));
        prop_assert_eq!(taken.map_or(number, Percent::get), number);
    }
}
