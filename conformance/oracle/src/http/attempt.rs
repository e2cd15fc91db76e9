//! What sending a request once has come to.

use std::time::Duration;

use super::exchange::Exchange;
use super::target_error::TargetError;

/// What sending a request once has come to.
pub(super) enum Attempt {
    /// There is an answer.
    Answered(Box<Exchange>),
    /// The target is too busy and may be asked again in a while.
    Busy {
        status: u16,
        wait: Duration,
        /// Whether it says that it did not carry the request out: a 503 without a time may mean anything.
        is_refused: bool,
    },
    /// The connection was not made, or it broke.
    Broken(TargetError),
}
