//! The head of a request, looked at before the HTTP library does: what two programs on the way could read in two ways is
//! refused (RFC 9112). Pure: bytes in, verdict out.

use std::fmt::{self, Display};

use http::Uri;

/// The most bytes of a head: a filter may have 1,024 characters, each of which may take twelve bytes in the address.
pub const MAX_HEAD: usize = 64 * 1024;

/// The greatest `Content-Length` that is taken for a length. How much of a body is read is decided elsewhere.
const MAX_BODY: u64 = i64::MAX as u64;

/// The most header lines of a head.
const MAX_HEADERS: usize = 100;

/// A head that can be read in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many bytes it has, the empty line included.
    pub length: usize,
    /// What follows it.
    pub body: BodyLength,
}

/// How the end of a body is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyLength {
    /// So many bytes; 0 for none.
    Bytes(u64),
    /// It comes in chunks.
    Chunked,
}

/// Why a head is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It is longer than [`MAX_HEAD`], or has more lines than we read.
    TooLong,
    /// It is no request of HTTP/1.0 or HTTP/1.1.
    NotHttp,
    /// The target has a fragment, which a reader of addresses cuts off.
    Fragment,
    /// The target is no address.
    Target,
    /// `Host` is missing, is given twice, or names no host.
    Host,
    /// `Content-Length` is given twice or is no number.
    ContentLength,
    /// `Transfer-Encoding` is something else than `chunked`, or given to HTTP/1.0.
    TransferEncoding,
    /// `Transfer-Encoding` and `Content-Length` contradict each other.
    TwoLengths,
}

/// The head at the beginning of `bytes`; none while its end is missing.
pub fn inspect(bytes: &[u8]) -> Option<Result<Head, Malformed>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => {
            let body = body_length(&request);
            Some(body.map(|body| Head { length, body }))
        }
        Ok(httparse::Status::Partial) => None,
        Err(httparse::Error::TooManyHeaders) => Some(Err(Malformed::TooLong)),
        Err(_) => Some(Err(Malformed::NotHttp)),
    }
}

fn body_length(request: &httparse::Request<'_, '_>) -> Result<BodyLength, Malformed> {
    let target = request.path.unwrap_or_default();
    if target.contains('#') {
        return Err(Malformed::Fragment);
    }
    if target.parse::<Uri>().is_err() {
        return Err(Malformed::Target);
    }
    let is_http_11 = request.version == Some(1);
    is_one_host(request, is_http_11)?;
    let mut encodings = values(request, "transfer-encoding");
    let mut lengths = values(request, "content-length");
    match (encodings.next(), lengths.next()) {
        (Some(_), Some(_)) => Err(Malformed::TwoLengths),
        (Some(encoding), None) => {
            let is_chunked = encoding.eq_ignore_ascii_case(b"chunked") && encodings.next().is_none();
            match is_chunked && is_http_11 {
                true => Ok(BodyLength::Chunked),
                false => Err(Malformed::TransferEncoding),
            }
        }
        (None, Some(length)) => {
            let is_number = !length.is_empty() && length.iter().all(u8::is_ascii_digit);
            let number = std::str::from_utf8(length)
                .ok()
                .and_then(|text| text.parse().ok());
            // The HTTP library keeps the greatest numbers for itself.
            let number = number.filter(|length| *length <= MAX_BODY && is_number && lengths.next().is_none());
            number.map(BodyLength::Bytes).ok_or(Malformed::ContentLength)
        }
        (None, None) => Ok(BodyLength::Bytes(0)),
    }
}

/// RFC 9112 §3.2: one `Host`, which HTTP/1.0 may leave out.
fn is_one_host(request: &httparse::Request<'_, '_>, is_required: bool) -> Result<(), Malformed> {
    let mut hosts = values(request, "host");
    let is_sound = match (hosts.next(), hosts.next()) {
        (None, _) => !is_required,
        (Some(host), None) => {
            let authority = http::uri::Authority::try_from(host);
            host.is_empty() || authority.is_ok_and(|authority| !authority.as_str().contains('@'))
        }
        (Some(_), Some(_)) => false,
    };
    is_sound.then_some(()).ok_or(Malformed::Host)
}

/// The values of a header, one for each line, without the blanks around them.
fn values<'r>(request: &'r httparse::Request<'_, '_>, name: &'static str) -> impl Iterator<Item = &'r [u8]> {
    let lines = request.headers.iter();
    let own = lines.filter(move |line| line.name.eq_ignore_ascii_case(name));
    own.map(|line| line.value.trim_ascii())
}

impl Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(
                f,
                "The request line and headers may have {MAX_HEAD} bytes and {MAX_HEADERS} lines."
            ),
            Self::NotHttp => f.write_str("This is no request of HTTP/1.1."),
            Self::Fragment => {
                f.write_str("The address has a raw \"#\", which would cut off what follows; write %23.")
            }
            Self::Target => f.write_str("The address in the request line cannot be read."),
            Self::Host => f.write_str("HTTP/1.1 needs exactly one Host header that names a host."),
            Self::ContentLength => f.write_str("Content-Length must be given once, as a number of bytes."),
            Self::TransferEncoding => {
                f.write_str("The only Transfer-Encoding taken is chunked, in HTTP/1.1.")
            }
            Self::TwoLengths => f.write_str("Send Content-Length or Transfer-Encoding, not both."),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(head: &str) -> Option<Result<Head, Malformed>> {
        inspect(head.as_bytes())
    }

    fn body_of(lines: &str) -> Result<BodyLength, Malformed> {
        let head = format!("PATCH /x HTTP/1.1\r\nHost: a\r\n{lines}\r\n");
        of(&head).unwrap().map(|head| head.body)
    }

    #[test]
    fn a_head_ends_at_its_empty_line() {
        let head = "GET /a?b=c HTTP/1.1\r\nHost: h:80\r\n\r\n";
        let inspected = of(&format!("{head}GET")).unwrap().unwrap();
        assert_eq!(
            (inspected.length, inspected.body),
            (head.len(), BodyLength::Bytes(0))
        );
        for end in 0..head.len() {
            assert_eq!(of(&head[..end]), None, "{end}");
        }
    }

    #[test]
    fn the_length_of_a_body_is_said_in_one_way() {
        assert_eq!(body_of("Content-Length: 12\r\n"), Ok(BodyLength::Bytes(12)));
        assert_eq!(body_of("Transfer-Encoding: Chunked\r\n"), Ok(BodyLength::Chunked));
        for (lines, why) in [
            (
                "Content-Length: 1\r\nContent-Length: 1\r\n",
                Malformed::ContentLength,
            ),
            ("Content-Length: 1, 1\r\n", Malformed::ContentLength),
            ("Content-Length: +1\r\n", Malformed::ContentLength),
            ("Content-Length: -1\r\n", Malformed::ContentLength),
            ("Content-Length:\r\n", Malformed::ContentLength),
            (
                "Content-Length: 99999999999999999999\r\n",
                Malformed::ContentLength,
            ),
            (
                "Content-Length: 18446744073709551615\r\n",
                Malformed::ContentLength,
            ),
            (
                "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
                Malformed::TwoLengths,
            ),
            (
                "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
                Malformed::TwoLengths,
            ),
            (
                "Transfer-Encoding: gzip, chunked\r\n",
                Malformed::TransferEncoding,
            ),
            (
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                Malformed::TransferEncoding,
            ),
            ("Transfer-Encoding: identity\r\n", Malformed::TransferEncoding),
        ] {
            assert_eq!(body_of(lines), Err(why), "{lines}");
        }
        let old = "PATCH /x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(of(old), Some(Err(Malformed::TransferEncoding)));
    }

    #[test]
    fn a_host_is_named_once() {
        for (head, is_taken) in [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nhost: [::1]:80\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost:\r\n\r\n", true),
            ("GET / HTTP/1.0\r\n\r\n", true),
            ("GET / HTTP/1.1\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", false),
        ] {
            let verdict = of(head).unwrap();
            let expected = if is_taken { None } else { Some(Malformed::Host) };
            assert_eq!(verdict.err(), expected, "{head}");
        }
    }

    #[test]
    fn a_fragment_is_refused_and_an_encoded_sign_is_not() {
        let with = |target: &str| of(&format!("GET {target} HTTP/1.1\r\nHost: a\r\n\r\n")).unwrap();
        assert_eq!(with("/users?page=1#&filter[email]=x"), Err(Malformed::Fragment));
        assert_eq!(with("/users#"), Err(Malformed::Fragment));
        assert!(with("/users?filter[email]=%23").is_ok());
    }

    #[test]
    fn what_is_no_http_is_refused() {
        for head in [
            "PRI * HTTP/2.0\r\n\r\n",
            "GET /\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\r\n\r\n",
        ] {
            assert_eq!(of(head), Some(Err(Malformed::NotHttp)), "{head:?}");
        }
        let many = "a: b\r\n".repeat(MAX_HEADERS + 1);
        assert_eq!(
            of(&format!("GET / HTTP/1.1\r\n{many}\r\n")),
            Some(Err(Malformed::TooLong))
        );
    }

    proptest! {
        #[test]
        fn any_bytes_get_a_verdict_within_their_length(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some(Ok(head)) = inspect(&bytes) {
                prop_assert!(head.length <= bytes.len());
            }
        }

        #[test]
        fn what_is_behind_a_head_does_not_change_it(
            target in "/[a-z/?&=%]{0,20}",
            lines in prop::collection::vec(("[A-Za-z-]{1,12}", "[ -~]{0,12}"), 0..5),
            rest in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let lines: String = lines.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let head = format!("GET {target} HTTP/1.1\r\nHost: a\r\n{lines}\r\n").into_bytes();
            let alone = inspect(&head);
            prop_assert_eq!(inspect(&[head.as_slice(), &rest].concat()), alone);
        }
    }
}
