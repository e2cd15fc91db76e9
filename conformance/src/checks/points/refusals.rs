//! How refusals look (A6).

use rollcall_oracle::http::credentials::{Credentials, Wrong};
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;

use super::first_page::granted;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let Some(list) = engine.readable().into_iter().next() else {
            result.gap("a list that answers with the token");
            return Ok(());
        };
        let path = engine.list(list).spec.operation.path.clone();
        for credentials in [Credentials::Nothing, Credentials::Wrong(Wrong::Other)] {
            let request = Request::get(&path).showing(credentials);
            let exchange = engine.fetch_first_page(&request).await?;
            let asked = credentials.describe();
            for (point, what, choice) in [
                ("A2", "a request", exchange.status.to_string()),
                ("A2", "the challenge to a request", challenge(&exchange)),
                ("A3", "the media type of an error", media_type(&exchange)),
            ] {
                result.observe(point, format!("{what} {asked}"), choice);
            }
        }
        for (question, credentials) in [
            ("the scheme in small letters", Credentials::Scheme("bearer")),
            ("the token under the scheme Basic", Credentials::Scheme("Basic")),
            ("the token under the scheme Token", Credentials::Scheme("Token")),
            ("the token without a scheme", Credentials::Bare),
        ] {
            let request = Request::get(&path).showing(credentials);
            let exchange = engine.fetch_first_page(&request).await?;
            result.observe("A9", question, granted(&exchange));
        }
        let nowhere = format!("/{}", engine.choice("nowhere").word(12));
        let nowhere = engine.fetch_first_page(&Request::get(nowhere)).await?;
        let question = "a path that does not exist";
        result.observe("A4", question, nowhere.status.to_string());
        let question = format!("the media type of an error for {question}");
        result.observe("A3", question, media_type(&nowhere));
        Ok(())
    })
}

fn media_type(exchange: &Exchange) -> String {
    let kind = exchange.content_type.as_deref().unwrap_or("none");
    kind.split(';').next().unwrap_or(kind).trim().to_ascii_lowercase()
}

/// The scheme of a challenge and the error it names, without what belongs to the place.
fn challenge(exchange: &Exchange) -> String {
    let Some(challenge) = &exchange.challenge else {
        return "none".to_owned();
    };
    let scheme = challenge.split_whitespace().next().unwrap_or_default();
    let mut parts = challenge.split([' ', ',']);
    match parts.find(|part| part.starts_with("error=")) {
        Some(error) => format!("{scheme} {error}"),
        None => scheme.to_owned(),
    }
}
