//! Simulated trouble for authors of clients: answers that are late, temporary refusals, connections that break off.
//!
//! The trouble of the n-th request follows from the seed and n alone, so a run with the same requests can be repeated.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use jiff::SignedDuration;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use crate::problem::Problem;

/// What trouble there is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simulation {
    /// How long an answer waits.
    pub latency: Latency,
    /// How many requests fail.
    pub fail_rate: FailRate,
    /// Where the random numbers start.
    pub seed: u64,
}

/// The shortest and the longest wait of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    shortest: Duration,
    longest: Duration,
}

/// The part of all requests that fail, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FailRate(f64);

/// The longest wait: a request is given up after 30 seconds.
const LONGEST: Duration = Duration::from_secs(25);

impl std::str::FromStr for Latency {
    type Err = String;

    /// Reads `200ms` or `50ms..2s`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (shortest, longest) = text.split_once("..").unwrap_or((text, text));
        let read = |text: &str| {
            let duration = text.parse::<SignedDuration>().ok();
            let duration = duration.and_then(|duration| Duration::try_from(duration).ok());
            duration.filter(|duration| *duration <= LONGEST).ok_or_else(|| {
                format!(
                    "{text:?} is not a time like 50ms or 2s, of at most {} seconds",
                    LONGEST.as_secs()
                )
            })
        };
        let (shortest, longest) = (read(shortest)?, read(longest)?);
        if shortest > longest {
            return Err("the shorter time comes first, as in 50ms..2s".to_owned());
        }
        Ok(Self { shortest, longest })
    }
}

impl std::str::FromStr for FailRate {
    type Err = String;

    /// Reads `5%`.
    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text
            .strip_suffix('%')
            .and_then(|number| number.parse::<f64>().ok());
        percent
            .filter(|percent| (0.0..=100.0).contains(percent))
            .map(|percent| Self(percent / 100.0))
            .ok_or_else(|| format!("{text:?} is not a percentage like 5%, from 0% to 100%"))
    }
}

/// How a request fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// 429 with `Retry-After`; nothing is done.
    TooManyRequests,
    /// 503 with `Retry-After`; nothing is done.
    Unavailable,
    /// The request is served, and the connection breaks off within the answer.
    Cut,
}

impl Simulation {
    /// Whether there is any trouble.
    pub fn is_any(&self) -> bool {
        !self.latency.longest.is_zero() || self.fail_rate.0 > 0.0
    }

    /// What happens to the request with this number.
    fn fate(&self, number: u64) -> (Duration, Option<Failure>) {
        // Seeds that differ in one bit give unrelated numbers.
        let mut rng = StdRng::seed_from_u64(self.seed.rotate_left(32) ^ number);
        let Latency { shortest, longest } = self.latency;
        let wait = rng.random_range(shortest..=longest);
        let failure = rng
            .random_bool(self.fail_rate.0)
            .then(|| match rng.random_range(0..3) {
                0 => Failure::TooManyRequests,
                1 => Failure::Unavailable,
                _ => Failure::Cut,
            });
        (wait, failure)
    }
}

/// The simulation and the number of the next request.
#[derive(Clone, Debug)]
pub struct Simulator {
    simulation: Simulation,
    next: Arc<AtomicU64>,
}

impl Simulator {
    /// Begins with the first request.
    pub fn new(simulation: Simulation) -> Self {
        Self {
            simulation,
            next: Arc::default(),
        }
    }
}

/// Serves a request with the trouble that the simulation has for it.
pub async fn simulate(State(simulator): State<Simulator>, request: Request, next: Next) -> Response {
    let number = simulator.next.fetch_add(1, Ordering::Relaxed);
    let (wait, failure) = simulator.simulation.fate(number);
    tokio::time::sleep(wait).await;
    match failure {
        None => next.run(request).await,
        Some(Failure::TooManyRequests) => Problem::simulated_limit().into_response(),
        Some(Failure::Unavailable) => Problem::busy().into_response(),
        Some(Failure::Cut) => cut(next.run(request).await).await,
    }
}

/// The answer with half of its body; a problem, which gets its body later, stays as it is.
async fn cut(response: Response) -> Response {
    if response.extensions().get::<Problem>().is_some() {
        return response;
    }
    let (head, body) = response.into_parts();
    // The body lies in memory already.
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let half = bytes.slice(..bytes.len() / 2);
    Response::from_parts(head, Body::new(Half(Some(half))))
}

/// A body that breaks off after these bytes. The connection ends with it.
struct Half(Option<Bytes>);

impl hyper::body::Body for Half {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready(Some(match self.0.take() {
            Some(bytes) => Ok(Frame::data(bytes)),
            None => Err(io::ErrorKind::ConnectionAborted.into()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_is_a_time_or_a_range() {
        let (short, long) = (Duration::from_millis(50), Duration::from_secs(2));
        let range = |shortest, longest| Ok(Latency { shortest, longest });
        assert_eq!("50ms..2s".parse(), range(short, long));
        assert_eq!("2s".parse(), range(long, long));
        for wrong in ["", "..", "50", "2s..50ms", "-1s", "1h", "50ms..", "1s..26s"] {
            assert!(wrong.parse::<Latency>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_fail_rate_is_a_percentage() {
        assert_eq!("5%".parse(), Ok(FailRate(0.05)));
        assert_eq!("0%".parse(), Ok(FailRate(0.0)));
        assert_eq!("100%".parse(), Ok(FailRate(1.0)));
        for wrong in ["", "5", "%", "101%", "-1%", "NaN%", "inf%"] {
            assert!(wrong.parse::<FailRate>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_trouble_at_the_rate_asked_for() {
        let simulation = |seed| Simulation {
            latency: "50ms..2s".parse().unwrap(),
            fail_rate: "5%".parse().unwrap(),
            seed,
        };
        let fates = |seed| {
            (0..10_000)
                .map(|number| simulation(seed).fate(number))
                .collect::<Vec<_>>()
        };
        let first = fates(1);
        assert_eq!(first, fates(1));
        assert_ne!(first, fates(2));
        let failures: Vec<Failure> = first.iter().filter_map(|(_, failure)| *failure).collect();
        assert!((400..600).contains(&failures.len()), "{}", failures.len());
        for kind in [Failure::TooManyRequests, Failure::Unavailable, Failure::Cut] {
            let count = failures.iter().filter(|failure| **failure == kind).count();
            assert!((100..240).contains(&count), "{kind:?}: {count}");
        }
        let waits = || first.iter().map(|(wait, _)| wait.as_millis());
        assert!(waits().min() < Some(100) && waits().max() > Some(1_900));
        assert!(waits().all(|wait| (50..=2_000).contains(&wait)));
    }
}
