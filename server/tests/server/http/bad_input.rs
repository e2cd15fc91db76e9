//! What is not understood is refused with its place; nothing is a panic, a 5xx or a widened result.

use reqwest::Method;
use serde_json::json;

use crate::harness::{Running, TOKEN};

#[tokio::test]
async fn an_unknown_parameter_is_named_with_the_nearest_and_all_that_is_allowed() {
    let server = Running::start().await;
    let answer = server.get("/directory/users", &[("filter[emial]", "x")]).await;
    let problem = answer.assert_problem(400, "unknown_parameter");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("did you mean filter[email]?"),
        "{problem}"
    );
    assert_eq!(problem["errors"][0]["parameter"], "filter[emial]");
    assert!(
        problem["errors"][0]["allowed"]
            .as_array()
            .unwrap()
            .contains(&json!("filter[email_search]"))
    );
    assert_eq!(problem["instance"], "/api/v1/directory/users");
}

#[tokio::test]
async fn queries_that_are_not_understood_are_400_and_never_widen_the_result() {
    let server = Running::start().await;
    let long = "x".repeat(1_025);
    let number = format!("1{}", "0".repeat(30));
    for (query, code) in [
        ("filter[]=x", "unknown_parameter"),
        ("filter[a][b]=c", "unknown_parameter"),
        ("filter[email", "unknown_parameter"),
        ("filter[email]=a&filter[email]=b", "repeated_parameter"),
        ("filter%5Bemail%5D=a&filter[email]=b", "repeated_parameter"),
        ("filter[email]=", "empty_value"),
        ("filter[email]", "empty_value"),
        (&format!("filter[email]={long}"), "value_too_long"),
        ("filter[email]=%", "invalid_encoding"),
        ("filter[email]=%zz", "invalid_encoding"),
        ("filter[email]=%ff", "invalid_encoding"),
        ("%ff=1", "invalid_encoding"),
        ("filter[state]=busy", "unknown_word"),
        ("filter[manager]=1", "invalid_value"),
        ("filter[created_before]=yesterday", "invalid_value"),
        ("filter[created_before]=2026-02-30", "invalid_value"),
        ("page=0", "invalid_page"),
        ("page=-1", "invalid_page"),
        ("page=abc", "invalid_page"),
        ("page=", "invalid_page"),
        (&format!("page={number}"), "invalid_page"),
        ("page=c_nonsense", "invalid_page"),
        ("page[size]=0", "invalid_page"),
        ("page[size]=201", "invalid_page"),
        ("page[total]=yes", "invalid_value"),
        ("sort=shoe_size", "unknown_word"),
        ("sort=email,-email", "repeated_parameter"),
        ("sort=,", "empty_value"),
        ("sort=-", "unknown_word"),
        ("include=everything", "unknown_word"),
        ("include=manager-user-counts", "unknown_word"),
    ] {
        server
            .raw(&format!("/directory/users?{query}"))
            .await
            .assert_problem(400, code);
    }
}

/// A cursor goes with its list, its filters and its sort. What is included, and how many records a page has, does not matter.
#[tokio::test]
async fn a_cursor_of_another_question_is_refused() {
    let server = Running::start().await;
    let own = [("filter[state]", "active"), ("sort", "created_at")];
    let first = server
        .get("/directory/users", &with(&own, "page[size]", "5"))
        .await;
    let next = crate::harness::link(&first, "next").unwrap();
    let cursor = next.split("page=").nth(1).unwrap().split('&').next().unwrap();
    let reversed = [own[1], own[0]];
    for same in [
        with(&own, "page[size]", "7"),
        with(&own, "include", "manager-user"),
        with(&own, "page[total]", "true"),
        reversed.to_vec(),
    ] {
        let answer = server.get("/directory/users", &with(&same, "page", cursor)).await;
        assert_eq!(answer.status, 200, "{same:?}");
    }
    let (filter, sort) = (own[0], own[1]);
    for (path, other) in [
        ("/directory/users", vec![sort]),
        ("/directory/users", vec![("filter[state]", "expired"), sort]),
        ("/directory/users", with(&own, "filter[manager]", "false")),
        ("/directory/users", with(&own, "filter[trashed]", "with")),
        ("/directory/users", vec![filter, ("sort", "-created_at")]),
        ("/directory/users", vec![filter]),
        ("/directory/attributes", own.to_vec()),
    ] {
        let answer = server.get(path, &with(&other, "page", cursor)).await;
        answer.assert_problem(400, "invalid_page");
    }
}

fn with<'p>(parameters: &[(&'p str, &'p str)], name: &'p str, value: &'p str) -> Vec<(&'p str, &'p str)> {
    [parameters, &[(name, value)]].concat()
}

#[tokio::test]
async fn bodies_that_are_not_understood_are_refused_and_change_nothing() {
    let server = Running::start().await;
    let id = server
        .get("/directory/attributes", &[("filter[state]", "active")])
        .await
        .ids()
        .swap_remove(0);
    let path = format!("/directory/attributes/{id}/deprecate");
    let record = format!("/directory/attributes/{id}");
    let before = server.raw(&record).await.text;
    let deep = "[".repeat(100_000);
    let json = "application/json";
    for (kind, body, status, code) in [
        (json, "", 400, "malformed_json"),
        (json, "{", 400, "malformed_json"),
        (json, "nonsense", 400, "malformed_json"),
        (json, &deep[..60_000], 400, "malformed_json"),
        (json, &deep, 413, "payload_too_large"),
        (json, "[]", 422, "invalid_member"),
        (json, "null", 422, "invalid_member"),
        (json, r#"{"expires_after_day": 3}"#, 422, "unknown_member"),
        (json, r#"{"expires_after_days": -1}"#, 422, "invalid_member"),
        (json, r#"{"expires_after_days": 1096}"#, 422, "invalid_member"),
        (json, r#"{"expires_after_days": 1.5}"#, 422, "invalid_member"),
        (json, r#"{"expires_after_days": "30"}"#, 422, "invalid_member"),
        (json, r#"{"expires_after_days": true}"#, 422, "invalid_member"),
        (json, r#"{"expires_after_days": 1e400}"#, 400, "malformed_json"),
        (json, r#"{"expires_at": "tomorrow"}"#, 422, "invalid_member"),
        (json, r#"{"expires_at": "2027-01-01"}"#, 422, "invalid_member"),
        (
            json,
            r#"{"expires_at": "2027-01-01T00:00:00Z", "expires_after_days": 3}"#,
            422,
            "conflicting_members",
        ),
        (
            json,
            r#"{"expires_after_days": 3, "expires_after_days": 4}"#,
            422,
            "invalid_member",
        ),
        ("text/plain", "{}", 415, "unsupported_media_type"),
        (
            "application/x-www-form-urlencoded",
            "expires_after_days=3",
            415,
            "unsupported_media_type",
        ),
    ] {
        let request = server
            .bare(Method::PATCH, &path)
            .bearer_auth(TOKEN)
            .header("content-type", kind);
        server
            .send(request.body(body.to_owned()))
            .await
            .assert_problem(status, code);
    }
    assert_eq!(server.raw(&record).await.text, before);
}

/// A body that says it is compressed is not read, whether it is so or not: what it means cannot be known.
#[tokio::test]
async fn an_encoded_body_is_refused_and_changes_nothing() {
    let server = Running::start().await;
    let active = [("filter[state]", "active")];
    let id = server
        .get("/directory/attributes", &active)
        .await
        .ids()
        .swap_remove(0);
    let record = format!("/directory/attributes/{id}");
    let before = server.raw(&record).await.text;
    let send = |coding: &'static str| {
        let request = server.bare(Method::PATCH, &format!("{record}/deprecate"));
        let request = request.bearer_auth(TOKEN).header("content-encoding", coding);
        server.send(request.json(&json!({"expires_after_days": 30})))
    };
    for coding in ["gzip", "GZIP", "deflate", "br", "identity, gzip", "", "x"] {
        let refused = send(coding).await;
        assert_eq!(refused.header("accept-encoding"), "identity", "{coding}");
        refused.assert_problem(415, "unsupported_media_type");
    }
    assert_eq!(server.raw(&record).await.text, before);
    assert_eq!(send("identity").await.status, 200);
}

#[tokio::test]
async fn a_fault_in_a_body_is_named_by_its_pointer() {
    let server = Running::start().await;
    let id = server.get("/workspace/users", &[]).await.ids().swap_remove(0);
    let path = format!("/workspace/users/{id}/restore");
    let problem = server
        .patch(&path, &json!({"role": true}))
        .await
        .assert_problem(422, "missing_member");
    assert_eq!(problem["errors"][0]["pointer"], "/roles");
    assert_eq!(problem["errors"][1]["pointer"], "/role");
    assert_eq!(problem["errors"][1]["code"], "unknown_member");
    assert!(
        problem["errors"][1]["detail"]
            .as_str()
            .unwrap()
            .contains("did you mean roles?")
    );
    let problem = server
        .patch(&path, &json!({"roles": "yes"}))
        .await
        .assert_problem(422, "invalid_member");
    assert_eq!(problem["errors"][0]["pointer"], "/roles");
}

#[tokio::test]
async fn an_id_of_another_resource_is_404_and_says_what_would_be_one() {
    let server = Running::start().await;
    let id = server.get("/workspace/users", &[]).await.ids().swap_remove(0);
    let problem = server
        .raw(&format!("/directory/users/{id}"))
        .await
        .assert_problem(404, "not_found");
    assert!(
        problem["detail"].as_str().unwrap().contains("drusr_"),
        "{problem}"
    );
    for id in [
        "drusr_",
        "drusr_A",
        "drusr_1%2f2",
        "%ff",
        "drusr_doesnotexist",
        "drusr_%00",
    ] {
        server
            .raw(&format!("/directory/users/{id}"))
            .await
            .assert_problem(404, "not_found");
    }
}

#[tokio::test]
async fn what_the_framework_refuses_is_a_problem_too() {
    let server = Running::start().await;
    server.raw("/nothing").await.assert_problem(404, "not_found");
    let post = server
        .send(server.bare(Method::POST, "/directory/users").bearer_auth(TOKEN))
        .await;
    post.assert_problem(405, "method_not_allowed");
    assert_eq!(post.header("allow"), "GET,HEAD");
    for (method, path, command) in [
        (Method::POST, "/directory/users", "person add`"),
        (Method::DELETE, "/directory/users", "person remove`"),
        (Method::DELETE, "/directory/users/drusr_1", "person remove`"),
        (Method::PATCH, "/directory/users/drusr_1", "person set`"),
    ] {
        let answer = server.send(server.bare(method, path).bearer_auth(TOKEN)).await;
        let problem = answer.assert_problem(405, "method_not_allowed");
        assert!(problem["detail"].as_str().unwrap().contains(command), "{problem}");
    }
    let html = server
        .bare(Method::GET, "/directory/users")
        .bearer_auth(TOKEN)
        .header("accept", "text/html");
    server.send(html).await.assert_problem(406, "not_acceptable");
    let other = server.base.replace("/v1", "/v2");
    let answer = reqwest::get(format!("{other}/directory/users")).await.unwrap();
    assert_eq!(answer.status(), 404);
    assert!(answer.text().await.unwrap().contains("unknown_version"));
}

#[tokio::test]
async fn single_records_take_no_parameters() {
    let server = Running::start().await;
    let id = server.get("/directory/users", &[]).await.ids().swap_remove(0);
    server
        .get(&format!("/directory/users/{id}"), &[("include", "manager-user")])
        .await
        .assert_problem(400, "unknown_parameter");
}
