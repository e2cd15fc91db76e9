//! A call: requests to the server, page after page where all are wanted, and refusals as text.

use clap::ArgMatches;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, Request, Url};
use rollcall_runtime::client::{Retry, add_key, http_client, next_page, send};
use serde_json::Value;

use crate::Failure;
use crate::output::Output;

/// A server and a token for it.
pub(crate) struct Session {
    client: Client,
    base: Url,
}

impl Session {
    /// From the arguments that every command takes.
    pub(crate) fn new(arguments: &ArgMatches) -> Result<Self, Failure> {
        let text = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
        let token = text("token").filter(|token| !token.is_empty());
        let token =
            token.ok_or_else(|| Failure::Usage("a token is missing: set ROLLCALL_TOKEN".to_owned()))?;
        let base = text("url").unwrap_or_default();
        let client = http_client(base, token).map_err(|why| Failure::Usage(why.to_string()))?;
        let base = Url::parse(base).map_err(|_| Failure::Usage(format!("{base:?} is not an address")))?;
        Ok(Self { client, base })
    }

    /// The base address.
    pub(crate) fn base(&self) -> &Url {
        &self.base
    }

    /// Makes the call and hands the records to the output.
    pub(crate) async fn call(
        &self,
        request: Request,
        arguments: &ArgMatches,
        output: &mut dyn Output,
    ) -> Result<(), Failure> {
        let wants_all = arguments.try_get_one::<bool>("all").ok().flatten() == Some(&true);
        let mut asked = request.url().clone();
        let (mut headers, mut answer) = self.send(request).await?;
        loop {
            let Value::Array(records) = answer else {
                return Ok(output.record(&answer)?);
            };
            for record in &records {
                output.record(record)?;
            }
            let next = next_page(&asked, &headers).map_err(Failure::Call)?;
            match next {
                None => break,
                Some(_) if !wants_all => {
                    note(&headers);
                    break;
                }
                Some(next) => {
                    asked = next.clone();
                    (headers, answer) = self.send(Request::new(Method::GET, next)).await?;
                }
            }
        }
        Ok(())
    }

    async fn send(&self, mut request: Request) -> Result<(HeaderMap, Value), Failure> {
        add_key(&mut request).map_err(Failure::Call)?;
        let answer = send(&self.client, &Retry::default(), request).await;
        let mut answer = answer.map_err(|why| Failure::Call(no_answer(&why)))?;
        let (status, headers) = (answer.status(), std::mem::take(answer.headers_mut()));
        let bytes = answer
            .bytes()
            .await
            .map_err(|why| Failure::Call(no_answer(&why)))?;
        if status == reqwest::StatusCode::NOT_MODIFIED {
            return Ok((headers, Value::Array(Vec::new())));
        }
        let body = serde_json::from_slice(&bytes);
        match body {
            Ok(body) if status.is_success() => Ok((headers, body)),
            Err(why) if status.is_success() => Err(Failure::Call(format!("the answer is not JSON: {why}"))),
            body => Err(Failure::Call(refusal(status, &body.unwrap_or_default()))),
        }
    }
}

/// Says on standard error that there is more than what was printed.
fn note(headers: &HeaderMap) {
    let total = headers.get("x-total-count").and_then(|total| total.to_str().ok());
    let total = total.map_or(String::new(), |total| format!(" of {total} records"));
    eprintln!("note: this is one page{total}; --all gives the records of all pages");
}

/// Why there is no answer, with its cause.
fn no_answer(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(one) = cause {
        text = format!("{text}: {one}");
        cause = one.source();
    }
    text
}

/// What a server says about a refused request: the problem, and each fault with all that is allowed in its place.
fn refusal(status: reqwest::StatusCode, problem: &Value) -> String {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(printable);
    let mut lines = vec![match text(problem, "detail").or_else(|| text(problem, "title")) {
        Some(detail) => format!("the server answered {status}: {detail}"),
        None => format!("the server answered {status}"),
    }];
    for fault in problem
        .get("errors")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let allowed = fault
            .get("allowed")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let allowed: Vec<String> = allowed.filter_map(Value::as_str).map(printable).collect();
        if !allowed.is_empty() {
            let place = text(fault, "parameter")
                .or_else(|| text(fault, "pointer"))
                .unwrap_or_default();
            lines.push(format!("  {place} takes: {}", allowed.join(", ")));
        }
    }
    lines.join("\n")
}

/// Text of a server for a terminal: without control characters.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|one| if one.is_control() { '\u{fffd}' } else { one })
        .collect()
}
