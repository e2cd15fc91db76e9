//! The address of the server, as its callers see it.

use http::HeaderMap;
use http::header::HOST;

/// The path of the API below the address of the server (§9).
pub const VERSION_PATH: &str = "/api/v1";

/// The base address of the API: the one that the operator names, else the one that a request was sent to.
#[derive(Clone, Debug)]
pub struct Address {
    base: String,
    is_public: bool,
}

/// The longest host name with a port.
const LONGEST_HOST: usize = 255 + 6;

impl Address {
    /// `--public-url`: every caller sees this address.
    pub fn public(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            is_public: true,
        }
    }

    /// A caller sees the host that the request names; `base` is for a request that names none.
    pub fn of_request(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            is_public: false,
        }
    }

    /// The base address for the sender of these headers. It ends in `/api/v1` and has no character that could end a string of
    /// HTML, JSON or YAML.
    pub fn seen_by(&self, headers: &HeaderMap) -> String {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let host = host.filter(|host| !self.is_public && is_plain(host));
        match (host, self.base.split_once("://")) {
            (Some(host), Some((scheme, _))) => format!("{scheme}://{host}{VERSION_PATH}"),
            _ => self.base.clone(),
        }
    }
}

/// Whether a host is a name or an address with an optional port. `Host` may have further characters (RFC 3986), but no
/// server is called so.
fn is_plain(host: &str) -> bool {
    let fits =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']');
    let starts = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'[';
    host.len() <= LONGEST_HOST && host.as_bytes().first().is_some_and(starts) && host.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn headers(host: &str) -> HeaderMap {
        let value = HeaderValue::from_str(host).ok();
        value.into_iter().map(|value| (HOST, value)).collect()
    }

    #[test]
    fn a_caller_sees_the_host_that_it_asked_unless_the_operator_names_an_address() {
        let listening = Address::of_request("https://127.0.0.1:8080/api/v1");
        assert_eq!(
            listening.seen_by(&headers("directory.example.net:8443")),
            "https://directory.example.net:8443/api/v1"
        );
        assert_eq!(listening.seen_by(&headers("[::1]:80")), "https://[::1]:80/api/v1");
        assert_eq!(
            listening.seen_by(&HeaderMap::new()),
            "https://127.0.0.1:8080/api/v1"
        );
        let public = Address::public("https://directory.example.net/api/v1");
        assert_eq!(
            public.seen_by(&headers("elsewhere.example.org")),
            "https://directory.example.net/api/v1"
        );
    }

    proptest! {
        #[test]
        fn no_host_ends_a_string(host in "[ -~]{0,40}") {
            let seen = Address::of_request("http://127.0.0.1:1/api/v1").seen_by(&headers(&host));
            prop_assert!(!seen.contains(['"', '\'', '<', '>', '&', '\\', '#', '?', ' ', '{', '}', ',']), "{}", seen);
            prop_assert!(seen.ends_with(VERSION_PATH) && seen.starts_with("http://"), "{}", seen);
        }
    }
}
