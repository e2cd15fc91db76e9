//! Idempotency keys over HTTP (O11).

use reqwest::Method;
use serde_json::{Value, json};

use super::writes::some;
use crate::harness::{Running, TOKEN, now};

#[tokio::test]
async fn a_request_repeated_under_its_key_changes_nothing_and_gets_the_first_answer() {
    let server = Running::start().await;
    let id = some(&server, "/directory/attributes", "active").await;
    let path = format!("/directory/attributes/{id}/deprecate");
    let send = |body: Value| {
        let request = server
            .bare(Method::PATCH, &path)
            .bearer_auth(TOKEN)
            .header("idempotency-key", "k-1");
        server.send(request.json(&body))
    };
    let first = send(json!({"expires_after_days": 5})).await;
    assert_eq!(first.status, 200);
    server.clock.set(now().plus_seconds(60).unwrap());
    let again = send(json!({"expires_after_days": 5})).await;
    assert_eq!((again.status, again.text), (first.status, first.text));
    send(json!({"expires_after_days": 6}))
        .await
        .assert_problem(422, "idempotency_mismatch");
    let bad = server
        .bare(Method::PATCH, &path)
        .bearer_auth(TOKEN)
        .header("idempotency-key", "with space");
    server
        .send(bad.json(&json!({})))
        .await
        .assert_problem(400, "invalid_value");
    // A day later the key is forgotten.
    server.clock.set(now().plus_seconds(86_401).unwrap());
    assert_eq!(send(json!({"expires_after_days": 6})).await.status, 200);
}

/// A request that changed nothing, or was refused, has an answer too: sent again, it does not undo what others did meanwhile.
#[tokio::test]
async fn a_key_is_kept_whatever_its_first_request_came_to() {
    let server = Running::start().await;
    let id = some(&server, "/directory/attributes", "active").await;
    let send = |operation: &str, key: Option<&str>, id: &str| {
        let path = format!("/directory/attributes/{id}/{operation}");
        let request = server.bare(Method::PATCH, &path).bearer_auth(TOKEN);
        let request = match key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        };
        server.send(request.json(&json!({})))
    };
    let unchanged = send("activate", Some("k-1"), &id).await;
    assert_eq!(unchanged.status, 200);
    assert_eq!(send("deprecate", None, &id).await.status, 200);
    let again = send("activate", Some("k-1"), &id).await;
    assert_eq!((again.status, again.text), (unchanged.status, unchanged.text));
    let shown = server.get(&format!("/directory/attributes/{id}"), &[]).await;
    assert_eq!(shown.json()["state"], "expired");
    send("deprecate", Some("k-1"), &id)
        .await
        .assert_problem(422, "idempotency_mismatch");

    let nobody = "dratr_00000000000000000000";
    let refused = send("activate", Some("k-2"), nobody).await;
    refused.assert_problem(404, "not_found");
    send("activate", Some("k-2"), nobody)
        .await
        .assert_problem(404, "not_found");
    send("activate", Some("k-2"), &id)
        .await
        .assert_problem(422, "idempotency_mismatch");
    let etag = server.bare(Method::PATCH, &format!("/directory/attributes/{id}/activate"));
    let etag = etag
        .bearer_auth(TOKEN)
        .header("idempotency-key", "k-3")
        .header("if-match", "\"other\"");
    let (first, again) = (etag.try_clone().unwrap(), etag);
    server
        .send(first)
        .await
        .assert_problem(412, "precondition_failed");
    server
        .send(again)
        .await
        .assert_problem(412, "precondition_failed");
}
