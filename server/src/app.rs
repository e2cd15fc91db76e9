//! The whole service as one router: the contents page.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::CONTENT_TYPE;
use http::{Method, Uri};
use prometheus_client::registry::Registry;
use rollcall::model::ProblemCode;
use tower_http::catch_panic::CatchPanicLayer;

use crate::api::Service;
use crate::auth::Limits;
use crate::ids::Ids;
use crate::observe::{Observer, observe};
use crate::operate::{self, Operate};
use crate::problem::Problem;
use crate::store::Store;

/// The path of the API below the address of the server (§9).
pub const VERSION_PATH: &str = "/api/v1";

/// All routes on this store.
pub fn app(store: Store, limits: Limits) -> Router {
    let mut registry = Registry::default();
    let observer = Observer::new(store.clock().clone(), Ids::new(), &mut registry);
    let operate = Operate {
        store: store.clone(),
        registry: Arc::new(registry),
    };
    Router::new()
        .nest(VERSION_PATH, rollcall::router(Service::new(store, limits)))
        .route(&[VERSION_PATH, "/openapi.yaml"].concat(), get(contract))
        .merge(operate::router(operate))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found)
        .layer(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| -> Response { Problem::internal().into_response() },
        ))
        .layer(from_fn_with_state(observer, observe))
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
