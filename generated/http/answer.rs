//! What a method of [`crate::Api`] gives, as an HTTP answer.

use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, ETAG, LINK};
use http::{HeaderValue, StatusCode};
use serde::Serialize;

use super::{ETag, Incoming, Page};

/// A page as an answer: the bare array (L1), its neighbours in `Link`, the total in `X-Total-Count` (L4).
pub fn page<R: Serialize>(page: Page<R>) -> Response {
    let mut response = json(bytes(&page.records));
    let links = page
        .links
        .iter()
        .map(|(relation, address)| format!("<{address}>; rel=\"{relation}\""));
    let links = links.collect::<Vec<_>>().join(", ");
    if !links.is_empty()
        && let Ok(value) = HeaderValue::try_from(links)
    {
        response.headers_mut().insert(LINK, value);
    }
    if let Some(total) = page.total {
        response.headers_mut().insert("x-total-count", total.into());
    }
    response
}

/// A record as an answer, with its ETag; 304 where the sender of a GET has it already. A change is always answered.
pub fn record<R: Serialize>(record: &R, incoming: &Incoming) -> Response {
    let bytes = bytes(record);
    let tag = ETag::of(&bytes);
    let mut response = if incoming.held().is_some_and(|held| held.hold(&tag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        json(bytes)
    };
    if let Some(value) = tag.header() {
        response.headers_mut().insert(ETAG, value);
    }
    response
}

/// The ETag of a record.
pub fn etag<R: Serialize>(record: &R) -> ETag {
    ETag::of(&bytes(record))
}

fn json(bytes: Vec<u8>) -> Response {
    (
        [(CONTENT_TYPE, HeaderValue::from_static("application/json"))],
        bytes,
    )
        .into_response()
}

fn bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // The models have string keys and finite numbers only, so they always serialise.
    serde_json::to_vec(value).unwrap_or_default()
}
