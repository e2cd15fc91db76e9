//! The generated router, and the generated client, over a service in memory.

mod answers;
mod any_server;
mod bodies;
mod client;
mod coding;
mod order;
mod refusal;
mod scripted;
mod stub;

use std::sync::LazyLock;

use axum::body::{Body, to_bytes};
use http::{HeaderMap, Request, StatusCode};
use rollcall::model::{DirectoryAttribute, DirectoryUser, WorkspaceUser};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::schema::sample;
use refusal::Refusal;
use stub::Stub;

const READER: &str = "directory:read";
const DEPRECATE: &str = "/directory/attributes/dratr_1/deprecate";
const RESTORE: &str = "/workspace/users/wsusr_1/restore";

/// Three people, an attribute and a workspace user.
static STUB: LazyLock<Stub> = LazyLock::new(|| {
    let users = ["ada", "bea", "cleo"].into_iter().zip(1..).map(|(name, number)| {
        let mut user: DirectoryUser = sample("DirectoryUser");
        user.id = format!("drusr_{number}").try_into().unwrap();
        user.email = format!("{name}@example.net");
        user
    });
    let mut attribute: DirectoryAttribute = sample("DirectoryAttribute");
    attribute.id = "dratr_1".try_into().unwrap();
    let mut workspace_user: WorkspaceUser = sample("WorkspaceUser");
    workspace_user.id = "wsusr_1".try_into().unwrap();
    Stub {
        users: users.collect(),
        attribute: Some(attribute),
        workspace_user: Some(workspace_user),
    }
});

fn stub() -> Stub {
    STUB.clone()
}

/// What came back.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The place and code of each fault.
    fn faults(&self) -> Vec<(String, String)> {
        let json = self.json();
        let errors = json["errors"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let place = |error: &Value| {
            text(&error["pointer"])
                .or_else(|| text(&error["parameter"]))
                .unwrap_or_default()
        };
        errors
            .map(|error| (place(error), text(&error["code"]).unwrap()))
            .collect()
    }
}

/// Sends a request that may do what it asks for, unless its headers say otherwise.
fn send(method: &str, address: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
    let mut request = Request::builder().method(method).uri(address);
    let scope = match address {
        _ if method == "GET" && address.starts_with("/directory") => READER,
        _ if address.starts_with("/directory/attributes") => "attributes:write",
        _ => "workspace:write",
    };
    if headers.iter().all(|(name, _)| *name != "authorization") {
        request = request.header("authorization", format!("Bearer {scope}"));
    }
    for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
        request = request.header(*name, *value);
    }
    let request = request.body(body.into()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let response = rollcall::router(stub()).oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer {
            status: head.status,
            headers: head.headers,
            body,
        }
    })
}

fn get(address: &str) -> Answer {
    send("GET", address, &[], "")
}

fn patch(address: &str, body: impl Into<Body>) -> Answer {
    send("PATCH", address, &[("content-type", "application/json")], body)
}
