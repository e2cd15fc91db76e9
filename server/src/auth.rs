//! Who calls, and how often they may (§5, A1, A2, A6, A9).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};
use rollcall::Timestamp;
use rollcall::http::Operation;
use rollcall_store::grant::Grant;

use crate::problem::Problem;

/// The token of a request: one Authorization header, whose scheme is Bearer in any spelling.
pub fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    let mut sent = headers.get_all(AUTHORIZATION).iter();
    let (Some(header), None) = (sent.next(), sent.next()) else {
        return Err(Problem::unauthorized(false));
    };
    let header = header.to_str().map_err(|_| Problem::unauthorized(true))?;
    let (scheme, token) = header.split_once(' ').ok_or_else(Problem::wrong_scheme)?;
    let token = token.trim_matches(' ');
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Problem::wrong_scheme());
    }
    if token.is_empty() || token.len() > MAX_TOKEN {
        return Err(Problem::unauthorized(true));
    }
    Ok(token)
}

/// The most bytes of a token worth hashing.
const MAX_TOKEN: usize = 512;

/// Whether the token may be used for this operation.
pub fn check_scope(grant: &Grant, operation: &Operation) -> Result<(), Problem> {
    match grant.scopes.iter().any(|scope| scope == operation.scope) {
        true => Ok(()),
        false => Err(Problem::insufficient_scope(operation.scope)),
    }
}

/// Requests each token may send in a second; off without a limit (A6).
#[derive(Debug)]
pub struct RateLimit {
    per_second: Option<u32>,
    spent: Mutex<HashMap<String, (i64, u32)>>,
}

impl RateLimit {
    /// A limit, or none.
    pub fn new(per_second: Option<u32>) -> Self {
        Self {
            per_second,
            spent: Mutex::default(),
        }
    }

    /// Counts a request of this token in the present second; none without a limit.
    pub fn spend(&self, token: &str, now: Timestamp) -> Option<Allowance> {
        let per_second = self.per_second?;
        let second = now.micros().div_euclid(1_000_000);
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        // What was spent in other seconds no longer matters, so the map is as small as the callers of one second.
        spent.retain(|_, (when, _)| *when == second);
        let (_, count) = spent.entry(token.to_owned()).or_insert((second, 0));
        *count = count.saturating_add(1);
        Some(Allowance {
            per_second,
            spent: *count,
        })
    }
}

/// The requests of a token in a second: those that it may send, and those that it has sent.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    per_second: u32,
    spent: u32,
}

/// The header with the limit, and the header with what is left of it.
pub const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// See [`RATE_LIMIT_POLICY`].
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");

impl Allowance {
    /// Refuses a request beyond the limit (429).
    pub fn check(self) -> Result<(), Problem> {
        match self.spent > self.per_second {
            true => Err(Problem::too_many_requests(self.per_second)),
            false => Ok(()),
        }
    }

    /// What the sender is told about the limit, as draft-ietf-httpapi-ratelimit-headers has it since its version 08: the quota
    /// `q` in a window of `w` seconds, the requests `r` that remain, and the seconds `t` until the next window.
    pub fn headers(self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let Self { per_second, spent } = self;
        let left = per_second.saturating_sub(spent);
        let policy = format!("\"second\";q={per_second};w=1");
        let rest = format!("\"second\";r={left};t=1");
        let headers = [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, rest)].into_iter();
        headers.filter_map(|(name, value)| Some((name, HeaderValue::try_from(value).ok()?)))
    }
}
