//! When a request is sent again.

use std::time::{Duration, SystemTime};

use reqwest::header::RETRY_AFTER;
use reqwest::{Response, Result, StatusCode};

/// How often a request is sent again, and how long the client waits before.
///
/// A request is sent again after a 429, a 503, or a connection that breaks off; only if it is a GET or an
/// `Idempotency-Key`. A `Retry-After` of the answer says how long to wait. Without one the first wait is half a
/// second, and each further one twice as long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How often a request is sent at most; 1 sends nothing again.
    pub attempts: u32,
    /// The longest wait. An answer that asks for more is returned as it is.
    pub longest_wait: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 4,
            longest_wait: Duration::from_secs(30),
        }
    }
}

const FIRST_WAIT: Duration = Duration::from_millis(500);

impl Retry {
    /// Sends nothing again.
    pub fn never() -> Self {
        Self {
            attempts: 1,
            ..Self::default()
        }
    }

    /// How long to wait before a request that was sent so many times is sent again; `None` if it is not.
    pub(super) fn wait(&self, sent: u32, answer: &Result<Response>) -> Option<Duration> {
        if sent >= self.attempts {
            return None;
        }
        let asked = match answer {
            Ok(answer) if is_temporary(answer.status()) => {
                let text = answer
                    .headers()
                    .get(RETRY_AFTER)
                    .and_then(|value| value.to_str().ok());
                text.and_then(|text| retry_after(text, SystemTime::now()))
            }
            Err(error) if is_broken(error) => None,
            _ => return None,
        };
        let wait = asked.unwrap_or_else(|| FIRST_WAIT.saturating_mul(1 << (sent - 1).min(16)));
        (wait <= self.longest_wait).then_some(wait)
    }
}

/// Whether the connection broke off, before the answer or within it.
fn is_broken(error: &reqwest::Error) -> bool {
    let is_sent = error.is_connect() || error.is_request() || error.is_body() || error.is_decode();
    is_sent && !error.is_timeout()
}

fn is_temporary(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    )
}

/// The wait that a `Retry-After` asks for: seconds, or a date (RFC 9110 §10.2.3).
fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, retry_after: Option<&str>) -> Result<Response> {
        let mut answer = http::Response::builder().status(status);
        if let Some(text) = retry_after {
            answer = answer.header(RETRY_AFTER, text);
        }
        Ok(answer.body("").unwrap().into())
    }

    #[test]
    fn a_temporary_refusal_is_sent_again_after_the_wait_that_it_asks_for() {
        let retry = Retry::default();
        for status in [429, 503] {
            assert_eq!(
                retry.wait(1, &answer(status, Some("7"))),
                Some(Duration::from_secs(7))
            );
            assert_eq!(
                retry.wait(1, &answer(status, None)),
                Some(Duration::from_millis(500))
            );
            assert_eq!(retry.wait(3, &answer(status, None)), Some(Duration::from_secs(2)));
        }
    }

    #[test]
    fn other_answers_long_waits_and_the_last_attempt_are_final() {
        let retry = Retry::default();
        for status in [200, 304, 400, 401, 404, 409, 412, 500, 502, 504] {
            assert_eq!(retry.wait(1, &answer(status, Some("1"))), None, "{status}");
        }
        assert_eq!(retry.wait(1, &answer(503, Some("31"))), None);
        assert_eq!(retry.wait(4, &answer(503, Some("1"))), None);
        assert_eq!(Retry::never().wait(1, &answer(503, Some("0"))), None);
    }

    #[test]
    fn a_retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!(retry_after(" 120 ", now), Some(Duration::from_secs(120)));
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:49:47 GMT", now),
            Some(Duration::from_secs(10))
        );
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now),
            Some(Duration::ZERO)
        );
        for text in ["", "soon", "-1", "1.5"] {
            assert_eq!(retry_after(text, now), None, "{text}");
        }
    }
}
