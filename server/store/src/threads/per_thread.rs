//! A few things of which each thread takes the same one again: its memory is in the caches of the core that it runs on, and no
//! other thread holds its locks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Things for the use of one thread at a time.
pub(crate) struct PerThread<T>(Vec<Mutex<T>>);

static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed);
}

impl<T> PerThread<T> {
    /// These things.
    pub(crate) fn of(things: Vec<T>) -> Self {
        Self(things.into_iter().map(Mutex::new).collect())
    }

    /// The one that this thread takes as a rule; else any that no other thread uses at the time. Comes with its place.
    pub(crate) fn free(&self) -> Option<(usize, MutexGuard<'_, T>)> {
        let count = self.0.len();
        let first = NUMBER.with(|number| number % count.max(1));
        let places = (first..count).chain(0..first);
        places.filter_map(|place| Some((place, self.at(place)?))).next()
    }

    /// The one at this place, if no other thread uses it at the time.
    pub(crate) fn at(&self, place: usize) -> Option<MutexGuard<'_, T>> {
        match self.0.get(place)?.try_lock() {
            Ok(thing) => Some(thing),
            Err(TryLockError::Poisoned(thing)) => Some(thing.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
