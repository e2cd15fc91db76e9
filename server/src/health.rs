//! What operators see, code first: health, metrics, and a description of both (utoipa). Not part of the contract.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use rollcall_store::{Ready, Store};
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::metrics::StoreMetrics;

/// What the pages need.
#[derive(Clone)]
pub struct HealthState {
    /// Asked whether it answers.
    pub store: Store,
    /// The metrics.
    pub registry: Arc<Registry>,
    ready: Gauge,
    takes_changes: Gauge,
}

impl HealthState {
    /// Registers the metrics that each request of `/metrics` sets anew.
    pub fn new(store: Store, mut registry: Registry) -> Self {
        let (ready, takes_changes) = (Gauge::default(), Gauge::default());
        registry.register(
            "rollcall_ready",
            "1 if requests can be answered, as /readyz says",
            ready.clone(),
        );
        registry.register(
            "rollcall_takes_changes",
            "1 if changes can be stored",
            takes_changes.clone(),
        );
        registry.register_collector(Box::new(StoreMetrics(store.clone())));
        Self {
            store,
            registry: Arc::new(registry),
            ready,
            takes_changes,
        }
    }
}

/// How the server is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`, or what is wrong.
    status: String,
    /// The version of this server.
    version: &'static str,
}

impl Health {
    fn new(status: impl Into<String>) -> Self {
        Self {
            status: status.into(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Operating a Rollcall server",
        description = "Health and metrics. The API itself is openapi.yaml."
    ),
    tags((name = "Operation", description = "Health and metrics, for operators. They are no part of the contract and need no token."))
)]
struct Description;

/// The paths of the routes, with a few words about each.
pub const PATHS: [(&str, &str); 6] = [
    ("/healthz", "The process runs"),
    ("/readyz", "The store can do its work"),
    ("/health/live", "The same as /healthz"),
    ("/health/ready", "The same as /readyz"),
    ("/metrics", "Counters and times, for Prometheus"),
    ("/operate/openapi.json", "What these paths answer, as OpenAPI"),
];

/// The routes, with their description at `/operate/openapi.json`.
pub fn router(state: HealthState) -> axum::Router {
    let (router, description) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(healthz))
        .routes(routes!(readyz))
        .routes(routes!(live))
        .routes(routes!(ready))
        .routes(routes!(metrics))
        .split_for_parts();
    let description = Arc::new(description);
    let described = axum::routing::get(move || std::future::ready(Json(&*description).into_response()));
    router.route("/operate/openapi.json", described).with_state(state)
}

/// The process runs.
#[utoipa::path(get, path = "/healthz", tag = "Operation", security(()), responses((status = 200, body = Health)))]
async fn healthz() -> Json<Health> {
    Json(Health::new("ok"))
}

/// The store can do its work: the database answers, its file is there, and the disk has space.
#[utoipa::path(get, path = "/readyz", tag = "Operation", security(()), responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn readyz(State(state): State<HealthState>) -> (StatusCode, Json<Health>) {
    match state.store.ready().await {
        Ok(Ready::Whole) => (StatusCode::OK, Json(Health::new("ok"))),
        // A load balancer would else turn away requests that can be answered.
        Ok(Ready::ReadsOnly(why)) => (StatusCode::OK, Json(Health::new(format!("reads only: {why}")))),
        Err(why) => (
            StatusCode::SERVICE_UNAVAILABLE,
            Json(Health::new(why.to_string())),
        ),
    }
}

/// The same as `/healthz`.
#[utoipa::path(get, path = "/health/live", tag = "Operation", security(()), responses((status = 200, body = Health)))]
async fn live() -> Json<Health> {
    healthz().await
}

/// The same as `/readyz`.
#[utoipa::path(get, path = "/health/ready", tag = "Operation", security(()), responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn ready(state: State<HealthState>) -> (StatusCode, Json<Health>) {
    readyz(state).await
}

/// Counters and times, in the text format of OpenMetrics for those who accept it, else in that of Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "Operation", security(()), responses((status = 200, body = String, content_type = "text/plain")))]
async fn metrics(State(state): State<HealthState>, headers: HeaderMap) -> impl IntoResponse {
    let ready = state.store.ready().await;
    state.ready.set(ready.is_ok().into());
    state.takes_changes.set((ready == Ok(Ready::Whole)).into());
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = encode(&mut text, &state.registry);
    let accept = headers.get_all(ACCEPT).iter();
    let accepts_open_metrics = accept
        .filter_map(|line| line.to_str().ok())
        .any(|line| line.contains("application/openmetrics-text"));
    match accepts_open_metrics {
        true => ([(CONTENT_TYPE, OPEN_METRICS)], text),
        false => ([(CONTENT_TYPE, PROMETHEUS)], as_prometheus(&text)),
    }
}

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The same in the older format: a counter is described under the name that its values have, and no line marks the end.
fn as_prometheus(open_metrics: &str) -> String {
    let counter = |line: &'_ str| {
        let described = line.strip_prefix("# TYPE ")?.strip_suffix(" counter")?;
        Some(described.to_owned())
    };
    let counters: Vec<String> = open_metrics.lines().filter_map(counter).collect();
    let mut text = String::new();
    for line in open_metrics.lines().filter(|line| *line != "# EOF") {
        let mut words = line.splitn(4, ' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some(word), Some(name), Some(rest)) if counters.iter().any(|known| known == name) => {
                text.push_str(&format!("# {word} {name}_total {rest}\n"));
            }
            _ => text.extend([line, "\n"]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_described_under_the_name_of_its_values() {
        let open = "# HELP a How many.\n# TYPE a counter\na_total{b=\"# TYPE c counter\"} 1\n# TYPE d gauge\nd 2\n# EOF\n";
        let text = "# HELP a_total How many.\n# TYPE a_total counter\na_total{b=\"# TYPE c counter\"} 1\n# TYPE d gauge\nd 2\n";
        assert_eq!(as_prometheus(open), text);
    }
}
