//! How long a day is (W6): timestamps are UTC (§4.3), where a day has 24 hours in every season.
//!
//! No end is judged by itself, since the clock of the target may differ and a day may end at its midnight. Two ends of one target
//! are compared: one in summer and one in winter, if it adds days in a time zone with summer time.

use jiff::{SignedDuration, Timestamp};
use rollcall_oracle::judge::Ruling;
use rollcall_oracle::open_points::timestamp;

use super::attempt::{Attempt, WriteIntent, WriteRuling, WriteViolation};
use super::sequence::Sequence;
use crate::engine::Engine;

/// By so many minutes clocks are changed: on Lord Howe Island by 30, at Troll by 120.
const CLOCK_CHANGES: [u64; 3] = [30, 60, 120];

/// What a write of days made of its record.
struct End {
    shown: Timestamp,
    /// How much later it is than so many times 24 hours after the write.
    late: SignedDuration,
}

impl End {
    fn of(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> Option<Self> {
        let WriteIntent::Days(days @ 1..) = attempt.intent else {
            return None;
        };
        let record = attempt.result(&engine.contract)?;
        let shown = timestamp::of(&record, &sequence.ending(engine)?)?;
        let late = shown.duration_since(timestamp::days_later(attempt.at, days));
        Some(Self { shown, late })
    }

    /// Whether it may be the beginning or the end of a day of some time zone.
    fn is_rounded(&self) -> bool {
        [0, 59].contains(&self.shown.as_second().rem_euclid(60))
    }
}

/// Compares a write of days with the first one: the two are not apart by a change of the clock.
pub(super) fn is_alike(engine: &Engine, sequence: &Sequence, attempt: &Attempt) -> WriteRuling {
    let mut attempts = sequence.attempts.iter().filter(|one| one.exchange.is_success());
    let first = attempts.find_map(|one| Some((one, End::of(engine, sequence, one)?)));
    let (Some((first, theirs)), Some(ours)) = (first, End::of(engine, sequence, attempt)) else {
        return Ruling::NotApplicable;
    };
    let minutes = (ours.late - theirs.late)
        .as_secs()
        .unsigned_abs()
        .saturating_add(30)
        / 60;
    let is_shifted = CLOCK_CHANGES.iter().any(|change| change.abs_diff(minutes) <= 1);
    if !is_shifted || ours.is_rounded() || theirs.is_rounded() {
        return Ruling::Holds;
    }
    let expected = format!("days of 24 hours, as for {}", first.what);
    let actual = format!("{}, which is {minutes} minutes off", timestamp::iso(ours.shown));
    WriteViolation::new(expected, actual)
        .shown_by(&first.exchange)
        .ruling()
}
