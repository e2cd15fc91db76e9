//! What must hold for a change to be made, and which change it is.

use std::str::FromStr;

use http::header::IF_MATCH;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use sha2::{Digest, Sha256};

use super::{ETags, Rejection};
use crate::{Fault, FaultCode};

/// The most bytes of `If-Match` and of `If-None-Match`, all lines together.
const MAX_ETAGS: usize = 1_024;

/// Preconditions and idempotency of a change (O11).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// ETags one of which the record must have.
    pub if_match: Option<ETags>,
    /// The caller's key for this request.
    pub idempotency_key: Option<String>,
    /// A digest of method, path and body. Two requests under one key must have the same digest.
    pub fingerprint: [u8; 32],
}

/// The entity tags that a header names, if it was sent.
pub(super) fn tags(headers: &HeaderMap, name: HeaderName) -> Result<Option<ETags>, Rejection> {
    let lines = headers.get_all(&name);
    let bytes: usize = lines.iter().map(HeaderValue::len).sum();
    if bytes > MAX_ETAGS {
        let detail = format!("this header may have {MAX_ETAGS} bytes");
        let fault = Fault::of_parameter(name.as_str(), FaultCode::ValueTooLong, detail);
        return Err(Rejection::Query(vec![fault]));
    }
    Ok(ETags::read(lines))
}

impl Conditions {
    /// Reads the conditions of a change; `K` is the type of an idempotency key.
    pub(super) fn of<K: FromStr>(
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Self, Rejection> {
        let key_name = HeaderName::from_static("idempotency-key");
        let refused =
            |code, detail| Rejection::Query(vec![Fault::of_parameter(key_name.as_str(), code, detail)]);
        let mut keys = headers.get_all(&key_name).iter();
        let key = keys.next().map(|value| {
            let key = value
                .to_str()
                .ok()
                .and_then(|key| key.parse::<K>().is_ok().then(|| key.to_owned()));
            key.ok_or_else(|| {
                refused(
                    FaultCode::InvalidValue,
                    "an idempotency key has 1 to 255 visible ASCII characters",
                )
            })
        });
        if keys.next().is_some() {
            return Err(refused(
                FaultCode::RepeatedParameter,
                "an idempotency key is given once",
            ));
        }
        let mut digest = Sha256::new();
        for part in [method.as_str().as_bytes(), path.as_bytes(), body] {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        Ok(Self {
            if_match: tags(headers, IF_MATCH)?,
            idempotency_key: key.transpose()?,
            fingerprint: digest.finalize().into(),
        })
    }
}
