//! Who may do what (§5, A1, A2, A6, A9).

use reqwest::Method;
use rollcall::operations;
use rollcall_server::app::RequestLimits;
use serde_json::json;

use crate::harness::{Answer, READER, Running, TOKEN, now};

/// A path for each operation, whose record need not exist.
fn path(template: &str) -> String {
    template
        .split('/')
        .map(|part| if part.starts_with('{') { "drusr_1" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

#[tokio::test]
async fn every_operation_refuses_a_missing_a_wrong_and_an_altered_token() {
    let server = Running::start().await;
    for operation in operations::ALL {
        let method = if operation.path.ends_with("ate") || operation.path.ends_with("ore") {
            Method::PATCH
        } else {
            Method::GET
        };
        let path = path(operation.path);
        let missing = server.send(server.bare(method.clone(), &path)).await;
        missing.assert_problem(401, "unauthorized");
        assert_eq!(missing.header("www-authenticate"), r#"Bearer realm="rollcall""#);
        for token in [
            "nonsense",
            &TOKEN[..TOKEN.len() - 1],
            &format!("{TOKEN}x"),
            &TOKEN.to_uppercase(),
        ] {
            let wrong = server
                .send(server.bare(method.clone(), &path).bearer_auth(token))
                .await;
            wrong.assert_problem(401, "unauthorized");
            assert!(
                wrong
                    .header("www-authenticate")
                    .contains(r#"error="invalid_token""#)
            );
            assert!(!wrong.text.contains(token), "the token is not repeated");
        }
    }
}

#[tokio::test]
async fn the_scheme_may_be_spelled_in_any_case_and_no_other_will_do() {
    let server = Running::start().await;
    for (header, status) in [
        (format!("Bearer {TOKEN}"), 200),
        (format!("bearer {TOKEN}"), 200),
        (format!("BEARER {TOKEN}"), 200),
        (format!("Basic {TOKEN}"), 401),
        (format!("Token {TOKEN}"), 401),
        (TOKEN.to_owned(), 401),
        (format!("Bearer{TOKEN}"), 401),
        ("Bearer ".to_owned(), 401),
        (format!("Bearer {}", "x".repeat(5_000)), 401),
    ] {
        let request = server
            .bare(Method::GET, "/directory/users")
            .header("authorization", &header);
        assert_eq!(server.send(request).await.status.as_u16(), status, "{header}");
    }
}

#[tokio::test]
async fn two_authorization_headers_are_no_authorization() {
    let server = Running::start().await;
    let request = server
        .bare(Method::GET, "/directory/users")
        .bearer_auth(TOKEN)
        .header("authorization", "Bearer x");
    server.send(request).await.assert_problem(401, "unauthorized");
}

#[tokio::test]
async fn a_token_without_the_scope_is_refused_before_it_is_said_whether_the_record_exists() {
    let server = Running::start().await;
    let known = server
        .get("/directory/attributes", &[])
        .await
        .ids()
        .swap_remove(0);
    for id in [known.as_str(), "dratr_unknown", "nonsense"] {
        let path = format!("/directory/attributes/{id}/deprecate");
        let answer = server
            .send(server.bare(Method::PATCH, &path).bearer_auth(READER).body("{"))
            .await;
        answer.assert_problem(403, "insufficient_scope");
        assert!(
            answer
                .header("www-authenticate")
                .contains(r#"scope="attributes:write""#)
        );
    }
    let read = server
        .send(server.bare(Method::GET, "/directory/users").bearer_auth(READER))
        .await;
    assert_eq!(read.status, 200);
}

#[tokio::test]
async fn a_token_ends_with_its_time() {
    let server = Running::start().await;
    let read = || server.send(server.bare(Method::GET, "/directory/users").bearer_auth(READER));
    assert_eq!(read().await.status, 200);
    server.clock.set(now().plus_seconds(86_400).unwrap());
    read().await.assert_problem(401, "unauthorized");
}

#[tokio::test]
async fn a_token_ends_when_it_is_revoked_or_its_owner_is_deprecated() {
    let server = Running::start().await;
    let owner = server
        .get("/workspace/users", &[("filter[email]", "reader@example.net")])
        .await
        .ids()
        .swap_remove(0);
    let read = || server.send(server.bare(Method::GET, "/directory/users").bearer_auth(READER));
    let deprecated = server
        .patch(
            &format!("/workspace/users/{owner}/deprecate"),
            &serde_json::json!({}),
        )
        .await;
    assert_eq!(deprecated.status, 200);
    read().await.assert_problem(401, "unauthorized");
    let restored = server
        .patch(
            &format!("/workspace/users/{owner}/restore"),
            &serde_json::json!({"roles": true}),
        )
        .await;
    assert_eq!(restored.status, 200, "{}", restored.text);
    assert_eq!(read().await.status, 200);
    let tokens = server
        .get("/workspace/tokens", &[("filter[workspace_user_id]", &owner)])
        .await;
    assert!(!tokens.text.contains(READER), "a list of tokens shows no secret");
    let token = tokens.ids().swap_remove(0);
    server
        .store
        .write(None, move |unit| {
            rollcall_store::access::tokens::revoke(unit, &token)
        })
        .await
        .unwrap();
    read().await.assert_problem(401, "unauthorized");
}

#[tokio::test]
async fn a_limit_holds_for_each_token_and_each_second() {
    let server = Running::with(RequestLimits {
        per_token: Some(3),
        ..RequestLimits::default()
    })
    .await;
    let limit =
        |answer: &Answer| ["ratelimit-policy", "ratelimit"].map(|name| answer.header(name).to_owned());
    for left in [2, 1, 0] {
        let answer = server.get("/directory/dimensions", &[]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(
            limit(&answer),
            [
                "\"second\";q=3;w=1".to_owned(),
                format!("\"second\";r={left};t=1")
            ]
        );
    }
    let refused = server.get("/directory/dimensions", &[]).await;
    refused.assert_problem(429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(limit(&refused), ["\"second\";q=3;w=1", "\"second\";r=0;t=1"]);
    let other = server
        .send(
            server
                .bare(Method::GET, "/directory/dimensions")
                .bearer_auth(READER),
        )
        .await;
    assert_eq!(other.status, 200);
    assert_eq!(limit(&other)[1], "\"second\";r=2;t=1");
    let forbidden = server.bare(Method::PATCH, "/workspace/users/wsusr_0/restore");
    let forbidden = server
        .send(forbidden.bearer_auth(READER).json(&json!({"roles": true})))
        .await;
    forbidden.assert_problem(403, "insufficient_scope");
    assert_eq!(limit(&forbidden)[1], "\"second\";r=1;t=1");
    server.clock.set(now().plus_seconds(1).unwrap());
    assert_eq!(server.get("/directory/dimensions", &[]).await.status, 200);
}
