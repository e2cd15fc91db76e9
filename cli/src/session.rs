//! A call: requests to the server, page after page where all are wanted, and refusals as text.

use std::io::IsTerminal as _;

use clap::ArgMatches;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, Request, Url};
use rollcall_runtime::client::{Retry, add_key, http_client, next_page, send};
use serde_json::Value;

use crate::Failure;
use crate::columns::printable;
use crate::command::flag_name;
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

    /// Makes the call and hands the records, which are called so, to the output.
    pub(crate) async fn call(
        &self,
        request: Request,
        arguments: &ArgMatches,
        called: &str,
        output: &mut dyn Output,
    ) -> Result<(), Failure> {
        let wants_all = arguments.try_get_one::<bool>("all").ok().flatten() == Some(&true);
        let mut asked = request.url().clone();
        let (mut headers, mut answer) = self.send(request).await?;
        let mut progress = Progress::of(wants_all, &headers);
        loop {
            let records = match answer {
                Some(Value::Array(records)) => records,
                Some(record) => return Ok(output.single(&record)?),
                None => {
                    eprintln!("note: nothing has changed since the ETag that was given");
                    return Ok(());
                }
            };
            for record in &records {
                output.record(record)?;
            }
            progress.add(records.len());
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
        progress.end();
        if progress.records == 0 {
            eprintln!("No {called} found.");
        }
        Ok(())
    }

    /// The headers and the body of an answer; no body if nothing has changed.
    async fn send(&self, mut request: Request) -> Result<(HeaderMap, Option<Value>), Failure> {
        add_key(&mut request).map_err(Failure::Call)?;
        let answer = send(&self.client, &Retry::default(), request).await;
        let mut answer = answer.map_err(|why| Failure::Call(self.no_answer(&why)))?;
        let (status, headers) = (answer.status(), std::mem::take(answer.headers_mut()));
        let bytes = answer
            .bytes()
            .await
            .map_err(|why| Failure::Call(self.no_answer(&why)))?;
        if status == reqwest::StatusCode::NOT_MODIFIED {
            return Ok((headers, None));
        }
        let body = serde_json::from_slice(&bytes);
        match body {
            Ok(body) if status.is_success() => Ok((headers, Some(body))),
            Err(why) if status.is_success() => Err(Failure::Call(format!("the answer is not JSON: {why}"))),
            body => Err(Failure::Call(refusal(status, &body.unwrap_or_default()))),
        }
    }

    /// Why there is no answer, with its cause.
    fn no_answer(&self, error: &reqwest::Error) -> String {
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(error);
        let mut last = String::new();
        while let Some(one) = cause {
            last = one.to_string();
            text = format!("{text}: {last}");
            cause = one.source();
        }
        match error.is_connect() {
            false => text,
            true => {
                let origin = self.base.origin().ascii_serialization();
                format!("{origin}: {last}: is the server running there? --url names another one")
            }
        }
    }
}

/// How many records have come so far, shown while a reader waits for all pages.
struct Progress {
    records: usize,
    total: String,
    is_shown: bool,
}

impl Progress {
    fn of(wants_all: bool, headers: &HeaderMap) -> Self {
        Self {
            records: 0,
            total: total(headers).map_or(String::new(), |total| format!(" of {total}")),
            is_shown: wants_all && std::io::stderr().is_terminal() && !std::io::stdout().is_terminal(),
        }
    }

    fn add(&mut self, records: usize) {
        self.records += records;
        if self.is_shown {
            eprint!("\r{}{} records", self.records, self.total);
        }
    }

    fn end(&self) {
        if self.is_shown {
            eprintln!();
        }
    }
}

/// How many records a list has on all its pages, if the answer says so.
fn total(headers: &HeaderMap) -> Option<&str> {
    headers.get("x-total-count")?.to_str().ok()
}

/// Says on standard error that there is more than what was printed.
fn note(headers: &HeaderMap) {
    let total = total(headers).map_or(String::new(), |total| format!(" of {total} records"));
    eprintln!("note: this is one page{total}; --all gives the records of all pages");
}

/// What a server says about a refused request: the problem, and each fault with all that is allowed in its place. A parameter
/// or member is named by its flag.
fn refusal(status: reqwest::StatusCode, problem: &Value) -> String {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(printable);
    let mut said = match text(problem, "detail").or_else(|| text(problem, "title")) {
        Some(detail) => format!("the server answered {status}: {detail}"),
        None => format!("the server answered {status}"),
    };
    let mut lines = Vec::new();
    let faults = problem.get("errors").and_then(Value::as_array);
    for fault in faults.into_iter().flatten() {
        let place = text(fault, "parameter").or_else(|| text(fault, "pointer"));
        let place = place.unwrap_or_default();
        let flag = format!("--{}", flag_name(place.trim_start_matches('/')));
        said = said.replace(&format!(": {place}: "), &format!(": {flag}: "));
        let allowed = fault.get("allowed").and_then(Value::as_array);
        let allowed = allowed.into_iter().flatten().filter_map(Value::as_str);
        let allowed: Vec<String> = allowed.map(printable).collect();
        if !allowed.is_empty() {
            lines.push(format!("\n  {flag} takes: {}", allowed.join(", ")));
        }
    }
    said + &lines.concat()
}
