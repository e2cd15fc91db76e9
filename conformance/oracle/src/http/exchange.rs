//! What was asked and what came back, and as much of it as a report shows.

use reqwest::Url;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::http::request::Request;

/// A request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// What was asked.
    pub request: Request,
    /// The status of the answer.
    pub status: u16,
    /// Its media type.
    pub content_type: Option<String>,
    /// Its `Link` header.
    pub link: Option<String>,
    /// Its `Location` header.
    pub location: Option<String>,
    /// Its `WWW-Authenticate` header.
    pub challenge: Option<String>,
    /// Its body; bytes that are no UTF-8 are replaced.
    pub body: String,
}

/// The part of an exchange that a report shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Evidence {
    /// Method, path and query, as a person writes them.
    pub request: String,
    /// The method.
    pub method: String,
    /// The path below the base address, percent-encoded.
    pub path: String,
    /// The query parameters in the order they were sent, not encoded.
    pub query: Vec<(String, String)>,
    /// The command that repeats it.
    pub curl: String,
    /// The status of the answer; none if the connection was closed without one.
    pub status: Option<u16>,
    /// The media type of the answer.
    pub content_type: Option<String>,
    /// The beginning of its body.
    pub body: String,
}

/// How many characters of a body a report shows.
const SHOWN: usize = 400;

impl Exchange {
    /// Whether the request was granted.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the request was refused as the caller's mistake.
    pub fn is_refusal(&self) -> bool {
        (400..500).contains(&self.status)
    }

    /// Whether a request with the right token was refused for the question it asks. 401 says that the token is wrong.
    pub fn refuses_question(&self) -> bool {
        self.is_refusal() && self.status != 401
    }

    /// The body as JSON, if it is.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_str(&self.body).ok()
    }

    /// Whether the media type is JSON, or one built on it.
    pub fn says_json(&self) -> bool {
        let media_type = self.content_type.as_deref().unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default();
        let essence = essence.trim().to_ascii_lowercase();
        essence.ends_with("/json") || essence.ends_with("+json")
    }

    /// What a report shows of it.
    pub fn evidence(&self, base: &Url) -> Evidence {
        Evidence {
            status: Some(self.status),
            content_type: self.content_type.clone(),
            body: shortened(&self.body, SHOWN),
            ..Evidence::unanswered(&self.request, base)
        }
    }
}

impl Evidence {
    /// What a report shows of a request without an answer.
    pub fn unanswered(request: &Request, base: &Url) -> Self {
        Self {
            request: request.line(),
            method: request.method.to_string(),
            path: request.path.clone(),
            query: request.query.clone(),
            curl: request.curl(base),
            status: None,
            content_type: None,
            body: String::new(),
        }
    }

    /// The status of the answer, or that there is none.
    pub fn answer(&self) -> String {
        self.status
            .map_or_else(|| "no answer".to_owned(), |status| status.to_string())
    }
}

/// The first `most` characters of `text`.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
