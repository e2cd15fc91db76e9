//! Around every request: an id, a line in the log, a count, a limit of time; the body of a problem, its coding, and what caches
//! may keep.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use rollcall_store::clock::Clock;
use rollcall_store::ids::Ids;
use tokio::time::timeout;

use crate::compression::Compression;
use crate::connection::Malformed;
use crate::correlation::Correlation;
use crate::problem::Problem;
use crate::routes;

/// The longest a request may take, body included.
const LONGEST: Duration = Duration::from_secs(30);

/// What is known of all requests.
#[derive(Clone)]
pub struct RequestLog {
    ids: Arc<Mutex<Ids>>,
    clock: Clock,
    compression: Option<Compression>,
    requests: Family<Outcome, Counter>,
    seconds: Family<Served, Histogram>,
    running: Gauge,
}

/// A request that runs; it is counted until this is dropped, however it ends.
struct Running<'l>(&'l Gauge);

impl<'l> Running<'l> {
    fn begin(running: &'l Gauge) -> Self {
        running.inc();
        Self(running)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Served {
    operation: &'static str,
}

/// What is counted of a request: a few values each, whatever clients send.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    method: &'static str,
    operation: &'static str,
    status: u16,
}

/// The operation that a request was routed to, by its id in the contract; of other routes the path.
#[derive(Clone, Copy, Debug)]
struct Routed(&'static str);

/// The operation of a request that was routed nowhere.
const NOWHERE: &str = "none";

/// Headers about the empty answer that carried a problem.
const OF_THE_BODY: [HeaderName; 2] = [CONTENT_LENGTH, CONTENT_TYPE];

/// The most characters of a path in the log.
const LOGGED: usize = 200;

impl RequestLog {
    /// Registers the metrics.
    pub fn new(clock: Clock, ids: Ids, compression: Option<Compression>, registry: &mut Registry) -> Self {
        let requests = Family::default();
        let seconds = Family::new_with_constructor(
            (|| Histogram::new(exponential_buckets(0.000_25, 2.0, 14))) as fn() -> Histogram,
        );
        let running = Gauge::default();
        registry.register(
            "rollcall_requests",
            "Requests answered, by method, operation and status",
            requests.clone(),
        );
        registry.register(
            "rollcall_request_seconds",
            "Time to answer a request, by operation",
            seconds.clone(),
        );
        registry.register(
            "rollcall_requests_running",
            "Requests that are being answered",
            running.clone(),
        );
        Self {
            ids: Arc::new(Mutex::new(ids)),
            clock,
            compression,
            requests,
            seconds,
            running,
        }
    }
}

/// Notes where a request was routed to, for [`log_requests`].
pub async fn note_route(matched: MatchedPath, request: Request, next: Next) -> Response {
    let path = matched.as_str();
    let route = routes::all().iter().find(|route| route.path == path);
    let label = route.map_or(NOWHERE, |route| route.label);
    let mut response = next.run(request).await;
    response.extensions_mut().insert(Routed(label));
    response
}

/// A method by one of a few names.
fn known(method: &Method) -> &'static str {
    let known = [
        Method::GET,
        Method::HEAD,
        Method::PATCH,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
    ];
    let names = ["GET", "HEAD", "PATCH", "POST", "PUT", "DELETE", "OPTIONS"];
    let mut pairs = known.iter().zip(names);
    pairs
        .find(|(known, _)| *known == method)
        .map_or("OTHER", |(_, name)| name)
}

/// The answer, unless it takes longer than [`LONGEST`]. The timer is set only if the answer is not made when the other tasks
/// that are ready have run: most answers are, and to set a timer costs as much as to find a record.
async fn within_limit(answer: impl Future<Output = Response>) -> Option<Response> {
    let mut answer = pin!(answer);
    let mut has_waited = false;
    let at_once = poll_fn(|context| match answer.as_mut().poll(context) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending if has_waited => Poll::Ready(None),
        Poll::Pending => {
            has_waited = true;
            context.waker().wake_by_ref();
            Poll::Pending
        }
    });
    match at_once.await {
        Some(answer) => Some(answer),
        None => timeout(LONGEST, answer).await.ok(),
    }
}

/// Serves one request under observation. Its log line has the path but never the query or a header: no token, no name.
pub async fn log_requests(State(log): State<RequestLog>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let _running = Running::begin(&log.running);
    let (method, path) = (known(request.method()), request.uri().path().to_owned());
    let malformed = request.extensions().get::<Malformed>().copied();
    let Correlation { request_id, trace_id } = Correlation::of(request.headers());
    let id = request_id.unwrap_or_else(|| {
        let mut ids = log.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.unique(log.clock.now())
    });
    let compression = log.compression.as_ref();
    let wanted = compression.map(|_| Compression::wanted(request.method(), request.headers()));
    let wanted = wanted.transpose();
    let mut response = match (malformed, &wanted) {
        (Some(malformed), _) => Problem::malformed(malformed).into_response(),
        (None, Err(refused)) => refused.clone().into_response(),
        (None, Ok(_)) => {
            let answered = within_limit(next.run(request)).await;
            answered.unwrap_or_else(|| Problem::too_slow(LONGEST).into_response())
        }
    };
    let routed = response.extensions_mut().remove::<Routed>();
    let operation = routed.map_or(NOWHERE, |routed| routed.0);
    let problem = response.extensions_mut().remove::<Problem>();
    if let Some(problem) = problem {
        let before = std::mem::take(response.headers_mut());
        response = problem.render(&path, &id);
        for (name, value) in before.iter().filter(|(name, _)| !OF_THE_BODY.contains(name)) {
            response.headers_mut().append(name.clone(), value.clone());
        }
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    // What says nothing of caches is people's data, or the state of the server.
    let caching = response.headers_mut().entry(CACHE_CONTROL);
    caching.or_insert(HeaderValue::from_static("private, no-store"));
    if let (Some(compression), Ok(Some(wanted))) = (compression, wanted) {
        response = compression.encode(wanted, response).await;
    }
    let (status, elapsed) = (response.status().as_u16(), started.elapsed());
    log.requests
        .get_or_create(&Outcome {
            method,
            operation,
            status,
        })
        .inc();
    log.seconds
        .get_or_create(&Served { operation })
        .observe(elapsed.as_secs_f64());
    // Where nobody reads the line, nothing is escaped for it.
    if !tracing::enabled!(tracing::Level::INFO) {
        return response;
    }
    let path: String = path.escape_debug().take(LOGGED).collect();
    tracing::info!(method, path, operation, status, micros = elapsed.as_micros(), request_id = %id, trace_id, "request");
    response
}
