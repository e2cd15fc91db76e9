//! Whether the sender takes JSON.

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};

use super::Rejection;

pub(super) fn accepts_json(headers: &HeaderMap) -> Result<(), Rejection> {
    let values = || headers.get_all(ACCEPT).iter();
    if values().all(HeaderValue::is_empty) {
        return Ok(());
    }
    let ranges = values()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|one| one.split(','));
    // The range that says most about JSON decides (RFC 9110 §12.5.1).
    match ranges.filter_map(wants_json).max() {
        Some((_, true)) => Ok(()),
        Some((_, false)) | None => Err(Rejection::NotAcceptable),
    }
}

/// How closely a media range names JSON, if at all, and whether it is wanted.
fn wants_json(range: &str) -> Option<(u8, bool)> {
    let mut parts = range.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
    let mut known = ["*/*", "application/*", "application/json"].iter().zip(0..);
    let closeness = known.find_map(|(known, closeness)| (*known == kind).then_some(closeness))?;
    let refused = parts.any(|part| {
        let weight = part.to_ascii_lowercase();
        matches!(weight.as_str(), "q=0" | "q=0." | "q=0.0" | "q=0.00" | "q=0.000")
    });
    Some((closeness, !refused))
}
