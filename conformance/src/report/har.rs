//! The journal as HAR 1.2, for the network views of browsers and for proxies.
//!
//! Invariant: the header `Authorization` shows the token's name, not the token.

use std::time::Duration;

use rollcall_oracle::http::journal::{Asked, Entry, ResponseClass};
use serde_json::{Value, json};

use crate::report::Report;

/// The journal of a report.
pub(super) fn log(report: &Report) -> Value {
    let entries = report.journal.entries();
    let entries: Vec<_> = entries.iter().map(|one| entry(report, one)).collect();
    json!({
        "log": {
            "version": "1.2",
            "creator": {"name": "rollcall-conformance", "version": report.runner},
            "entries": entries,
            "comment": format!("{} {}; seed {}", report.target, report.headline(), report.seed),
        },
    })
}

fn entry(report: &Report, entry: &Entry) -> Value {
    let took = milliseconds(entry.took);
    json!({
        "startedDateTime": format!("{:.3}", report.journal.timestamp(entry.after)),
        "time": took,
        "request": request(&entry.asked),
        "response": response(&entry.came),
        "cache": {},
        "timings": {"blocked": -1, "dns": -1, "connect": -1, "send": 0, "wait": took, "receive": 0, "ssl": -1},
        "comment": format!("{}, {}", entry.asked.line, entry.asked.credentials),
    })
}

fn request(asked: &Asked) -> Value {
    let authorization = asked.authorization.as_deref();
    let content_type = asked.body.as_ref().map(|_| "application/json");
    let headers = [("Authorization", authorization), ("Content-Type", content_type)];
    let headers = headers
        .into_iter()
        .filter_map(|(name, value)| Some(pair(name, value?)));
    let headers: Vec<_> = headers
        .chain(asked.headers.iter().map(|(name, value)| pair(name, value)))
        .collect();
    let query = asked.query.iter();
    let query: Vec<_> = query.map(|(name, value)| pair(name, value)).collect();
    let mut request = json!({
        "method": asked.method,
        "url": asked.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": headers,
        "queryString": query,
        "headersSize": -1,
        "bodySize": asked.body.as_ref().map_or(0, String::len),
    });
    if let Some(body) = &asked.body {
        request["postData"] = json!({"mimeType": "application/json", "text": body});
    }
    request
}

fn response(came: &ResponseClass) -> Value {
    let (status, media_type, bytes, text, comment) = match came {
        ResponseClass::Answer {
            status,
            content_type,
            bytes,
            text,
        } => {
            let comment = match text.len() < *bytes {
                true => format!("the body has {bytes} bytes; only its beginning is kept"),
                false => String::new(),
            };
            (*status, content_type.as_deref(), *bytes, text.as_str(), comment)
        }
        ResponseClass::RetryAfter { status } => (*status, None, 0, "", "the body was not read".to_owned()),
        ResponseClass::Nothing { why } => (0, None, 0, "", why.clone()),
    };
    let content_type = media_type.map(|value| pair("Content-Type", value));
    let headers: Vec<_> = content_type.into_iter().collect();
    json!({
        "status": status,
        "statusText": "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": headers,
        "content": {"size": bytes, "mimeType": media_type.unwrap_or("x-unknown"), "text": text},
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
        "comment": comment,
    })
}

fn pair(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value})
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1000.0
}
