//! The server under test: sends requests, keeps the token to itself, waits when asked to, counts.
//!
//! Invariants: the token goes to the host of the base address and nowhere else (of redirects see `redirects.rs`), and
//! nothing that comes out of [`Target::send`] contains it; only a GET is ever sent twice, or a request that the target was too busy
//! to carry out.

use std::error::Error as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::header::{
    AUTHORIZATION, CONTENT_TYPE, HeaderName, LINK, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE,
};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use rollcall_contract::Method;

use crate::http::attempt::Attempt;
use crate::http::coding;
use crate::http::credentials::Credentials;
use crate::http::exchange::Exchange;
use crate::http::journal::{Journal, ResponseClass};
pub use crate::http::notice::Notice;
use crate::http::rate_limit::RateLimit;
use crate::http::redact;
use crate::http::redirects::{HOPS, Redirects, followed};
use crate::http::request::Request;
use crate::http::retry_after;
pub use crate::http::target_error::TargetError;
use crate::http::target_error::{MAX_BODY, spoken};
use crate::http::tls::Trust;
use crate::http::token::Token;

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
    /// How many requests may be sent in a second; without it, as many as are answered.
    pub rate: Option<f64>,
    /// How long the run may take; without it, as long as its requests do.
    pub budget: Option<Duration>,
    /// Which certificates are believed.
    pub trust: Trust,
    /// Who is told of a long wait while the run goes on.
    pub notice: Notice,
}

impl TargetConfig {
    /// A target with the defaults of the command line.
    pub fn new(base_url: Url, token: Token) -> Self {
        Self {
            base_url,
            token,
            envelope: None,
            timeout: Duration::from_secs(30),
            max_requests: 4000,
            rate: None,
            budget: None,
            trust: Trust::default(),
            notice: Notice::default(),
        }
    }
}

/// A wait of this length or more is told of.
const LONG_WAIT: Duration = Duration::from_secs(3);
/// How often a request is sent that the target is too busy for.
const TRIES: u32 = 6;

/// The server under test.
#[derive(Debug)]
pub struct Target {
    client: Client,
    /// Makes a connection for each request.
    connecting: Client,
    config: TargetConfig,
    rate_limit: RateLimit,
    redirects: Redirects,
    journal: Journal,
    sent: AtomicUsize,
    /// Whether the last answer was an error of the server, after which it may close the connection.
    has_failed: AtomicBool,
    /// Why nothing more is sent, if the target asks for a longer wait than the run allows.
    stopped: OnceLock<TargetError>,
}

impl Target {
    /// Prepares to speak with a target, with so many requests at once at most; nothing is sent yet. What will
    /// be sent is written into the journal.
    ///
    /// # Errors
    /// No HTTP client can be made on this machine, or none that believes the certificates it should.
    pub fn new(config: TargetConfig, concurrency: usize, journal: Journal) -> Result<Self, reqwest::Error> {
        let client = || {
            let client = Client::builder()
                .redirect(Policy::none())
                .timeout(config.timeout)
                .user_agent(concat!("rollcall-conformance/", env!("CARGO_PKG_VERSION")));
            config.trust.apply(client)
        };
        Ok(Self {
            client: client().build()?,
            connecting: client().pool_max_idle_per_host(0).build()?,
            rate_limit: RateLimit::new(concurrency, config.rate),
            config,
            redirects: Redirects::default(),
            journal,
            sent: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
            stopped: OnceLock::new(),
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

    /// Sends a request. It is sent again when the target asks for patience, and a GET once when the connection breaks.
    ///
    /// # Errors
    /// There is no answer that could be judged.
    pub async fn send(&self, request: &Request) -> Result<Exchange, TargetError> {
        let repeatable = request.method.is_safe();
        let (mut tries, mut broken, mut hops) = (0, false, 0);
        if let Some(before) = &request.before {
            self.attempt(&self.addressed(before), TRIES).await?;
        }
        let mut request = self.addressed(request);
        loop {
            tries += 1;
            let attempt = self.attempt(&request, tries).await?;
            match attempt {
                Attempt::Answered(exchange) => {
                    let Some(to) = self.redirected(&exchange).filter(|_| hops < HOPS) else {
                        return Ok(*exchange);
                    };
                    hops += 1;
                    request.redirected = Some(to);
                }
                Attempt::Broken(_) if repeatable && !broken => {
                    broken = true;
                    tokio::time::sleep(retry_after::after(0)).await;
                }
                Attempt::Broken(error) => return Err(error),
                Attempt::Busy { status, wait, .. } if wait > self.config.timeout => {
                    let error = TargetError::TooLong {
                        request: request.line(),
                        status,
                        wait,
                        most: self.config.timeout,
                    };
                    return Err(self.stopped.get_or_init(|| error).clone());
                }
                Attempt::Busy {
                    status,
                    wait,
                    is_refused,
                } if (repeatable || is_refused) && tries < TRIES => {
                    if wait >= LONG_WAIT {
                        let wait = spoken(wait);
                        self.config
                            .notice
                            .tell(&format!("waiting {wait}: the target answers {status}"));
                    }
                    self.rate_limit.pause(wait);
                }
                Attempt::Busy { status, .. } => {
                    let request = request.line();
                    return Err(TargetError::Busy {
                        request,
                        status,
                        tries,
                    });
                }
            }
        }
    }

    /// The request, at the address that the target is known to have moved it to.
    fn addressed(&self, request: &Request) -> Request {
        let own = request.url(&self.config.base_url);
        let address = self.redirects.address(own.clone());
        let mut request = request.clone();
        if address != own {
            request.redirected = Some(address);
        }
        request
    }

    /// Where an answer redirects its request to, if that is followed; remembered for later requests.
    fn redirected(&self, exchange: &Exchange) -> Option<Url> {
        let from = exchange.request.url(&self.config.base_url);
        let location = exchange.location.as_deref()?;
        let to = followed(&from, &exchange.request.method, exchange.status, location)?;
        self.redirects.learn(&from, &to);
        Some(to)
    }

    /// Sends a request once, when it is its turn, and writes down what it came to.
    async fn attempt(&self, request: &Request, tries: u32) -> Result<Attempt, TargetError> {
        self.is_open()?;
        let _turn = self.rate_limit.acquire().await;
        self.spend()?;
        let after = self.journal.elapsed();
        let attempt = self.once(request, tries).await;
        let came = match &attempt {
            Ok(Attempt::Answered(exchange)) => ResponseClass::from(exchange.as_ref()),
            Ok(Attempt::Busy { status, .. }) => ResponseClass::RetryAfter { status: *status },
            Ok(Attempt::Broken(error)) | Err(error) => ResponseClass::Nothing {
                why: error.to_string(),
            },
        };
        self.journal.add(request, &self.config.base_url, after, came);
        attempt
    }

    async fn once(&self, request: &Request, tries: u32) -> Result<Attempt, TargetError> {
        let broken = |error: reqwest::Error| match error.is_timeout() {
            true => Err(self.no_answer(request, error)),
            false => Ok(Attempt::Broken(self.no_answer(request, error))),
        };
        let mut response = match self.prepared(request).send().await {
            Ok(response) => response,
            Err(error) => return broken(error),
        };
        let status = response.status().as_u16();
        self.has_failed.store(status >= 500, Ordering::Relaxed);
        if matches!(status, 429 | 503) {
            let headers = response.headers();
            return Ok(Attempt::Busy {
                status,
                wait: retry_after::asked_for(headers, tries),
                is_refused: status == 429 || headers.contains_key(RETRY_AFTER),
            });
        }
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(part)) => body.extend_from_slice(&part),
                Ok(None) => break,
                Err(error) => return broken(error),
            }
            if body.len() > MAX_BODY {
                let request = request.line();
                return Err(TargetError::Oversized { request });
            }
        }
        let body = coding::decoded(response.headers(), body);
        let exchange = self.exchange(request, &response, &body);
        Ok(Attempt::Answered(Box::new(exchange)))
    }

    /// The time that the run may go on; none if there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        let budget = self.config.budget?;
        Some(budget.saturating_sub(self.journal.elapsed()))
    }

    /// How long an answer has taken on average so far.
    pub fn average_time(&self) -> Option<Duration> {
        self.journal.average_time()
    }

    /// Nothing, as long as neither the target nor the time of the run forbids a request.
    fn is_open(&self) -> Result<(), TargetError> {
        if let Some(error) = self.stopped.get() {
            return Err(error.clone());
        }
        match (self.time_left(), self.config.budget) {
            (Some(Duration::ZERO), Some(limit)) => Err(TargetError::Time { limit }),
            _ => Ok(()),
        }
    }

    /// Nothing, as long as the run may send a request.
    ///
    /// # Errors
    /// It has sent as many as it may, or has taken as long as it may.
    pub fn may_send(&self) -> Result<(), TargetError> {
        self.is_open()?;
        let limit = self.config.max_requests;
        match self.sent.load(Ordering::Relaxed) < limit {
            true => Ok(()),
            false => Err(TargetError::Budget { limit }),
        }
    }

    /// Takes one request off what the run may send.
    fn spend(&self) -> Result<(), TargetError> {
        self.is_open()?;
        let limit = self.config.max_requests;
        let one_more = |sent| (sent < limit).then_some(sent + 1);
        let spent = self
            .sent
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        spent.map(drop).map_err(|_| TargetError::Budget { limit })
    }

    fn prepared(&self, request: &Request) -> RequestBuilder {
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Head => reqwest::Method::HEAD,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
        };
        // What may not be sent twice is not sent on a connection that the server may be closing.
        let is_risky = !request.method.is_safe() && self.has_failed.load(Ordering::Relaxed);
        let client = match request.new_connection || is_risky {
            true => &self.connecting,
            false => &self.client,
        };
        let mut building = client.request(method, request.url(&self.config.base_url));
        if let Some(header) = request.credentials.header(&self.config.token) {
            building = building.header(AUTHORIZATION, header);
        }
        for (name, value) in request.sent_headers() {
            building = building.header(name, value);
        }
        match &request.body {
            Some(body) => building
                .header(CONTENT_TYPE, "application/json")
                .body(body.clone()),
            None => building,
        }
    }

    fn exchange(&self, request: &Request, response: &Response, body: &[u8]) -> Exchange {
        let text = |bytes| self.without_token(request, String::from_utf8_lossy(bytes).into_owned());
        // A header may stand on several lines, each with a part of its list (RFC 9110, 5.3).
        let header = |name: HeaderName| {
            let lines = response.headers().get_all(name).iter();
            let lines = lines.map(|line| text(line.as_bytes()));
            lines.reduce(|all, line| format!("{all}, {line}"))
        };
        Exchange {
            request: request.clone(),
            status: response.status().as_u16(),
            content_type: header(CONTENT_TYPE),
            link: header(LINK),
            location: header(LOCATION),
            challenge: header(WWW_AUTHENTICATE),
            body: text(body),
        }
    }

    /// `text` with the token, and what was sent in its place, replaced by their names.
    fn without_token(&self, request: &Request, mut text: String) -> String {
        let token = self.config.token.secret();
        let altered = match request.credentials {
            Credentials::Wrong(wrong) => wrong.of(token),
            _ => String::new(),
        };
        for (secret, name) in [(altered.as_str(), "$WRONG"), (token, "$TOKEN")] {
            if Token::is_telling(secret) {
                text = redact::replaced(text, secret, name);
            }
        }
        text
    }

    fn no_answer(&self, request: &Request, error: reqwest::Error) -> TargetError {
        let is_late = error.is_timeout();
        let error = error.without_url();
        let mut why = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            why = format!("{why}: {cause}");
            source = cause.source();
        }
        TargetError::NoAnswer {
            request: Box::new(request.clone()),
            is_late,
            why: self.without_token(request, why),
        }
    }
}
