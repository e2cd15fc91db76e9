//! The generated client against the generated router, over loopback.

use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use rollcall::client::Retry;
use rollcall::client::model::{DeprecateRequest, DirectoryUserSort, Instant, ProblemCode};
use rollcall::{Client, ClientError, Presence};

use super::stub;

/// Serves the stub and runs a conversation with it.
fn converse<T>(scope: &str, conversation: impl AsyncFnOnce(Client) -> T) -> T {
    let token = HeaderValue::try_from(format!("Bearer {scope}")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, rollcall::router(stub())).await });
        let headers = HeaderMap::from_iter([(AUTHORIZATION, token)]);
        let http = reqwest::Client::builder()
            .no_proxy()
            .default_headers(headers)
            .timeout(Duration::from_secs(10))
            .build();
        let outcome = conversation(Client::new_with_client(&address, http.unwrap(), Retry::never())).await;
        server.abort();
        outcome
    })
}

#[test]
fn a_list_is_filtered_by_a_named_filter() {
    let page = converse("directory:read", async |client| {
        client
            .list_directory_users()
            .filter_email("bea@example.net")
            .page_total(true)
            .send()
            .await
            .unwrap()
    });
    assert_eq!(page.headers()["x-total-count"], "1");
    let users = page.into_inner();
    assert_eq!(
        users.iter().map(|user| user.id.as_str()).collect::<Vec<_>>(),
        ["drusr_2"]
    );
    let sent = serde_json::to_value(&stub().users[1]).unwrap();
    assert_eq!(serde_json::to_value(&users[0]).unwrap(), sent);
}

#[test]
fn a_page_is_asked_for_by_its_number() {
    let ids_of_page = |page: i32| {
        let page = converse("directory:read", async |client| {
            let request = client.list_directory_users().page_size(1);
            request.page(page).send().await.unwrap().into_inner()
        });
        page.iter()
            .map(|user| user.id.as_str().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids_of_page(1), [stub().users[0].id.as_str()]);
    assert_eq!(ids_of_page(2), [stub().users[1].id.as_str()]);
}

#[test]
fn a_change_is_sent_as_it_was_meant() {
    let until: Instant = "2027-01-31T00:00:00Z".parse().unwrap();
    let body = DeprecateRequest {
        expires_at: Presence::Value(until),
        expires_after_days: Presence::Absent,
    };
    let attribute = converse("attributes:write", async |client| {
        client
            .deprecate_directory_attribute()
            .attribute("dratr_1")
            .body(body)
            .send()
            .await
            .unwrap()
            .into_inner()
    });
    assert_eq!(attribute.timestamp.expires_at, Presence::Value(until));
}

#[test]
fn an_error_is_a_problem_with_its_code() {
    let error = converse("directory:read", async |client| {
        client
            .list_directory_users()
            .sort([DirectoryUserSort::Other("salary".to_owned())])
            .send()
            .await
            .unwrap_err()
    });
    let ClientError::ErrorResponse(answer) = error else {
        panic!("not a problem: {error}")
    };
    assert_eq!(answer.status(), 400);
    let problem = answer.into_inner();
    assert_eq!(
        (problem.code, problem.status.map(|status| status.get())),
        (Some(ProblemCode::UnknownWord), Some(400))
    );
    assert_eq!(problem.errors.unwrap()[0].parameter.as_deref(), Some("sort"));
    let forbidden = converse("directory:read", async |client| {
        let body = DeprecateRequest::default();
        client
            .deprecate_directory_attribute()
            .attribute("dratr_1")
            .body(body)
            .send()
            .await
            .unwrap_err()
    });
    assert_eq!(forbidden.status().unwrap(), 403);
}

#[test]
fn what_cannot_be_valid_is_not_even_sent() {
    let error = converse("directory:read", async |client| {
        client
            .list_directory_users()
            .filter_email("x".repeat(1025))
            .send()
            .await
            .unwrap_err()
    });
    assert!(matches!(error, ClientError::InvalidRequest(_)), "{error}");
    let error = converse("directory:read", async |client| {
        client
            .get_directory_user()
            .user("wsusr_1")
            .send()
            .await
            .unwrap_err()
    });
    assert!(matches!(error, ClientError::InvalidRequest(_)), "{error}");
}
