//! The random numbers of the demo: they follow from the seed alone.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rollcall::Timestamp;

/// A generator that gives the same numbers for the same seed.
#[derive(Debug)]
pub(super) struct DemoRng(StdRng);

impl DemoRng {
    pub(super) fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// A number below `limit`; 0 if that is 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0.random_range(0..limit.max(1))
    }

    /// A place in a row of `length`; 0 in an empty one.
    pub(super) fn place(&mut self, length: usize) -> usize {
        // Below a usize it is one.
        usize::try_from(self.below(length as u64)).unwrap_or_default()
    }

    /// One of them, each as likely. There must be one.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.place(from.len())]
    }

    /// Once in `times`.
    pub(super) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// A timestamp from `start` until before `end`; `start` if that is no later.
    pub(super) fn between(&mut self, start: Timestamp, end: Timestamp) -> Timestamp {
        let span = u64::try_from(end.micros() - start.micros()).unwrap_or_default();
        let micros = i64::try_from(self.below(span)).unwrap_or_default();
        Timestamp::from_micros(start.micros() + micros).unwrap_or(start)
    }
}
