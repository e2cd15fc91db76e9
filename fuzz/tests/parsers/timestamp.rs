//! Timestamps: `generated/timestamp.rs`, and the runner's reader of what a target writes.

use rollcall::{Instant, Timestamp};
use rollcall_fuzz::target;
use rollcall_oracle::open_points::timestamp;

target!(property);

/// Every form of a timestamp is printed in one form, which is read again as the same microsecond. The three readers and the
/// runner agree about every text that they accept.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let any = Timestamp::read_any(&text);
    if let Ok(timestamp) = any {
        let printed = timestamp.to_string();
        assert_eq!(printed.parse(), Ok(timestamp));
        assert_eq!(printed.parse(), Ok(Instant(timestamp)));
        assert_eq!(Timestamp::read_any(&printed), Ok(timestamp));
        assert_eq!(Timestamp::from_micros(timestamp.micros()), Some(timestamp));
    }
    if let Ok(Instant(timestamp)) = text.parse() {
        assert_eq!(any, Ok(timestamp), "{text}");
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        assert_eq!(any, Ok(timestamp), "{text}");
        // A leap second is printed as the microsecond before its end.
        assert!(timestamp.to_string() == text || text.contains(":60"), "{text}");
    }
    if let (Ok(ours), Some(theirs)) = (any, timestamp::read(&text)) {
        assert!(
            ours.micros() == theirs.as_nanosecond().div_euclid(1_000) as i64 || text.contains(":60"),
            "{text}"
        );
    }
}
