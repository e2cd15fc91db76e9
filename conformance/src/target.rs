//! The server under test: sends requests, keeps the token to itself, waits when asked to, counts.
//!
//! Invariant: the token goes to the base address and nowhere else (redirects are not followed), and nothing that comes
//! out of [`Target::send`] contains it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, LINK, RETRY_AFTER, WWW_AUTHENTICATE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use rollcall_contract::Method;

use crate::exchange::Exchange;
use crate::request::{Credentials, Request};
use crate::token::Token;

/// Where the target is and how to speak with it.
#[derive(Clone, Debug)]
pub struct TargetConfig {
    /// The service address, version segment included.
    pub base_url: Url,
    /// The caller's token.
    pub token: Token,
    /// The member in which a list stands, if an envelope surrounds it.
    pub envelope: Option<String>,
    /// How long to wait for one answer.
    pub timeout: Duration,
    /// How many requests a run may send.
    pub max_requests: usize,
}

impl TargetConfig {
    /// A target with the defaults of the command line.
    pub fn new(base_url: Url, token: Token) -> Self {
        Self {
            base_url,
            token,
            envelope: None,
            timeout: Duration::from_secs(30),
            max_requests: 3000,
        }
    }
}

/// Why there is no answer to judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Nothing came back.
    #[error("no answer to {request}: {why}")]
    NoAnswer {
        /// What was asked.
        request: String,
        /// What the network says.
        why: String,
    },
    /// The target is too busy to answer, also after waiting.
    #[error("{request} was answered {status} again and again")]
    Busy {
        /// What was asked.
        request: String,
        /// 429 or 503.
        status: u16,
    },
    /// The answer is longer than anybody wants to read.
    #[error("the answer to {request} has more than {MAX_BODY} bytes")]
    Oversized {
        /// What was asked.
        request: String,
    },
    /// The run has sent as many requests as it may.
    #[error("the run may send {limit} requests and has sent them")]
    Budget {
        /// How many it may send.
        limit: usize,
    },
}

/// The most bytes of an answer that are read.
const MAX_BODY: usize = 64 << 20;
/// How often a request is sent that the target is too busy for.
const TRIES: u32 = 6;
/// The longest the runner waits because a target asks it to.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The server under test.
#[derive(Debug)]
pub struct Target {
    client: Client,
    config: TargetConfig,
    sent: AtomicUsize,
}

impl Target {
    /// Prepares to speak with a target; nothing is sent yet.
    ///
    /// # Errors
    /// No HTTP client can be made on this machine.
    pub fn new(config: TargetConfig) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .redirect(Policy::none())
            .timeout(config.timeout)
            .user_agent(concat!("rollcall-conformance/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self {
            client,
            config,
            sent: AtomicUsize::new(0),
        })
    }

    /// How many requests were sent.
    pub fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed)
    }

    /// Where the target is and how it is spoken with.
    pub fn config(&self) -> &TargetConfig {
        &self.config
    }

    /// Sends a request. A GET is sent again when the target asks for patience; nothing else is.
    ///
    /// # Errors
    /// There is no answer that could be judged.
    pub async fn send(&self, request: &Request) -> Result<Exchange, Trouble> {
        let mut tries = 0;
        loop {
            tries += 1;
            let response = self.once(request).await?;
            let status = response.status().as_u16();
            if !matches!(status, 429 | 503) {
                return self.receive(request, response).await;
            }
            if request.method != Method::Get || tries == TRIES {
                return Err(Trouble::Busy {
                    request: request.line(),
                    status,
                });
            }
            tokio::time::sleep(patience(&response, tries)).await;
        }
    }

    async fn once(&self, request: &Request) -> Result<Response, Trouble> {
        let limit = self.config.max_requests;
        if self.sent.fetch_add(1, Ordering::Relaxed) >= limit {
            self.sent.fetch_sub(1, Ordering::Relaxed);
            return Err(Trouble::Budget { limit });
        }
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
        };
        let mut building = self.client.request(method, request.url(&self.config.base_url));
        if let Some(header) = request.credentials.header(&self.config.token) {
            building = building.header(AUTHORIZATION, header);
        }
        if let Some(body) = &request.body {
            building = building.json(body);
        }
        building
            .send()
            .await
            .map_err(|error| self.no_answer(request, error))
    }

    async fn receive(&self, request: &Request, mut response: Response) -> Result<Exchange, Trouble> {
        let header = |name: HeaderName| {
            let value = response.headers().get(name)?;
            Some(self.without_token(request, String::from_utf8_lossy(value.as_bytes()).into_owned()))
        };
        let (content_type, link, challenge) = (header(CONTENT_TYPE), header(LINK), header(WWW_AUTHENTICATE));
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| self.no_answer(request, error))?
        {
            body.extend_from_slice(&part);
            if body.len() > MAX_BODY {
                return Err(Trouble::Oversized {
                    request: request.line(),
                });
            }
        }
        let body = self.without_token(request, String::from_utf8_lossy(&body).into_owned());
        Ok(Exchange {
            request: request.clone(),
            status,
            content_type,
            link,
            challenge,
            body,
        })
    }

    /// `text` with the token, and what was sent in its place, replaced by their names.
    fn without_token(&self, request: &Request, mut text: String) -> String {
        let token = self.config.token.secret();
        if let Credentials::Wrong(wrong) = request.credentials {
            let altered = wrong.of(token);
            // One letter of a one-letter token would take the whole text apart.
            if altered.len() > 1 && text.contains(&altered) {
                text = text.replace(&altered, "$WRONG");
            }
        }
        if text.contains(token) {
            text.replace(token, "$TOKEN")
        } else {
            text
        }
    }

    fn no_answer(&self, request: &Request, error: reqwest::Error) -> Trouble {
        let error = error.without_url();
        let mut why = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            why = format!("{why}: {cause}");
            source = cause.source();
        }
        Trouble::NoAnswer {
            request: request.line(),
            why: self.without_token(request, why),
        }
    }
}

/// How long the target asks us to wait; without a number, twice as long as the last time.
fn patience(response: &Response, tries: u32) -> Duration {
    let asked = response
        .headers()
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let wait = asked.map_or_else(|| Duration::from_millis(250 << tries), Duration::from_secs);
    wait.min(LONGEST_WAIT)
}
