//! Pages for people, and the contract for programs. None of them needs a token; none of them shows a record.
//!
//! Invariant: a page loads nothing from another server, and has no script or style of its own between its lines; its
//! `Content-Security-Policy` says so to the browser.

mod address;
mod answers;
mod asset;
mod document;
mod front;
mod markdown;
mod members;
mod origin;
mod reference;
pub mod review;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, ETAG, IF_NONE_MATCH, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, Method, StatusCode};
use maud::{DOCTYPE, Markup, html};
use rollcall::http::{Codings, ETag, ETags};

pub use address::{Address, VERSION_PATH};
pub use document::{Form, Notation, Served};

/// The paths of the pages, with a few words about each.
pub const PATHS: [(&str, &str); 4] = [
    ("/", "What this server is"),
    ("/docs", "The reference; it calls this server"),
    ("/docs/review", "What the contract means, with all decisions"),
    ("/docs/{file}", "Styles and scripts of the pages"),
];

/// What a page may load: from this server alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A cache may keep it, and asks whether it is still the same: another version of the server has others.
const ASK_AGAIN: &str = "public, no-cache";

/// Paths with a few words about each.
pub type Paths = &'static [(&'static str, &'static str)];

/// The routes of the pages and of the contract. `operate` has the paths for operators, which the reference names. Where there
/// is no page to show, the answer is a status without a body.
pub fn router(address: Address, operate: Paths) -> Router {
    let pages = Router::new()
        .route("/", get(front::front))
        .route("/docs", get(move || reference::reference(operate)))
        .route("/docs/review", get(review::review))
        .route("/docs/{file}", get(asset::asset));
    let documents = Served::ALL.into_iter().fold(pages, |router, served| {
        let answer = move |headers: HeaderMap, address| std::future::ready(served.answer(&headers, address));
        router.route(&[VERSION_PATH, served.path()].concat(), get(answer))
    });
    documents.layer(Extension(address)).layer(from_fn(revalidate))
}

/// Lets a caller keep a page or a document, and ask whether it is still the same: its ETag is a digest of it.
async fn revalidate(mut request: Request, next: Next) -> Response {
    let is_head = request.method() == Method::HEAD;
    if is_head {
        *request.method_mut() = Method::GET;
    }
    let held = ETags::read(request.headers().get_all(IF_NONE_MATCH));
    let codings = Codings::of(request.headers());
    let answer = next.run(request).await;
    if answer.status() != StatusCode::OK {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    // It is in memory already.
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let tag = ETag::of(&body);
    let held = held.and_then(|held| held.held(&tag, codings));
    let is_held = held.is_some();
    let tag = held.unwrap_or(tag).header();
    head.headers.extend(tag.map(|tag| (ETAG, tag)));
    if is_held {
        head.status = StatusCode::NOT_MODIFIED;
        head.headers.remove(CONTENT_LENGTH);
    } else {
        head.headers.insert(CONTENT_LENGTH, body.len().into());
    }
    let body = if is_head || is_held {
        Body::empty()
    } else {
        Body::from(body)
    };
    Response::from_parts(head, body)
}

/// A page. `root` leads from it to `/`, such as `../`.
fn page(title: &str, root: &str, body: &Markup) -> Response {
    page_with(title, root, &Markup::default(), body)
}

/// A page with more in its head.
fn page_with(title: &str, root: &str, head: &Markup, body: &Markup) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href={ (root) "docs/icon.svg" };
                link rel="stylesheet" href={ (root) "docs/page.css" };
                (head)
            }
            body { (body) }
        }
    };
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, ASK_AGAIN),
    ];
    (headers, axum::response::Html(page.into_string())).into_response()
}

/// The line on top of a page that leads to the others; `here` is the path of this one.
fn navigation(root: &str, here: &str) -> Markup {
    let start = if root.is_empty() { "." } else { root };
    html! {
        nav {
            @for (path, words) in [(start, "Rollcall"), ("docs", "Reference"), ("docs/review", "Review")] {
                @let href = if path == start { path.to_owned() } else { format!("{root}{path}") };
                a href=(href) aria-current=[(path == here).then_some("page")] { (words) }
            }
        }
    }
}
