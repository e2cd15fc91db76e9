//! Every request that was sent, in the order it was sent: what a HAR file is written from.
//!
//! Invariant: an entry names the kind of credentials, never the token; what a target answered comes here only after the
//! token was taken out of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use reqwest::Url;

use crate::http::exchange::{Exchange, shortened};
use crate::http::request::Request;

/// The journal of a run, and its clock; a clone writes into the same one.
#[derive(Clone, Debug)]
pub struct Journal {
    started_at: Timestamp,
    began: Instant,
    entries: Arc<Mutex<Vec<Entry>>>,
}

/// One request that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The request.
    pub asked: Asked,
    /// How long after the beginning of the run it was sent.
    pub after: Duration,
    /// How long the answer took, or the failure to get one.
    pub took: Duration,
    /// What came back.
    pub came: ResponseClass,
}

/// A request, as far as it may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The method.
    pub method: String,
    /// Method, path and query, as a person writes them.
    pub line: String,
    /// The whole address.
    pub url: String,
    /// The query parameters in the order they were sent, not encoded.
    pub query: Vec<(String, String)>,
    /// What it showed for itself, in words.
    pub credentials: &'static str,
    /// The header `Authorization` with names in place of tokens.
    pub authorization: Option<String>,
    /// The other headers, but for the type of the body.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The body.
    pub body: Option<String>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResponseClass {
    /// An answer.
    Answer {
        /// Its status.
        status: u16,
        /// Its media type.
        content_type: Option<String>,
        /// How many bytes its body has.
        bytes: usize,
        /// The beginning of its body.
        text: String,
    },
    /// A status; the body was not read, because the target asked for patience.
    RetryAfter {
        /// 429 or 503.
        status: u16,
    },
    /// Nothing.
    Nothing {
        /// What the network says.
        why: String,
    },
}

/// How many characters of a body are kept.
pub const KEPT: usize = 2000;

impl Journal {
    /// An empty journal of a run that begins now.
    pub fn start() -> Self {
        Self {
            started_at: Timestamp::now(),
            began: Instant::now(),
            entries: Arc::default(),
        }
    }

    /// When the run began.
    pub fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// How long the run has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// When something happened that happened so long after the beginning.
    pub fn timestamp(&self, after: Duration) -> Timestamp {
        SignedDuration::try_from(after)
            .ok()
            .and_then(|after| self.started_at.checked_add(after).ok())
            .unwrap_or(self.started_at)
    }

    /// Adds a request that was sent so long after the beginning and has come to something just now.
    pub fn add(&self, request: &Request, base: &Url, after: Duration, came: ResponseClass) {
        let took = self.elapsed().saturating_sub(after);
        let asked = Asked::of(request, base);
        self.push(Entry {
            asked,
            after,
            took,
            came,
        });
    }

    /// Adds an entry.
    pub fn push(&self, entry: Entry) {
        self.lock().push(entry);
    }

    /// All entries so far.
    pub fn entries(&self) -> Vec<Entry> {
        self.lock().clone()
    }

    /// How long an answer has taken on average so far; none before the first.
    pub fn average_time(&self) -> Option<Duration> {
        let entries = self.lock();
        let count = u32::try_from(entries.len()).ok().filter(|count| *count > 0)?;
        let all: Duration = entries.iter().map(|entry| entry.took).sum();
        Some(all / count)
    }

    /// How many requests were sent so far.
    pub fn sent(&self) -> usize {
        self.lock().len()
    }

    /// How many requests were sent by each method.
    pub fn methods(&self) -> BTreeMap<String, usize> {
        let mut methods = BTreeMap::new();
        for entry in self.lock().iter() {
            *methods.entry(entry.asked.method.clone()).or_default() += 1;
        }
        methods
    }

    /// A writer that panicked has left whole entries behind.
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asked {
    /// What may be shown of a request.
    pub fn of(request: &Request, base: &Url) -> Self {
        Self {
            method: request.method.to_string(),
            line: request.line(),
            url: request.url(base).to_string(),
            query: request.query.clone(),
            credentials: request.credentials.describe(),
            authorization: request.credentials.value("$TOKEN", |_| "$WRONG".to_owned()),
            headers: request.sent_headers().collect(),
            body: request.body.as_ref().map(ToString::to_string),
        }
    }
}

impl From<&Exchange> for ResponseClass {
    fn from(exchange: &Exchange) -> Self {
        Self::Answer {
            status: exchange.status,
            content_type: exchange.content_type.clone(),
            bytes: exchange.body.len(),
            text: shortened(&exchange.body, KEPT),
        }
    }
}
