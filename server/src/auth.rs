//! Who calls, and how often they may (§5, A1, A2, A6, A9).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use http::HeaderMap;
use http::header::AUTHORIZATION;
use rollcall::Timestamp;
use rollcall::http::Operation;

use crate::problem::Problem;
use crate::store::tokens::Grant;

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

    /// Counts a request of this token in the present second.
    pub fn spend(&self, token: &str, now: Timestamp) -> Result<(), Problem> {
        let Some(per_second) = self.per_second else {
            return Ok(());
        };
        let second = now.micros().div_euclid(1_000_000);
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        // What was spent in other seconds no longer matters, so the map is as small as the callers of one second.
        spent.retain(|_, (when, _)| *when == second);
        let (_, count) = spent.entry(token.to_owned()).or_insert((second, 0));
        *count += 1;
        if *count > per_second {
            Err(Problem::too_many_requests(per_second))
        } else {
            Ok(())
        }
    }
}
