//! How fast a target is asked: so many requests at once, so many in a second, and none while it asks for a pause.
//!
//! Invariant: a request goes out only while its [`Permit`] is held.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

/// Gives out turns.
#[derive(Debug)]
pub(super) struct RateLimit {
    turns: Semaphore,
    /// What lies between two requests.
    interval: Duration,
    /// When the next request may go out.
    next: Mutex<Instant>,
}

/// The right to have one request under way; it ends when this is dropped.
pub(super) type Permit<'p> = Option<SemaphorePermit<'p>>;

impl RateLimit {
    /// So many requests at once, and at most `rate` of them a second, evenly spaced.
    pub(super) fn new(concurrency: usize, rate: Option<f64>) -> Self {
        let interval = rate.and_then(|rate| Duration::try_from_secs_f64(rate.recip()).ok());
        Self {
            turns: Semaphore::new(concurrency.clamp(1, Semaphore::MAX_PERMITS)),
            interval: interval.unwrap_or_default(),
            next: Mutex::new(Instant::now()),
        }
    }

    /// Waits until a request may go out.
    pub(super) async fn acquire(&self) -> Permit<'_> {
        // Nobody closes the semaphore, so there is always a permit.
        let acquire = self.turns.acquire().await.ok();
        sleep_until(self.reserve()).await;
        acquire
    }

    /// Lets nothing more go out for a while.
    pub(super) fn pause(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = until.max(*next);
    }

    fn reserve(&self) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Instant::now().max(*next);
        *next = slot + self.interval;
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_are_evenly_spaced() {
        let limit = RateLimit::new(8, Some(20.0));
        let slots: Vec<_> = (0..4).map(|_| limit.reserve()).collect();
        let mut gaps = slots.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.all(|gap| gap >= Duration::from_millis(50)), "{slots:?}");
    }

    #[tokio::test]
    async fn without_a_rate_nothing_waits() {
        let limit = RateLimit::new(8, None);
        let began = Instant::now();
        let slots: Vec<_> = (0..4).map(|_| limit.reserve()).collect();
        assert!(slots.iter().all(|slot| *slot <= Instant::now() && *slot >= began));
    }

    #[tokio::test]
    async fn a_pause_holds_back_everything() {
        let limit = RateLimit::new(8, None);
        let began = Instant::now();
        limit.pause(Duration::from_secs(5));
        limit.pause(Duration::from_secs(1));
        assert!(limit.reserve() >= began + Duration::from_secs(5));
    }

    #[tokio::test]
    async fn so_many_turns_are_held_at_once() {
        let limit = RateLimit::new(2, None);
        let (one, _two) = (limit.acquire().await, limit.acquire().await);
        let third = || tokio::time::timeout(Duration::from_millis(20), limit.acquire());
        assert!(third().await.is_err());
        drop(one);
        assert!(third().await.is_ok());
    }
}
