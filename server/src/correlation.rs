//! What a proxy says of a request, so that its log and ours can be held together: `X-Request-Id`, and `traceparent` of W3C Trace
//! Context. Both are checked, since everybody can send them.

use http::{HeaderMap, HeaderName};

/// The most characters of an id that is taken.
const LONGEST: usize = 128;

/// What is known of a request before it is served. None where a header is missing, repeated or not well-formed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Correlation {
    /// The id that the proxy has given it.
    pub(crate) request_id: Option<String>,
    /// The trace that it belongs to: 32 hexadecimal digits.
    pub(crate) trace_id: Option<String>,
}

impl Correlation {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self {
            request_id: only(headers, &HeaderName::from_static("x-request-id"))
                .filter(|id| is_request_id(id))
                .map(str::to_owned),
            trace_id: only(headers, &HeaderName::from_static("traceparent"))
                .and_then(trace_id)
                .map(str::to_owned),
        }
    }
}

/// The value of a header that was sent once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().filter(|_| values.next().is_none())?;
    first.to_str().ok()
}

fn is_request_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/+=@".contains(&byte);
    (1..=LONGEST).contains(&id.len()) && id.bytes().all(is_plain)
}

/// The trace of `version-trace-parent-flags`. Later versions may have more behind that.
fn trace_id(traceparent: &str) -> Option<&str> {
    let mut parts = traceparent.splitn(5, '-');
    let mut next = |length| parts.next().filter(|part| part.len() == length && is_hex(part));
    let (version, trace, parent, _flags) = (next(2)?, next(32)?, next(16)?, next(2)?);
    let is_known = version != "ff" && (version != "00" || parts.next().is_none());
    let is_zero = |id: &str| id.bytes().all(|digit| digit == b'0');
    (is_known && !is_zero(trace) && !is_zero(parent)).then_some(trace)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn of(pairs: &[(&'static str, &str)]) -> Correlation {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        Correlation::of(&headers)
    }

    #[test]
    fn what_is_well_formed_is_taken_and_nothing_else() {
        let traceparent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        let taken = of(&[("x-request-id", "a7d0-4.x"), ("traceparent", &traceparent)]);
        assert_eq!(taken.request_id.as_deref(), Some("a7d0-4.x"));
        assert_eq!(taken.trace_id.as_deref(), Some(TRACE));
        for id in ["", "a b", "a\tb", "\u{fc}", "a\"b", &"x".repeat(129)] {
            assert_eq!(of(&[("x-request-id", id)]), Correlation::default(), "{id:?}");
        }
        let twice = of(&[("x-request-id", "a"), ("x-request-id", "b")]);
        assert_eq!(twice, Correlation::default());
        let zero = "0".repeat(32);
        for trace in [
            format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            format!("00-{TRACE}-00f067aa0ba902b7-01-more"),
            format!("00-{zero}-00f067aa0ba902b7-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-00f067aa0ba902b7-01", TRACE.to_uppercase()),
            TRACE.to_owned(),
        ] {
            assert_eq!(of(&[("traceparent", &trace)]).trace_id, None, "{trace}");
        }
        let later = format!("01-{TRACE}-00f067aa0ba902b7-01-more");
        assert_eq!(of(&[("traceparent", &later)]).trace_id.as_deref(), Some(TRACE));
    }

    proptest! {
        #[test]
        fn no_header_does_harm(id in "\\PC{0,200}", trace in "[0-9a-f-]{0,80}") {
            let mut headers = HeaderMap::new();
            for (name, value) in [("x-request-id", id), ("traceparent", trace)] {
                if let Ok(value) = value.parse() {
                    headers.insert(name, value);
                }
            }
            let taken = Correlation::of(&headers);
            prop_assert!(taken.request_id.is_none_or(|id| is_request_id(&id)));
            prop_assert!(taken.trace_id.is_none_or(|id| id.len() == 32));
        }
    }
}
