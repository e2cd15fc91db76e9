//! A server on loopback with a demo directory, and a clock that stands still until a test moves it.

use std::path::PathBuf;
use std::sync::Arc;

use rollcall_demo::{Demo, fill};
use rollcall_store::access::owners::{self, Inactive};
use rollcall_store::access::tokens;
use rollcall_store::change::unit::Unit;
use rollcall_store::clock::Clock;
use rollcall_store::dialect::{Connection, Database, Durability};
use rollcall_store::ids::Ids;
use rollcall_store::{Opening, Store, WriteContext, migrate};

use crate::database::TestDatabase;
use http::{HeaderMap, StatusCode};
use reqwest::header::HeaderValue;
use reqwest::{Client, Method, RequestBuilder};
use rollcall::Timestamp;
use rollcall_server::app::{RequestLimits, Settings, VERSION_PATH, app};
use rollcall_server::connection::tls::Tls;
use rollcall_server::connection::{ConnectionLimits, Cores, serve};
use serde_json::Value;

/// The token of the demo's operator, who may do everything.
pub(crate) const TOKEN: &str = "rollcall_test-operator";
/// A token that may only read.
pub(crate) const READER: &str = "rollcall_test-reader";

/// When the tests take place.
pub(crate) fn now() -> Timestamp {
    "2026-06-01T12:00:00.000000Z".parse().unwrap()
}

/// A running server.
pub(crate) struct Running {
    pub(crate) base: String,
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) client: Client,
    database: Arc<TestDatabase>,
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// The body as JSON; null where there is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The ids of a list, in order.
    pub(crate) fn ids(&self) -> Vec<String> {
        let json = self.json();
        let records = json
            .as_array()
            .unwrap_or_else(|| panic!("no list: {}", self.text));
        records
            .iter()
            .map(|record| record["id"].as_str().unwrap().to_owned())
            .collect()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map(|value| value.to_str().unwrap())
            .unwrap_or_default()
    }

    /// A problem with this status and code, in the one shape errors have.
    pub(crate) fn assert_problem(&self, status: u16, code: &str) -> Value {
        let problem = self.json();
        assert_eq!(
            (self.status.as_u16(), problem["code"].as_str()),
            (status, Some(code)),
            "{}",
            self.text
        );
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["request_id"], self.header("x-request-id"));
        problem
    }
}

/// A database with a demo of 300 users, made at some time.
pub(crate) fn made_at(now: Timestamp) -> TestDatabase {
    TestDatabase::made(&format!("demo at {now}"), |database| make(database, now))
}

fn limited(base: &str, limits: RequestLimits) -> Settings {
    Settings {
        limits,
        ..Settings::at(base)
    }
}

/// The same as a file.
pub(crate) fn made_file_at(now: Timestamp) -> TestDatabase {
    TestDatabase::made_file(&format!("demo at {now}"), |database| make(database, now))
}

fn make(database: &Database, now: Timestamp) {
    let connection = Connection::writer(database).unwrap();
    migrate(&connection).unwrap();
    fill(
        &connection,
        &Demo {
            users: 300,
            seed: 7,
            now,
        },
        Some(TOKEN),
        |_| (),
    )
    .unwrap();
    let context = WriteContext {
        token: None,
        now,
        actor: None,
        base: "",
    };
    Unit::run(&connection, &mut Ids::seeded(8), context, |unit| {
        let owner = owners::owner(unit, "reader@example.net", Inactive::Refuse)?;
        let scopes = [rollcall::operations::LIST_DIRECTORY_USERS.scope.to_owned()];
        let expires_at = now.plus_seconds(86_400).unwrap();
        let token = tokens::NewToken {
            name: "reader",
            owner: &owner,
            scopes: &scopes,
            expires_at,
            secret: Some(READER),
        };
        tokens::create(unit, &token)
    })
    .unwrap();
}

impl Running {
    /// A server of its own for one test.
    pub(crate) async fn start() -> Self {
        Self::with(RequestLimits::default()).await
    }

    /// The same under limits.
    pub(crate) async fn with(limits: RequestLimits) -> Self {
        Self::of(made_at(now()), now(), |base| limited(base, limits), None).await
    }

    /// The same with pages of these origins allowed.
    pub(crate) async fn for_origins(origins: &[&'static str]) -> Self {
        let origins: Vec<_> = origins
            .iter()
            .map(|origin| HeaderValue::from_static(origin))
            .collect();
        Self::of(
            made_at(now()),
            now(),
            |base| Settings {
                origins,
                ..Settings::at(base)
            },
            None,
        )
        .await
    }

    /// The same without compression.
    pub(crate) async fn uncompressed() -> Self {
        let settings = |base: &str| Settings {
            compression: 0,
            ..Settings::at(base)
        };
        Self::of(made_at(now()), now(), settings, None).await
    }

    /// The same over TLS.
    pub(crate) async fn over_tls(tls: Tls) -> Self {
        Self::of(made_at(now()), now(), Settings::at, Some(tls)).await
    }

    /// The same on a database of the test's own.
    pub(crate) async fn on_database(database: TestDatabase) -> Self {
        Self::of(database, now(), Settings::at, None).await
    }

    /// A server whose directory was made just now, for clients with a clock of their own.
    pub(crate) async fn today() -> Self {
        let today = Clock::System.now();
        Self::of(made_at(today), today, Settings::at, None).await
    }

    /// Another server on the same database; its links lead to this one.
    pub(crate) async fn twin(&self) -> Self {
        let database = Arc::clone(&self.database);
        Self::on(
            database,
            self.clock.now(),
            Settings::at,
            None,
            Some(self.base.as_str()),
        )
        .await
    }

    async fn of(
        database: TestDatabase,
        now: Timestamp,
        settings: impl FnOnce(&str) -> Settings,
        tls: Option<Tls>,
    ) -> Self {
        Self::on(database.into(), now, settings, tls, None).await
    }

    async fn on(
        database: Arc<TestDatabase>,
        now: Timestamp,
        settings: impl FnOnce(&str) -> Settings,
        tls: Option<Tls>,
        links: Option<&str>,
    ) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let base = format!("{scheme}://{}{VERSION_PATH}", listener.local_addr().unwrap());
        let clock = Clock::fixed(now);
        let store = Store::open(Opening {
            durability: Durability::Crash,
            clock: clock.clone(),
            ids: Ids::seeded(if links.is_none() { 9 } else { 10 }),
            ..Opening::of(database.database(), links.unwrap_or(&base))
        })
        .unwrap();
        let app = app(store.clone(), settings(&base));
        let forever = std::future::pending();
        let cores = Cores::start().unwrap();
        tokio::spawn(serve(
            listener,
            cores,
            app,
            ConnectionLimits::default(),
            tls,
            forever,
        ));
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self {
            base,
            store,
            clock,
            client,
            database,
        }
    }

    /// The database.
    pub(crate) fn database(&self) -> &TestDatabase {
        &self.database
    }

    /// The database file.
    pub(crate) fn file(&self) -> PathBuf {
        self.database.path().to_owned()
    }

    /// A request to a path below the base address, without a token.
    pub(crate) fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Answer {
            status,
            headers,
            text: response.text().await.unwrap(),
        }
    }

    /// GET by the operator; the query is encoded here.
    pub(crate) async fn get(&self, path: &str, query: &[(&str, &str)]) -> Answer {
        self.send(self.bare(Method::GET, path).bearer_auth(TOKEN).query(query))
            .await
    }

    /// GET of what stands behind the path as it is.
    pub(crate) async fn raw(&self, path: &str) -> Answer {
        self.send(self.bare(Method::GET, path).bearer_auth(TOKEN)).await
    }

    /// PATCH by the operator.
    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(self.bare(Method::PATCH, path).bearer_auth(TOKEN).json(body))
            .await
    }

    /// All records of a list, by following `next`.
    pub(crate) async fn all(&self, path: &str, query: &[(&str, &str)]) -> Vec<Value> {
        let mut answer = self.get(path, query).await;
        let mut records = Vec::new();
        loop {
            assert_eq!(answer.status, 200, "{}", answer.text);
            records.extend(answer.json().as_array().unwrap().iter().cloned());
            let Some(next) = link(&answer, "next") else {
                return records;
            };
            answer = self.send(self.client.get(next).bearer_auth(TOKEN)).await;
        }
    }
}

/// The address of a neighbouring page.
pub(crate) fn link(answer: &Answer, relation: &str) -> Option<String> {
    let mark = format!("; rel=\"{relation}\"");
    let link = answer
        .header("link")
        .split(", ")
        .find_map(|link| link.strip_suffix(&mark))?;
    Some(link.trim_start_matches('<').trim_end_matches('>').to_owned())
}
