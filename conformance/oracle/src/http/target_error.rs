//! Why there is no answer that could be judged.

use std::time::Duration;

use super::request::Request;

/// The most bytes of an answer that are read.
pub(super) const MAX_BODY: usize = 64 << 20;

/// Why there is no answer to judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// Nothing came back.
    #[error("no answer to {}: {why}", request.line())]
    NoAnswer {
        /// What was asked.
        request: Box<Request>,
        /// Whether the time for an answer was over, so that there may have been one later.
        is_late: bool,
        /// What the network says.
        why: String,
    },
    /// The target is too busy to answer, also after waiting.
    #[error("{request} was sent {} and answered {status}", times(*tries))]
    Busy {
        /// What was asked.
        request: String,
        /// 429 or 503.
        status: u16,
        /// How often it was sent.
        tries: u32,
    },
    /// The target asks for a longer wait than the run allows. Nothing more is sent.
    #[error(
        "{request} was answered {status}, which asks to wait {} (Retry-After); the run waits no longer than \
         its --timeout of {}", spoken(*wait), spoken(*most)
    )]
    TooLong {
        /// What was asked.
        request: String,
        /// 429 or 503.
        status: u16,
        /// How long the target asks to wait.
        wait: Duration,
        /// How long the run waits.
        most: Duration,
    },
    /// The answer is longer than anybody wants to read.
    #[error("the answer to {request} has more than {MAX_BODY} bytes")]
    Oversized {
        /// What was asked.
        request: String,
    },
    /// The run has taken as long as it may.
    #[error("the run may take {} (--budget) and has taken it", spoken(*limit))]
    Time {
        /// How long it may take.
        limit: Duration,
    },
    /// The run has sent as many requests as it may.
    #[error("the run may send {limit} requests and has sent them")]
    Budget {
        /// How many it may send.
        limit: usize,
    },
}

fn times(tries: u32) -> String {
    match tries {
        1 => "once".to_owned(),
        tries => format!("{tries} times"),
    }
}

/// A time in the unit that suits it.
pub(super) fn spoken(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds / 60),
        7_200..=172_799 => format!("{} hours", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}
