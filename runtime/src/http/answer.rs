//! What a method of the generated `Api` gives, as an HTTP answer.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, LINK};
use http::{HeaderValue, StatusCode};

use super::{Json, Page, ReceivedRequest, Rejection};

/// People's data is for the caller alone, and no cache gives it without asking again.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");

/// A page as an answer: the bare array (L1), its neighbours in `Link`, the total in `X-Total-Count` (L4).
pub fn page<R>(page: Page<R>) -> Response {
    let mut response = json(page.records.into_bytes());
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
pub fn record<R>(record: Json<R>, request: &ReceivedRequest) -> Result<Response, Rejection> {
    let tag = record.etag();
    let (tag, mut response) = match request.has(&tag)? {
        Some(held) => (held, StatusCode::NOT_MODIFIED.into_response()),
        None => (tag, json(record.into_bytes())),
    };
    if let Some(value) = tag.header() {
        response.headers_mut().insert(ETAG, value);
        response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
    }
    Ok(response)
}

fn json(bytes: Vec<u8>) -> Response {
    (
        [(CONTENT_TYPE, HeaderValue::from_static("application/json"))],
        bytes,
    )
        .into_response()
}
