//! The whole service as one router: the contents page.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::CONTENT_TYPE;
use http::{Method, Uri};
use prometheus_client::registry::Registry;
use rollcall::model::ProblemCode;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

use crate::api::Service;
use crate::auth::RateLimit;
use crate::health::{self, HealthState};
use crate::ids::Ids;
use crate::problem::Problem;
use crate::request_log::{RequestLog, log_requests, note_route};
use crate::simulation::{Simulation, Simulator, simulate};
use crate::store::Store;

/// The path of the API below the address of the server (§9).
pub const VERSION_PATH: &str = "/api/v1";

/// What requests may take of the server.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// Requests to the API that are served at once; any more is answered 503. Health and metrics do not count.
    pub at_once: usize,
    /// Requests that a token may send in a second; any more is answered 429. Without it there is no such limit (A6).
    pub per_token: Option<u32>,
    /// Trouble that a demo makes for authors of clients; none in any other server.
    pub simulation: Simulation,
}

/// The most requests that are served at once, unless the operator says otherwise.
pub const AT_ONCE: usize = 256;

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            at_once: AT_ONCE,
            per_token: None,
            simulation: Simulation::default(),
        }
    }
}

/// All routes on this store.
pub fn app(store: Store, limits: RequestLimits) -> Router {
    let mut registry = Registry::default();
    let log = RequestLog::new(store.clock().clone(), Ids::new(), &mut registry);
    let state = HealthState {
        store: store.clone(),
        registry: Arc::new(registry),
    };
    let service = Service::new(store, RateLimit::new(limits.per_token));
    let places = Arc::new(Semaphore::new(limits.at_once));
    let mut api = rollcall::router(service).layer(from_fn_with_state(places, take_place));
    if limits.simulation.is_any() {
        api = api.layer(from_fn_with_state(Simulator::new(limits.simulation), simulate));
    }
    Router::new()
        .nest(VERSION_PATH, api)
        .route(&[VERSION_PATH, "/openapi.yaml"].concat(), get(contract))
        .merge(health::router(state))
        .route_layer(from_fn(note_route))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found)
        .layer(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| -> Response { Problem::internal().into_response() },
        ))
        .layer(from_fn_with_state(log, log_requests))
}

/// Serves a request if there is a place for it.
async fn take_place(State(places): State<Arc<Semaphore>>, request: Request, next: Next) -> Response {
    match places.try_acquire() {
        Ok(_place) => next.run(request).await,
        Err(_) => Problem::busy().into_response(),
    }
}

/// The contract itself.
async fn contract() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/yaml")], rollcall::CONTRACT)
}

async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    Problem::new(
        ProblemCode::MethodNotAllowed,
        format!("{} does not take {method}.", uri.path()),
    )
}

async fn not_found(uri: Uri) -> Problem {
    let version = uri
        .path()
        .strip_prefix("/api/")
        .and_then(|rest| rest.split('/').next());
    match version {
        Some(version) if !VERSION_PATH.ends_with(version) => Problem::new(
            ProblemCode::UnknownVersion,
            format!("There is no version {version:?}; this is {VERSION_PATH}."),
        ),
        _ => Problem::new(
            ProblemCode::NotFound,
            format!("There is nothing at {}.", uri.path()),
        ),
    }
}
