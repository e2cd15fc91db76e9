//! Health, metrics and the served contract.

use crate::harness::Running;

async fn fetch(server: &Running, path: &str) -> (u16, String) {
    let root = server.base.strip_suffix("/api/v1").unwrap();
    let response = reqwest::get(format!("{root}{path}")).await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test]
async fn health_and_metrics_need_no_token_and_tell_nothing_of_the_directory() {
    let server = Running::start().await;
    server
        .get("/directory/users", &[("filter[email]", "somebody@example.net")])
        .await;
    assert_eq!(fetch(&server, "/health/live").await.0, 200);
    assert_eq!(fetch(&server, "/health/ready").await.0, 200);
    let (status, metrics) = fetch(&server, "/metrics").await;
    assert_eq!(status, 200);
    assert!(
        metrics
            .contains(r#"rollcall_requests_total{method="GET",operation="listDirectoryUsers",status="200"}"#),
        "{metrics}"
    );
    assert!(!metrics.contains("somebody"));
}

#[tokio::test]
async fn what_is_code_first_is_described_and_the_contract_is_served_as_it_is() {
    let server = Running::start().await;
    let (_, described) = fetch(&server, "/operate/openapi.json").await;
    for path in ["/health/live", "/health/ready", "/metrics"] {
        assert!(described.contains(path), "{described}");
    }
    assert_eq!(
        fetch(&server, "/api/v1/openapi.yaml").await,
        (200, rollcall::CONTRACT.to_owned())
    );
}
