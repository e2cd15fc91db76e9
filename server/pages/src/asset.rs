//! The files that pages are made with. They are in the binary, so a page needs no network but this server.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};

/// A file of the pages.
struct Asset {
    name: &'static str,
    media_type: &'static str,
    text: &'static str,
}

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";

static ASSETS: [Asset; 5] = [
    Asset {
        name: "page.css",
        media_type: CSS,
        text: include_str!("page.css"),
    },
    Asset {
        name: "icon.svg",
        media_type: "image/svg+xml",
        text: include_str!("icon.svg"),
    },
    Asset {
        name: "reference.css",
        media_type: CSS,
        text: include_str!("reference/reference.css"),
    },
    Asset {
        name: "reference.js",
        media_type: JAVASCRIPT,
        text: include_str!("reference/reference.js"),
    },
    Asset {
        name: "review.js",
        media_type: JAVASCRIPT,
        text: include_str!("review/review.js"),
    },
];

/// Answers `GET /docs/{file}`.
pub(super) async fn asset(Path(file): Path<String>) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == file) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let about = [
        (CONTENT_TYPE, asset.media_type),
        (CACHE_CONTROL, "public, max-age=600"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (about, asset.text).into_response()
}
