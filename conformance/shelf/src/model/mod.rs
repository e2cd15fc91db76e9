//! A complete model of the API, in memory, readable and writable, built from the contract and independent of the
//! reference server. It conforms until [`Hooks`] say otherwise.
//!
//! Records are rendered and taken apart when they are stored, so that a request on thousands of them costs little.

mod answer;
mod blank;
mod find;
mod ids;
mod include;
mod links;
mod moves;
mod names;
mod page;
mod people;
mod places;
mod policy;
mod row;
mod rows;
mod sort;
mod table;
mod times;
mod timestamp;
mod workspace;
mod writes;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, RwLock};
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use reqwest::Url;
use rollcall_contract::Contract;
use serde_json::Value;
use tokio::task::JoinHandle;

use super::asked::Previous;
use super::reply::Reply;
use super::{Asked, Hooks};

pub use row::Row;
pub use rows::Rows;
pub use table::Column;
pub use writes::Write;

use table::Table;

/// The contract that the model is built from.
pub static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| Contract::parse(include_str!("../../../../openapi.yaml")).unwrap());

/// What the contract says of the lists that the model serves.
static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| Table::all(&CONTRACT));

/// The path of the list of directory users.
pub const USERS: &str = "/directory/users";

/// The model.
pub struct Model {
    hooks: Hooks,
    rows: RwLock<Rows>,
    asked: AtomicUsize,
    /// How many requests came on each connection.
    connections: Mutex<HashMap<SocketAddr, usize>>,
    /// The request that was answered last.
    previous: Mutex<Option<Arc<Previous>>>,
    began: Instant,
    moved: AtomicUsize,
    page_size: usize,
}

/// A record as the list under a path shows it among related records of a component schema.
pub fn summary(path: &str, schema: &str, rows: &Rows, id: &str) -> Option<Value> {
    let table = TABLES.iter().find(|table| table.operation.path == path)?;
    Some(table.summary(schema, rows.record(id)?))
}

impl Model {
    /// A model of so many people, changed as the hooks say.
    pub fn new(people: usize, hooks: Hooks) -> Self {
        let rows = Rows::new(people, &hooks.settings);
        Self::of(rows, hooks)
    }

    /// A model with these rows, changed as the hooks say.
    pub fn of(mut rows: Rows, hooks: Hooks) -> Self {
        for hook in &hooks.rows {
            hook(&mut rows);
        }
        rows.index(&TABLES);
        let people = rows.of(USERS).len();
        let usual = if people > 500 { 50 } else { 25 };
        Self {
            page_size: hooks.settings.page_size.unwrap_or(usual),
            hooks,
            rows: RwLock::new(rows),
            asked: AtomicUsize::new(0),
            connections: Mutex::default(),
            previous: Mutex::default(),
            began: Instant::now(),
            moved: AtomicUsize::new(0),
        }
    }

    /// Everything that is stored now.
    pub fn stored(&self) -> Rows {
        self.rows.read().unwrap().clone()
    }

    /// The answer to a request that comes over no network.
    pub fn ask(&self, mut asked: Asked) -> Reply {
        asked.number = self.asked.fetch_add(1, Ordering::Relaxed);
        self.reply(&mut asked)
    }

    /// Serves the model on a free port for as long as the runtime lives.
    pub async fn serve(self) -> Url {
        serve(self).await.0
    }
}

impl Model {
    /// How many requests came on a connection before.
    fn count(&self, client: SocketAddr) -> usize {
        let mut connections = self.connections.lock().unwrap();
        let count = connections.entry(client).or_default();
        *count += 1;
        *count - 1
    }
}

/// Serves a model on a free port.
pub(super) async fn serve(model: Model) -> (Url, JoinHandle<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/api/v1", listener.local_addr().unwrap());
    let router = Router::new().fallback(answer).with_state(Arc::new(model));
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let task = tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
    (base.parse().unwrap(), task)
}

async fn answer(
    State(model): State<Arc<Model>>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let url = Url::parse(&format!("http://model{uri}")).unwrap();
    let header = |name| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned)
    };
    let query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let mut asked = Asked {
        method,
        path: url.path().strip_prefix("/api/v1").unwrap_or_default().to_owned(),
        written: url.query().unwrap_or_default().to_owned(),
        sent: query.clone(),
        query,
        credentials: header("authorization"),
        content_type: header("content-type"),
        headers: headers.keys().map(|name| name.as_str().to_owned()).collect(),
        body: serde_json::from_slice(&body).ok(),
        number: model.asked.fetch_add(1, Ordering::Relaxed),
        on_connection: model.count(client),
        previous: None,
        refused: None,
    };
    if !model.hooks.settings.latency.is_zero() {
        tokio::time::sleep(model.hooks.settings.latency).await;
    }
    model.reply(&mut asked).response()
}
