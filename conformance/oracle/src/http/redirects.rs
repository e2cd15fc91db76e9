//! Redirects: which are followed, and which requests go to another address from then on.
//!
//! Followed is what leads to the same resource on the same host: to the path with or without a slash at its end, to the parameters
//! in another order, or from http to https. Anything else may be a page for people, or another host, which must not get the token.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use reqwest::Url;
use rollcall_contract::Method;

/// So many paths are remembered; a target with more is asked under the old address first.
const REMEMBERED: usize = 10_000;
/// So many redirects of one request are followed.
pub(super) const HOPS: usize = 4;

/// What a target has redirected so far.
#[derive(Debug, Default)]
pub(super) struct Redirects(Mutex<Moved>);

#[derive(Debug, Default)]
struct Moved {
    /// The address that has https in place of http.
    secure: Option<Url>,
    /// Paths, each with the one in its place.
    paths: HashMap<String, String>,
}

impl Redirects {
    /// The address that a request goes to, by what was learned.
    pub(super) fn address(&self, mut url: Url) -> Url {
        let moved = self.lock();
        if let Some(path) = moved.paths.get(url.path()) {
            url.set_path(path);
        }
        if let Some(secure) = &moved.secure
            && url.scheme() != secure.scheme()
            && url.set_scheme(secure.scheme()).is_ok()
        {
            _ = url.set_port(secure.port());
        }
        url
    }

    /// From now on requests for an address go to the one that it leads to.
    pub(super) fn learn(&self, from: &Url, to: &Url) {
        let mut moved = self.lock();
        if from.scheme() != to.scheme() {
            moved.secure = Some(to.clone());
        }
        if from.path() != to.path() && moved.paths.len() < REMEMBERED {
            // Back from where it once led: then neither is for good.
            if moved.paths.remove(to.path()).is_none() {
                moved.paths.insert(from.path().to_owned(), to.path().to_owned());
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Moved> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a redirect of a request leads, if it is followed.
pub(super) fn followed(from: &Url, method: &Method, status: u16, location: &str) -> Option<Url> {
    let keeps_method = match status {
        301 | 302 | 307 | 308 => true,
        303 => *method == Method::Get,
        _ => false,
    };
    let to = from.join(location).ok()?;
    let is_same_service = from.origin() == to.origin() || (from.scheme(), to.scheme()) == ("http", "https");
    let is_same_host = from.host_str() == to.host_str() && is_same_service;
    let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
    let is_same = path(from) == path(&to) && parameters(from) == parameters(&to);
    (keeps_method && is_same_host && is_same && *from != to).then_some(to)
}

/// The parameters of an address, in an order that does not depend on the order in which it has them.
fn parameters(url: &Url) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
    let mut parameters: Vec<_> = url.query_pairs().collect();
    parameters.sort_unstable();
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led(from: &str, status: u16, location: &str) -> Option<String> {
        let from = from.parse().unwrap();
        followed(&from, &Method::Get, status, location).map(|to| to.to_string())
    }

    #[test]
    fn a_redirect_to_the_same_resource_is_followed() {
        let users = "http://h:8000/api/v1/users?filter%5Bid%5D=a%20b";
        for (location, to) in [
            (
                "/api/v1/users/?filter[id]=a+b",
                "http://h:8000/api/v1/users/?filter[id]=a+b",
            ),
            (
                "https://h/api/v1/users?filter%5Bid%5D=a%20b",
                "https://h/api/v1/users?filter%5Bid%5D=a%20b",
            ),
        ] {
            assert_eq!(led(users, 301, location).as_deref(), Some(to));
        }
        let sorted = "/api/v1/users?a=1&b=2";
        assert_eq!(
            led("http://h/api/v1/users?b=2&a=1", 307, sorted).as_deref(),
            Some("http://h/api/v1/users?a=1&b=2")
        );
    }

    #[test]
    fn a_redirect_elsewhere_is_not_followed() {
        let users = "https://h/api/v1/users?page=2";
        for location in [
            "/login",
            "/api/v1/users/",
            "/api/v1/users?page=2",
            "/api/v1/users?page=3",
            "/api/v1/users?page=2&page=2",
            "https://other/api/v1/users/?page=2",
            "http://h/api/v1/users/?page=2",
            "https://h:8443/api/v1/users/?page=2",
        ] {
            assert_eq!(led(users, 302, location), None, "{location}");
        }
        assert_eq!(led(users, 200, "/api/v1/users/?page=2"), None);
        let from: Url = users.parse().unwrap();
        assert_eq!(
            followed(&from, &Method::Patch, 303, "/api/v1/users/?page=2"),
            None
        );
    }

    #[test]
    fn what_was_redirected_once_goes_to_its_new_address() {
        let redirects = Redirects::default();
        let url = |text: &str| text.parse::<Url>().unwrap();
        redirects.learn(
            &url("http://h/v1/users?page=1"),
            &url("https://h/v1/users/?page=1"),
        );
        let next = redirects.address(url("http://h/v1/users?page=2"));
        assert_eq!(next.as_str(), "https://h/v1/users/?page=2");
        let other = redirects.address(url("http://h/v1/users/7"));
        assert_eq!(other.as_str(), "https://h/v1/users/7");
    }
}
