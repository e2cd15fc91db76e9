//! All records of a list, page by page.

use std::pin::Pin;

use futures_util::stream::{self, Stream, TryStreamExt as _};
use progenitor_client::{Error, ResponseValue};
use reqwest::header::{ACCEPT, HeaderMap, LINK};
use reqwest::{Method, Request, Url};
use serde::de::DeserializeOwned;

use super::{Retry, link, send};

/// The records of a list, of all pages. The next page is asked for when the records of the one before have been taken.
pub type Records<'c, T, E> = Pin<Box<dyn Stream<Item = Result<T, Error<E>>> + Send + 'c>>;

/// The records of the first page of the list at `path` below `base`, and of the pages that `Link` leads to. After an error
/// the stream ends.
///
/// The token is sent with each request, so the pages have to be on the server that was asked: a link to another one is an
/// error.
pub fn records<'c, T, E>(
    client: &'c reqwest::Client,
    retry: &'c Retry,
    base: &'c str,
    path: &'c str,
    first: impl Future<Output = Result<ResponseValue<Vec<T>>, Error<E>>> + Send + 'c,
) -> Records<'c, T, E>
where
    T: DeserializeOwned + Send + 'c,
    E: DeserializeOwned + Send + 'c,
{
    let pages = stream::try_unfold(Step::First(Box::pin(first)), move |step| async move {
        let (page, asked): (ResponseValue<Vec<T>>, Url) = match step {
            Step::First(first) => (first.await?, list(base, path).map_err(Error::Custom)?),
            Step::Next(url) => (fetch(client, retry, url.clone()).await?, url),
            Step::End => return Ok::<_, Error<E>>(None),
        };
        let step = match next_page(&asked, page.headers()).map_err(Error::Custom)? {
            Some(url) => Step::Next(url),
            None => Step::End,
        };
        let records = stream::iter(page.into_inner().into_iter().map(Ok));
        Ok(Some((records, step)))
    });
    Box::pin(pages.try_flatten())
}

/// What a stream of pages does next.
enum Step<F> {
    First(F),
    Next(Url),
    End,
}

/// Asks for the page at an address.
async fn fetch<T, E>(
    client: &reqwest::Client,
    retry: &Retry,
    url: Url,
) -> Result<ResponseValue<Vec<T>>, Error<E>>
where
    T: DeserializeOwned,
    E: DeserializeOwned,
{
    let mut request = Request::new(Method::GET, url);
    request.headers_mut().insert(
        ACCEPT,
        reqwest::header::HeaderValue::from_static("application/json"),
    );
    let answer = send(client, retry, request)
        .await
        .map_err(Error::CommunicationError)?;
    match answer.status().as_u16() {
        200..=299 => ResponseValue::from_response(answer).await,
        400..=599 => Err(Error::ErrorResponse(ResponseValue::from_response(answer).await?)),
        _ => Err(Error::UnexpectedResponse(answer)),
    }
}

fn list(base: &str, path: &str) -> Result<Url, String> {
    let address = [base.trim_end_matches('/'), path].concat();
    Url::parse(&address).map_err(|_| format!("{address} is no address"))
}

/// The address of the page after the one asked for, if there is one. It is on the same server: a client that follows it sends
/// the token there.
///
/// # Errors
/// The link leads nowhere, to another server, or to the page itself.
pub fn next_page(asked: &Url, headers: &HeaderMap) -> Result<Option<Url>, String> {
    let wrong = |target: &str, why: &str| format!("the link to the next page, {target}, {why}");
    let values = headers.get_all(LINK).iter();
    let Some(target) = link::next(values.filter_map(|value| value.to_str().ok())) else {
        return Ok(None);
    };
    let url = asked.join(target).map_err(|_| wrong(target, "is no address"))?;
    if url.origin() != asked.origin() {
        return Err(wrong(target, "leads to another server"));
    }
    if url == *asked {
        return Err(wrong(target, "leads to the page itself"));
    }
    Ok(Some(url))
}
