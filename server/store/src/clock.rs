//! The one source of the present. Everything else is told the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rollcall::Timestamp;

/// What time it is.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system's time.
    #[default]
    System,
    /// The time a test has set, in microseconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands still until [`Clock::set`].
    pub fn fixed(timestamp: Timestamp) -> Self {
        Self::Set(Arc::new(AtomicI64::new(timestamp.micros())))
    }

    /// Sets a clock that stands still; the system's goes on as it does.
    pub fn set(&self, timestamp: Timestamp) {
        if let Self::Set(micros) = self {
            micros.store(timestamp.micros(), Ordering::SeqCst);
        }
    }

    /// The present time.
    pub fn now(&self) -> Timestamp {
        let micros = match self {
            Self::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since.as_micros()).unwrap_or_default()
            }
            Self::Set(micros) => micros.load(Ordering::SeqCst),
        };
        Timestamp::from_micros(micros).unwrap_or(Timestamp::EPOCH)
    }
}
