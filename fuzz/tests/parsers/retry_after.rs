//! `Retry-After` as the runner reads it: `conformance/src/http/retry_after.rs`. An input has the value of the header, and on a second
//! line that of `Date`.

use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use rollcall_fuzz::target;
use rollcall_oracle::http::retry_after::{LONGEST, asked_for};

target!(property);

/// A number of seconds is read as it is. Without a time the wait has a limit.
fn property(input: &[u8]) {
    let mut headers = HeaderMap::new();
    let mut lines = input.splitn(2, |byte| *byte == b'\n');
    for name in ["retry-after", "date"] {
        if let Some(Ok(value)) = lines.next().map(HeaderValue::from_bytes) {
            headers.insert(name, value);
        }
    }
    for tries in [0, 1, 40, u32::MAX] {
        assert!(asked_for(&HeaderMap::new(), tries) <= LONGEST);
        let _ = asked_for(&headers, tries);
    }
    let value = headers.get("retry-after").and_then(|value| value.to_str().ok());
    if let Some(Ok(seconds)) = value.map(|value| value.trim().parse()) {
        assert_eq!(asked_for(&headers, 1), Duration::from_secs(seconds));
    }
}
