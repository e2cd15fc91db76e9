//! Later timestamps. Each has another spelling and another value, so that every write has an effect.

use jiff::{SignedDuration, Timestamp};

use super::attempt::WriteIntent;
use crate::corpus::timestamp;

/// A timestamp as a body spells it.
#[derive(Debug)]
pub(super) struct Spelling {
    /// The text.
    pub(super) text: String,
    /// What a write of it means.
    pub(super) intent: WriteIntent,
}

/// The time of day of a timestamp: no full minute, hour or day.
const TIME_OF_DAY: SignedDuration = SignedDuration::from_secs(49_631);

/// Timestamps at full seconds, with a fraction of a second, and with an offset.
pub(super) fn spellings(now: Timestamp) -> [Spelling; 3] {
    let ahead = |days| {
        let midnight = timestamp::midnight(timestamp::days_later(now, days));
        midnight.checked_add(TIME_OF_DAY).unwrap_or(midnight)
    };
    let text = |at| timestamp::iso(at);
    let local = |at: Timestamp| at.checked_add(SignedDuration::from_hours(2)).unwrap_or(at);
    [
        Spelling {
            text: text(ahead(40)),
            intent: WriteIntent::Timestamp(ahead(40)),
        },
        Spelling {
            text: text(ahead(50)).replace('Z', ".123456Z"),
            intent: WriteIntent::Timestamp(ahead(50)),
        },
        Spelling {
            text: text(local(ahead(60))).replace('Z', "+02:00"),
            intent: WriteIntent::WithOffset(ahead(60)),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_that_of_its_timestamp() {
        for spelling in spellings(Timestamp::now()) {
            let (WriteIntent::Timestamp(at) | WriteIntent::WithOffset(at)) = spelling.intent else {
                panic!("{spelling:?}");
            };
            let read: Timestamp = spelling.text.parse().unwrap();
            assert!(
                read.duration_since(at).abs() < SignedDuration::from_secs(1),
                "{spelling:?}"
            );
        }
    }
}
