//! The time that a run may take: how much of it a part of the run may use, and whether it is over.
//!
//! Invariant: without `--budget` nothing is left out.

use std::time::{Duration, Instant};

use crate::engine::Engine;

/// When a part of a run has to end; never without a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// Never.
    pub(crate) const NEVER: Self = Self(None);

    /// Whether it has passed.
    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// An average answer that takes this long or longer is slow: then what need not be sent one by one is sent side by side.
const SLOW: Duration = Duration::from_millis(100);

impl Engine {
    /// When a part of the run has to end that may use a share of the time that is left.
    pub(crate) fn deadline(&self, share: f64) -> Deadline {
        let left = self.target.time_left();
        Deadline(left.map(|left| Instant::now() + left.mul_f64(share)))
    }

    /// How many requests the run has sent when a part of it ends that may use so many percent of those that are left.
    pub(crate) fn requests_until(&self, percent: usize) -> usize {
        let sent = self.target.sent();
        sent + self.target.config().max_requests.saturating_sub(sent) * percent / 100
    }

    /// Whether the run has a budget, so that the most telling requests come first.
    pub(crate) fn has_budget(&self) -> bool {
        self.target.time_left().is_some()
    }

    /// Whether the target takes long to answer.
    pub(crate) fn is_slow(&self) -> bool {
        self.target.average_time().is_some_and(|time| time >= SLOW)
    }
}
