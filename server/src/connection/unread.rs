//! Bodies that a handler does not read to their end, as when the token is refused before: the rest stands between this request
//! and the next. A short rest is read, so that the connection can go on. Else the connection ends with the answer, and the
//! answer says so (RFC 9112 §9.3).

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, request::Parts};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::time::timeout;

/// The longest rest of a body that is read, in bytes.
const MAX_REST: u64 = 64 * 1024;
/// How long an answer waits for the rest of a body.
const REST_WAIT: Duration = Duration::from_secs(1);

/// A body that is still there when its handler has dropped it.
#[derive(Clone, Debug)]
struct SharedBody(Arc<Mutex<Incoming>>);

/// What a handler leaves of a body.
#[derive(Debug)]
pub(super) struct Rest {
    body: SharedBody,
    /// Whether the client sends it without being told to.
    is_sent: bool,
}

/// The body of a request for its handler, and what the handler leaves of it; none if there is no body.
pub(super) fn share(head: &Parts, body: Incoming) -> (Body, Option<Rest>) {
    if body.is_end_stream() {
        return (Body::new(body), None);
    }
    let body = SharedBody(Arc::new(Mutex::new(body)));
    let rest = Rest {
        body: body.clone(),
        is_sent: !head.headers.contains_key(EXPECT),
    };
    (Body::new(body), Some(rest))
}

impl Rest {
    /// Reads the rest of the body, or ends the connection with the answer.
    pub(super) async fn finish(mut self, answer: &mut Response) {
        if self.body.is_end_stream() {
            return;
        }
        let is_read = self.is_sent && timeout(REST_WAIT, self.read()).await == Ok(true);
        if !is_read {
            let headers = answer.headers_mut();
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }

    /// Reads a short rest; whether that was all.
    async fn read(&mut self) -> bool {
        let mut left = MAX_REST;
        loop {
            let size = self.body.size_hint();
            if size.lower() > left {
                return false;
            }
            let frame = std::future::poll_fn(|cx| Pin::new(&mut self.body).poll_frame(cx)).await;
            let length = match frame {
                None => return true,
                Some(Err(_)) => return false,
                Some(Ok(frame)) => frame.data_ref().map_or(0, |data| data.len() as u64),
            };
            let Some(after) = left.checked_sub(length) else {
                return false;
            };
            left = after;
        }
    }
}

impl SharedBody {
    fn lock(&self) -> MutexGuard<'_, Incoming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpBody for SharedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut *self.lock()).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().size_hint()
    }
}
