//! Simulated trouble for authors of clients: answers that are late, temporary refusals, connections that break off.
//!
//! The trouble of the n-th request follows from the seed and n alone, so a run with the same requests can be repeated.

use std::time::Duration;

use jiff::SignedDuration;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

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
pub enum Failure {
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

    /// How long the request with this number waits, and how it fails if it does.
    pub fn fate(&self, number: u64) -> (Duration, Option<Failure>) {
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
