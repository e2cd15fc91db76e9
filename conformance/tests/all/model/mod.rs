//! The model itself: what the runner is tried on has to be right without the runner.

mod queries;
mod records;
mod writes;

use reqwest::{Client, Method, Url};
use rollcall_shelf::{Hooks, Model, TOKEN};
use serde_json::Value;

/// A model that is being asked.
struct Asker {
    base: Url,
    client: Client,
}

impl Asker {
    async fn of(people: usize) -> Self {
        Self {
            base: Model::new(people, Hooks::default()).serve().await,
            client: Client::new(),
        }
    }

    async fn send(&self, method: Method, path: &str, query: &str, body: Option<Value>) -> (u16, Value) {
        let mut url = self.base.clone();
        url.set_path(&format!("/api/v1{path}"));
        url.set_query(Some(query).filter(|query| !query.is_empty()));
        let mut request = self.client.request(method, url).bearer_auth(TOKEN);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    async fn get(&self, path: &str, query: &str) -> (u16, Value) {
        self.send(Method::GET, path, query, None).await
    }

    /// Every page of a list.
    async fn all(&self, path: &str, query: &str) -> Vec<Value> {
        let mut records = Vec::new();
        for page in 1.. {
            let (status, body) = self
                .get(path, &format!("{query}&page={page}&page[size]=200"))
                .await;
            assert_eq!(status, 200, "{path}?{query}: {body}");
            let shown = body.as_array().unwrap();
            records.extend(shown.iter().cloned());
            if shown.len() < 200 {
                break;
            }
        }
        records
    }

    async fn users(&self, query: &str) -> Vec<Value> {
        self.all("/directory/users", query).await
    }

    async fn count(&self, query: &str) -> usize {
        self.users(query).await.len()
    }

    async fn patch(&self, path: &str, body: Value) -> (u16, Value) {
        self.send(Method::PATCH, path, "", Some(body)).await
    }
}

fn ids(records: &[Value]) -> Vec<&str> {
    records
        .iter()
        .map(|record| record["id"].as_str().unwrap())
        .collect()
}
