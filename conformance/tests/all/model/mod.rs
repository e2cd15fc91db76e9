//! A model of the API, in memory, built from the contract and independent of the reference server. It conforms until a
//! [`Switch`] says otherwise.

mod answer;
mod data;
mod filter;
mod switch;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use rollcall_conformance::our_contract;
use rollcall_contract::{Contract, List, Operation};

pub(crate) use data::Row;
pub(crate) use switch::Switch;

/// The only token the model grants anything to.
pub(crate) const TOKEN: &str = "s3cret-Token.of-the/tests+0123456789";

/// The model.
pub(crate) struct Model {
    contract: Contract,
    switch: Switch,
    rows: Mutex<Vec<(String, Vec<Row>)>>,
    asked: AtomicUsize,
    page_size: usize,
}

/// A request, taken apart.
struct Asked {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    credentials: Option<String>,
    number: usize,
}

impl Model {
    /// A model of so many people.
    pub(crate) fn new(people: usize, switch: Switch) -> Self {
        let contract = our_contract().unwrap();
        let rows = data::rows(&contract, people, switch);
        let page_size = match switch {
            Switch::PageSize(size) => size,
            _ if people > 500 => 50,
            _ => 25,
        };
        Self {
            contract,
            switch,
            rows: Mutex::new(rows),
            asked: AtomicUsize::new(0),
            page_size,
        }
    }

    /// Serves the model on a free port for as long as the test runs.
    pub(crate) async fn serve(self) -> reqwest::Url {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/api/v1", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(Arc::new(self));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        base.parse().unwrap()
    }

    /// The list operation under a path.
    fn list(&self, path: &str) -> Option<(&Operation, &List)> {
        self.contract
            .lists()
            .find(|(operation, _)| operation.path == path)
    }
}

async fn answer(
    State(model): State<Arc<Model>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    _: Bytes,
) -> Response {
    let url = reqwest::Url::parse(&format!("http://model{uri}")).unwrap();
    let header = headers.get("authorization").and_then(|value| value.to_str().ok());
    let asked = Asked {
        method,
        path: url.path().strip_prefix("/api/v1").unwrap_or_default().to_owned(),
        query: url
            .query_pairs()
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect(),
        credentials: header.map(str::to_owned),
        number: model.asked.fetch_add(1, Ordering::Relaxed),
    };
    model.answer(&asked)
}
