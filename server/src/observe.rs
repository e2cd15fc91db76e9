//! Around every request: an id, a line in the log, a count, a limit of time; and the body of a problem.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::clock::Clock;
use crate::ids::Ids;
use crate::problem::Problem;

/// The longest a request may take, body included.
const LONGEST: Duration = Duration::from_secs(30);

/// What is known of all requests.
#[derive(Clone)]
pub struct Observer {
    ids: Arc<Mutex<Ids>>,
    clock: Clock,
    requests: Family<Outcome, Counter>,
    seconds: Histogram,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    method: String,
    status: u16,
}

impl Observer {
    /// Registers the metrics.
    pub fn new(clock: Clock, ids: Ids, registry: &mut Registry) -> Self {
        let requests = Family::default();
        let seconds = Histogram::new(exponential_buckets(0.000_25, 2.0, 14));
        registry.register(
            "rollcall_requests",
            "Requests answered, by method and status",
            requests.clone(),
        );
        registry.register(
            "rollcall_request_seconds",
            "Time to answer a request",
            seconds.clone(),
        );
        Self {
            ids: Arc::new(Mutex::new(ids)),
            clock,
            requests,
            seconds,
        }
    }
}

/// Serves one request under observation. Its log line has the path but never the query or a header: no token, no name.
pub async fn observe(State(observer): State<Observer>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let id = observer
        .ids
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .unique(observer.clock.now());
    let answered = tokio::time::timeout(LONGEST, next.run(request)).await;
    let mut response = answered.unwrap_or_else(|_| Problem::unavailable().into_response());
    let problem = response.extensions_mut().remove::<Problem>();
    if let Some(problem) = problem {
        let allowed = response.headers_mut().remove(http::header::ALLOW);
        response = problem.render(&path, &id);
        allowed.map(|methods| response.headers_mut().insert(http::header::ALLOW, methods));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    let (status, elapsed) = (response.status().as_u16(), started.elapsed());
    observer
        .requests
        .get_or_create(&Outcome {
            method: method.to_string(),
            status,
        })
        .inc();
    observer.seconds.observe(elapsed.as_secs_f64());
    tracing::info!(%method, path = %path.escape_debug(), status, micros = elapsed.as_micros(), request_id = %id, "request");
    response
}
