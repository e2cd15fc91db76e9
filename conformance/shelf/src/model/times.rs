//! When things happened: on few days, far from each other, at several hours of each.

use jiff::{SignedDuration, Timestamp};

use super::timestamp::print;

const DAY: i64 = 86_400;

/// A stretch of time over which timestamps are spread.
pub(super) struct Span {
    from: i64,
    days: i64,
}

impl Span {
    /// From a day on, given as in `2016-01-01`.
    pub(super) fn since(day: &str, days: i64) -> Self {
        let from: Timestamp = format!("{day}T00:00:00Z").parse().unwrap();
        Self {
            from: from.as_second(),
            days,
        }
    }

    /// From so many days after today on.
    pub(super) fn ahead(after: i64, days: i64) -> Self {
        let today = Timestamp::now().as_second() / DAY * DAY;
        Self {
            from: today + after * DAY,
            days,
        }
    }

    /// The timestamp of one of `count` things: two or more share a day, and the days are far apart.
    pub(super) fn timestamp(&self, which: usize, count: usize) -> String {
        let days = (count / 3).clamp(1, 40);
        let (day, turn) = (which % days, which / days);
        let apart = self.days / i64::try_from(days).unwrap();
        let second = 5 * 3600 + (turn * 7919 + which * 613) % (16 * 3600);
        let whole = self.from + i64::try_from(day).unwrap() * apart * DAY + i64::try_from(second).unwrap();
        let micros = i64::try_from(which * 1237 % 1_000_000).unwrap();
        print(Timestamp::from_second(whole).unwrap() + SignedDuration::from_micros(micros))
    }
}

/// The place of `index` among `count` things in an order that has nothing to do with it.
pub(super) fn shuffled(index: usize, count: usize, by: usize) -> usize {
    // Primes above any count that is used: every place is taken once.
    [index * 7919 + 3, index * 104_729 + 5, index * 611_953 + 1][by] % count.max(1)
}
