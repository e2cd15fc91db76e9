//! The whole service as one router: the contents page.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCEPT, ALLOW, AUTHORIZATION, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH, LINK, RETRY_AFTER,
    WWW_AUTHENTICATE,
};
use http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use prometheus_client::registry::Registry;
use rollcall::model::ProblemCode;
use rollcall_demo::simulation::Simulation;
use rollcall_pages::Address;
use rollcall_store::Store;
use rollcall_store::ids::Ids;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::api::Service;
use crate::auth::{RATE_LIMIT, RATE_LIMIT_POLICY, RateLimit};
use crate::compression::{self, Compression};
use crate::health::{self, HealthState};
use crate::problem::Problem;
use crate::request_log::{RequestLog, log_requests, note_route};
use crate::routes::nothing_at;
use crate::simulate::{Simulator, simulate};
pub use rollcall_pages::VERSION_PATH;

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

/// What the operator has decided about a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What requests may take of the server.
    pub limits: RequestLimits,
    /// The address that callers see.
    pub address: Address,
    /// The origins whose pages may call the API from a browser; `*` is all of them. Empty: none may.
    pub origins: Vec<HeaderValue>,
    /// The level of gzip for answers, from 1 to 9; at 0 no answer is compressed.
    pub compression: u32,
}

impl Settings {
    /// The defaults of a server that listens at this base address.
    pub fn at(base: &str) -> Self {
        Self {
            limits: RequestLimits::default(),
            address: Address::of_request(base),
            origins: Vec::new(),
            compression: compression::LEVEL,
        }
    }
}

/// All routes on this store.
pub fn app(store: Store, settings: Settings) -> Router {
    let Settings {
        limits,
        address,
        origins,
        compression,
    } = settings;
    let mut registry = Registry::default();
    let compression = Compression::at(compression);
    let log = RequestLog::new(store.clock().clone(), Ids::new(), compression, &mut registry);
    let state = HealthState::new(store.clone(), registry);
    let service = Service::new(store, RateLimit::new(limits.per_token));
    let places = Arc::new(Semaphore::new(limits.at_once));
    let mut api = rollcall::router(service).layer(from_fn_with_state(places, take_place));
    if limits.simulation.is_any() {
        api = api.layer(from_fn_with_state(Simulator::new(limits.simulation), simulate));
    }
    let router = Router::new()
        .nest(VERSION_PATH, api)
        .merge(rollcall_pages::router(address, &health::PATHS).layer(from_fn(explain)))
        .merge(health::router(state))
        .route_layer(from_fn(note_route))
        .method_not_allowed_fallback(other_method)
        .fallback(not_found)
        .layer(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| -> Response { Problem::internal().into_response() },
        ));
    // Only a request of a browser from another origin is answered by this layer, and only if the operator allows origins.
    let router = match origins.is_empty() {
        true => router,
        false => router.layer(cross_origin(origins)),
    };
    router.layer(from_fn_with_state(log, log_requests))
}

/// Lets pages of these origins call the API. Tokens are sent in a header that the page sets, so cookies are not allowed.
fn cross_origin(origins: Vec<HeaderValue>) -> CorsLayer {
    let origins = match origins.iter().any(|origin| origin == "*") {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(origins),
    };
    let idempotency_key = HeaderName::from_static("idempotency-key");
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::HEAD, Method::PATCH])
        .allow_headers([
            ACCEPT,
            AUTHORIZATION,
            CONTENT_TYPE,
            IF_MATCH,
            IF_NONE_MATCH,
            idempotency_key,
        ])
        .expose_headers([
            ALLOW,
            ETAG,
            LINK,
            RATE_LIMIT,
            RATE_LIMIT_POLICY,
            RETRY_AFTER,
            WWW_AUTHENTICATE,
            HeaderName::from_static("x-request-id"),
            HeaderName::from_static("x-total-count"),
        ])
        .max_age(PREFLIGHT)
}

/// How long a browser may remember what a page of another origin may do.
const PREFLIGHT: Duration = Duration::from_secs(600);

/// Serves a request if there is a place for it.
async fn take_place(State(places): State<Arc<Semaphore>>, request: Request, next: Next) -> Response {
    match places.try_acquire() {
        Ok(_place) => next.run(request).await,
        Err(_) => Problem::busy().into_response(),
    }
}

/// Gives a page that cannot be shown its problem.
async fn explain(uri: Uri, request: Request, next: Next) -> Response {
    let answer = next.run(request).await;
    match answer.status() {
        StatusCode::NOT_FOUND => nothing_at(uri.path()).into_response(),
        StatusCode::INTERNAL_SERVER_ERROR => Problem::internal().into_response(),
        _ => answer,
    }
}

/// A method that a path does not have. The router adds the header Allow. OPTIONS asks for this header alone (RFC 9110
/// §9.3.7).
async fn other_method(method: Method, uri: Uri) -> Response {
    let path = uri.path();
    match method {
        Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        method => Problem::new(
            ProblemCode::MethodNotAllowed,
            format!(
                "{path} does not take {method}.{}",
                instead(&method, path).unwrap_or_default()
            ),
        )
        .into_response(),
    }
}

/// The command that does what a request wanted to do with people: the contract has no way to add, change or remove them.
fn instead(method: &Method, path: &str) -> Option<&'static str> {
    let below = path
        .strip_prefix(VERSION_PATH)?
        .strip_prefix("/directory/users")?;
    let is_one = below.len() > 1 && below.starts_with('/');
    match *method {
        Method::POST if !is_one => {
            Some(" People come in by the commands `rollcall-server import` and `rollcall-server person add`.")
        }
        Method::PUT | Method::PATCH if is_one => {
            Some(" The command `rollcall-server person set` changes a person.")
        }
        Method::DELETE => Some(" The command `rollcall-server person remove` soft-deletes a person."),
        _ => None,
    }
}

async fn not_found(method: Method, uri: Uri) -> Response {
    // `OPTIONS *` asks about the server as a whole, and there is nothing to say.
    if method == Method::OPTIONS && uri.path() == "*" {
        return StatusCode::NO_CONTENT.into_response();
    }
    let version = uri
        .path()
        .strip_prefix("/api/")
        .and_then(|rest| rest.split('/').next());
    match version {
        Some(version) if !VERSION_PATH.ends_with(version) => Problem::new(
            ProblemCode::UnknownVersion,
            format!("There is no version {version:?}; this is {VERSION_PATH}."),
        ),
        _ => nothing_at(uri.path()),
    }
    .into_response()
}
