//! How refusals look (A6).

use crate::checks::Looking;
use crate::context::Context;
use crate::exchange::Exchange;
use crate::outcome::Tally;
use crate::request::{Credentials, Request, Wrong};

pub(super) fn observed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let Some(list) = context.readable().into_iter().next() else {
            tally.gap("a list that answers with the token");
            return Ok(());
        };
        let path = context.list(list).subject.operation.path.clone();
        for credentials in [Credentials::Nothing, Credentials::Wrong(Wrong::Other)] {
            let exchange = context.glance(&Request::get(&path).showing(credentials)).await?;
            let asked = credentials.describe();
            tally.observe("A2", format!("a request {asked}"), exchange.status.to_string());
            tally.observe(
                "A2",
                format!("the challenge to a request {asked}"),
                challenge(&exchange),
            );
            tally.observe(
                "A3",
                format!("the media type of an error {asked}"),
                media_type(&exchange),
            );
        }
        let small = Request::get(&path).showing(Credentials::Scheme("bearer"));
        let small = context.glance(&small).await?;
        let choice = if small.is_success() {
            "accepted".to_owned()
        } else {
            small.status.to_string()
        };
        tally.observe("A9", "the scheme in small letters", choice);
        let nowhere = context.choice("nowhere").word(12);
        let nowhere = context.glance(&Request::get(format!("/{nowhere}"))).await?;
        tally.observe("A4", "a path that does not exist", nowhere.status.to_string());
        tally.observe(
            "A3",
            "the media type of an error for a path that does not exist",
            media_type(&nowhere),
        );
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
    let error = challenge
        .split([' ', ','])
        .find(|part| part.starts_with("error="));
    [Some(scheme), error]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}
