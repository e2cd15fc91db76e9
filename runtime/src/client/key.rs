//! Idempotency keys (O11).

use reqwest::header::{HeaderName, HeaderValue};

/// The header of a key.
pub(super) const NAME: HeaderName = HeaderName::from_static("idempotency-key");

/// A key that no other request has: 128 random bits.
///
/// # Errors
/// The system gives no random numbers.
pub(super) fn random() -> Result<HeaderValue, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|why| why.to_string())?;
    let digits = bytes.map(|byte| format!("{byte:02x}")).concat();
    HeaderValue::try_from(digits).map_err(|why| why.to_string())
}
