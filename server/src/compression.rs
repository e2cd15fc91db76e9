//! gzip for the bodies of answers, if the sender of the request reads it. `request_log.rs` asks before a request is served
//! which coding is wanted, and compresses the answer when its body and headers are complete.
//!
//! Invariant: without `Accept-Encoding` nothing is compressed, copied or counted.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::response::Response;
use flate2::write::GzEncoder;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, VARY};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use hyper::body::Frame;
use rollcall::http::{Coding, Codings, ETag};
use rollcall::model::ProblemCode;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::problem::Problem;

/// The level, unless the operator says otherwise: docs/benchmarks.md has what each level costs and saves.
pub const LEVEL: u32 = 2;

/// The level for pages, which are compressed once.
const LEVEL_OF_PAGES: u32 = 9;

/// Bodies with fewer bytes are sent as they are: with its headers such an answer is one packet either way.
const LEAST: u64 = 1_024;

/// Bodies with more bytes are compressed on another thread, so that the other connections of this one do not wait. It is done in
/// a fraction of the time for a list of this size.
const MOST_AT_ONCE: usize = 16 * 1_024;

/// Pages that are kept compressed. There are a dozen, and the contract has another form for each name of the server.
const MOST_KEPT: usize = 32;

const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// Compresses answers; a clone shares the places and the pages that are kept.
#[derive(Clone, Debug)]
pub struct Compression {
    level: u32,
    /// One place for each processor: an encoder has 260 KB.
    places: Arc<Semaphore>,
    /// Compressed pages by their ETag, which is a digest of the page.
    kept: Arc<Mutex<HashMap<HeaderValue, Bytes>>>,
}

/// What the sender of a request reads.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    coding: Coding,
    is_identity_refused: bool,
    is_head: bool,
}

impl Compression {
    /// Compression at this level of gzip, from 1 to 9; none at 0.
    pub fn at(level: u32) -> Option<Self> {
        let processors = thread::available_parallelism().map_or(2, usize::from);
        (level > 0).then(|| Self {
            level,
            places: Arc::new(Semaphore::new(processors)),
            kept: Arc::default(),
        })
    }

    /// The coding that the sender of a request wants most.
    ///
    /// # Errors
    /// 406 if `Accept-Encoding` refuses gzip and the body as it is.
    pub fn wanted(method: &Method, headers: &HeaderMap) -> Result<Wanted, Problem> {
        let codings = Codings::of(headers);
        let coding = codings.preferred().ok_or_else(|| {
            let detail = "Accept-Encoding refuses every coding of this server; allow gzip or identity.";
            Problem::new(ProblemCode::NotAcceptable, detail)
        })?;
        Ok(Wanted {
            coding,
            is_identity_refused: !codings.accept(Coding::Identity),
            is_head: method == Method::HEAD,
        })
    }

    /// The answer in the coding that is wanted.
    pub async fn encode(&self, wanted: Wanted, mut answer: Response) -> Response {
        if answer.headers().contains_key(CONTENT_ENCODING) {
            return answer;
        }
        let is_worth = wanted.is_identity_refused || length(&answer).is_some_and(|length| length >= LEAST);
        if answer.status() == StatusCode::NOT_MODIFIED || is_worth {
            let vary = HeaderValue::from(ACCEPT_ENCODING);
            answer.headers_mut().append(VARY, vary);
        }
        if wanted.coding == Coding::Identity || !is_worth || length(&answer).is_none_or(|length| length == 0)
        {
            return answer;
        }
        let (mut head, body) = answer.into_parts();
        let page = page(&head.headers);
        head.headers.insert(CONTENT_ENCODING, GZIP);
        if let Some(tag) = head.headers.get(ETAG).and_then(ETag::compressed) {
            head.headers.insert(ETAG, tag);
        }
        // How long the compressed body would be is not known without making it (RFC 9110 §8.6).
        head.headers.remove(CONTENT_LENGTH);
        if wanted.is_head {
            return Response::from_parts(head, Body::new(Unmeasured));
        }
        // Its length is known, so it is in memory already.
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let body = match page {
            Some(tag) => self.page(tag, body).await,
            None => self.compress(self.level, body).await,
        };
        Response::from_parts(head, Body::from(body))
    }

    /// A page, compressed the first time that it is asked for.
    async fn page(&self, tag: HeaderValue, body: Bytes) -> Bytes {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compressed) = kept().get(&tag) {
            return compressed.clone();
        }
        let compressed = self.compress(LEVEL_OF_PAGES, body).await;
        let mut kept = kept();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(tag, compressed.clone());
        compressed
    }

    async fn compress(&self, level: u32, body: Bytes) -> Bytes {
        if body.len() <= MOST_AT_ONCE {
            return gzip(level, &body);
        }
        let place = Arc::clone(&self.places).acquire_owned().await;
        // It fails only while the runtime ends, and the connection with it.
        let compressed = spawn_blocking(move || {
            let _place = place;
            gzip(level, &body)
        });
        compressed.await.unwrap_or_default()
    }
}

/// No body, of no known length: the router would tell the length of an empty one.
struct Unmeasured;

impl HttpBody for Unmeasured {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(None)
    }
}

/// The length of the body of an answer; the answer to HEAD has it in a header. None if it is not known.
fn length(answer: &Response) -> Option<u64> {
    let header = answer.headers().get(CONTENT_LENGTH);
    let header = header.and_then(|length| length.to_str().ok()?.parse().ok());
    header.or_else(|| answer.body().size_hint().exact())
}

/// The ETag of a page or a document of the contract: what every cache may keep.
fn page(headers: &HeaderMap) -> Option<HeaderValue> {
    let caching = headers.get(CACHE_CONTROL)?.to_str().ok()?;
    let tag = headers.get(ETAG).filter(|_| caching.starts_with("public"));
    tag.cloned()
}

fn gzip(level: u32, body: &[u8]) -> Bytes {
    let room = Vec::with_capacity(body.len() / 8);
    let mut encoder = GzEncoder::new(room, flate2::Compression::new(level));
    // A vector takes all that is written to it.
    _ = encoder.write_all(body);
    encoder.finish().unwrap_or_default().into()
}
