//! The files that pages are made with. They are in the binary, so a page needs no network but this server.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, Uri};
use rollcall::model::ProblemCode;

use crate::problem::Problem;

/// A file of the pages.
struct Asset {
    name: &'static str,
    media_type: &'static str,
    body: Body,
}

enum Body {
    Plain(&'static str),
    /// Compressed by gzip. `vendored/swagger-ui/README.md` says where the file comes from.
    Gzip(&'static [u8]),
}

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";

static ASSETS: [Asset; 6] = [
    Asset {
        name: "page.css",
        media_type: CSS,
        body: Body::Plain(include_str!("page.css")),
    },
    Asset {
        name: "icon.svg",
        media_type: "image/svg+xml",
        body: Body::Plain(include_str!("icon.svg")),
    },
    Asset {
        name: "reference.js",
        media_type: JAVASCRIPT,
        body: Body::Plain(include_str!("reference.js")),
    },
    Asset {
        name: "review.js",
        media_type: JAVASCRIPT,
        body: Body::Plain(include_str!("review/review.js")),
    },
    Asset {
        name: "swagger-ui-bundle.js",
        media_type: JAVASCRIPT,
        body: Body::Gzip(include_bytes!("vendored/swagger-ui/swagger-ui-bundle.js.gz")),
    },
    Asset {
        name: "swagger-ui.css",
        media_type: CSS,
        body: Body::Gzip(include_bytes!("vendored/swagger-ui/swagger-ui.css.gz")),
    },
];

/// Answers `GET /docs/{file}`.
pub(super) async fn asset(Path(file): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == file) else {
        return Problem::nothing_at(uri.path()).into_response();
    };
    let about = [
        (CONTENT_TYPE, asset.media_type),
        (CACHE_CONTROL, "public, max-age=600"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    match asset.body {
        Body::Plain(text) => (about, text).into_response(),
        Body::Gzip(_) if !takes_gzip(&headers) => {
            let detail = format!("{file} is sent compressed; ask for it with Accept-Encoding: gzip.");
            Problem::new(ProblemCode::NotAcceptable, detail).into_response()
        }
        Body::Gzip(bytes) => {
            let encoding = [(CONTENT_ENCODING, "gzip"), (VARY, "Accept-Encoding")];
            (about, encoding, bytes).into_response()
        }
    }
}

/// Whether the sender reads gzip. Without the header, every coding is acceptable (RFC 9110 §12.5.3).
fn takes_gzip(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(ACCEPT_ENCODING).iter().peekable();
    if lines.peek().is_none() {
        return true;
    }
    let mut codings = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|weight| weight.trim_end_matches(['0', '.']).is_empty());
        matches!(name.trim(), "gzip" | "*") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn gzip_is_sent_to_whoever_reads_it() {
        let asked = |value: &'static str| {
            let headers = [(ACCEPT_ENCODING, HeaderValue::from_static(value))];
            takes_gzip(&headers.into_iter().collect())
        };
        assert!(takes_gzip(&HeaderMap::new()));
        for reads in ["gzip", "br, gzip;q=0.5", "*", "deflate,gzip;q=1"] {
            assert!(asked(reads), "{reads}");
        }
        for not in ["", "identity", "br", "gzip;q=0", "gzip; q=0.000"] {
            assert!(!asked(not), "{not}");
        }
    }
}
