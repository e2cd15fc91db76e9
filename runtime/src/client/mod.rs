//! What the generated client does around each request: token, keys for repeated changes, retries, and all pages of a list.

mod key;
mod link;
mod pages;
mod retry;

use std::fmt::Display;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Request, Response, ResponseBuilderExt as _};

pub use pages::{Records, next_page, records};
pub use retry::Retry;

/// How long a request may take, its answer included.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The most characters that are kept of an error that is no problem document.
const MAX_DETAIL: usize = 1_000;

/// A client that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Invalid {
    /// The base address is no `http` or `https` URL.
    #[error("{0:?} is not an http or https address")]
    Address(String),
    /// The token has characters that no header can have.
    #[error("the token has characters that no header can have")]
    Token,
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be made: {0}")]
    Http(#[from] reqwest::Error),
}

/// An HTTP client that sends the token with each request.
///
/// # Errors
/// The address or the token cannot be used, or TLS cannot be set up.
pub fn http_client(address: &str, token: &str) -> Result<reqwest::Client, Invalid> {
    let url = reqwest::Url::parse(address).map_err(|_| Invalid::Address(address.to_owned()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Invalid::Address(address.to_owned()));
    }
    let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| Invalid::Token)?;
    value.set_sensitive(true);
    let headers = HeaderMap::from_iter([(AUTHORIZATION, value)]);
    let client = reqwest::Client::builder()
        .default_headers(headers)
        .timeout(TIMEOUT);
    Ok(client.build()?)
}

/// Gives a change that has no `Idempotency-Key` one of its own, so that it can be sent again (O11).
///
/// # Errors
/// The system gives no random numbers.
pub fn add_key(request: &mut Request) -> Result<(), String> {
    if request.method().is_idempotent() || request.headers().contains_key(key::NAME) {
        return Ok(());
    }
    let key = key::random().map_err(|why| format!("no random numbers for an idempotency key: {why}"))?;
    request.headers_mut().insert(key::NAME, key);
    Ok(())
}

/// Sends a request, again where [`Retry`] says so.
///
/// # Errors
/// There is no answer.
pub async fn send(client: &reqwest::Client, retry: &Retry, request: Request) -> reqwest::Result<Response> {
    let may_repeat = request.method().is_idempotent() || request.headers().contains_key(key::NAME);
    let mut request = request;
    let mut sent = 0;
    loop {
        sent += 1;
        let again = request.try_clone().filter(|_| may_repeat);
        let answer = execute(client, request).await;
        match (again, retry.wait(sent, &answer)) {
            (Some(again), Some(wait)) => {
                tokio::time::sleep(wait).await;
                request = again;
            }
            _ => return answer,
        }
    }
}

/// Sends a request once and reads the whole answer, so that a connection that breaks off within it is an error here.
async fn execute(client: &reqwest::Client, request: Request) -> reqwest::Result<Response> {
    let mut answer = client.execute(request).await?;
    let (status, headers) = (answer.status(), std::mem::take(answer.headers_mut()));
    let whole = http::Response::builder().url(answer.url().clone());
    let mut bytes = answer.bytes().await?.to_vec();
    let is_error = status.is_client_error() || status.is_server_error();
    if is_error && serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&bytes).is_err() {
        bytes = problem(&bytes);
    }
    // An address and bytes always make an answer.
    let mut whole = whole.body(bytes).unwrap_or_default();
    *whole.status_mut() = status;
    *whole.headers_mut() = headers;
    Ok(whole.into())
}

/// A problem for an error whose body is none: what a proxy or another server says is the detail.
fn problem(body: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(body);
    let detail: String = text.chars().take(MAX_DETAIL).collect();
    serde_json::json!({ "detail": detail }).to_string().into_bytes()
}

/// The words of a parameter such as `sort`, with commas between them.
pub fn words(words: impl IntoIterator<Item: Display>) -> String {
    let words = words.into_iter().map(|word| word.to_string());
    words.collect::<Vec<_>>().join(",")
}
