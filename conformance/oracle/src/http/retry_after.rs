//! How long to wait before a request is sent again.
//!
//! Invariant: where a target names no time, no wait is longer than [`LONGEST`]. Whether a time that it names is too long is for the
//! caller to say.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// The longest wait where the target names none.
pub const LONGEST: Duration = Duration::from_secs(60);

/// How long an answer asks us to wait, in seconds or until a date; without either, twice as long as the last time.
pub fn asked_for(headers: &HeaderMap, tries: u32) -> Duration {
    let header = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let asked = header(RETRY_AFTER).and_then(|value| match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => until(value, header(DATE)),
    });
    asked.unwrap_or_else(|| after(tries).min(LONGEST))
}

/// How long to wait after so many tries if nobody says.
pub fn after(tries: u32) -> Duration {
    Duration::from_millis(250 << tries.min(8))
}

/// The time until a date, by the target's clock where it shows it: ours may be wrong.
fn until(date: &str, now: Option<&str>) -> Option<Duration> {
    let date = httpdate::parse_http_date(date).ok()?;
    let now = now.and_then(|now| httpdate::parse_http_date(now).ok());
    let left = date.duration_since(now.unwrap_or_else(SystemTime::now));
    Some(left.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn asked(retry: &'static str, date: Option<&'static str>) -> Duration {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_static(retry));
        if let Some(date) = date {
            headers.insert(DATE, HeaderValue::from_static(date));
        }
        asked_for(&headers, 1)
    }

    #[test]
    fn seconds_are_taken_as_they_are() {
        assert_eq!(asked("0", None), Duration::ZERO);
        assert_eq!(asked("7", None), Duration::from_secs(7));
        assert_eq!(asked("86400", None), Duration::from_secs(86_400));
    }

    #[test]
    fn a_date_is_read_by_the_clock_of_the_target() {
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(
            asked("Sun, 06 Nov 1994 08:49:41 GMT", date),
            Duration::from_secs(4)
        );
        assert_eq!(asked("Sun, 06 Nov 1994 08:00:00 GMT", date), Duration::ZERO);
    }

    #[test]
    fn a_date_that_has_passed_asks_for_no_wait() {
        assert_eq!(asked("Sun, 06 Nov 1994 08:49:41 GMT", None), Duration::ZERO);
    }

    #[test]
    fn without_anything_legible_the_wait_doubles() {
        assert_eq!(asked("soon", None), after(1));
        assert_eq!(after(2), after(1) * 2);
        assert_eq!(asked_for(&HeaderMap::new(), 40), LONGEST);
    }
}
