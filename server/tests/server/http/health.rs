//! Health, metrics and the served contract.

use rollcall_store::Snapshot;
use rollcall_store::sql::Sql;

use crate::database::is_about_files;
use crate::harness::Running;

pub(crate) async fn fetch(server: &Running, path: &str) -> (u16, String) {
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
    for path in ["/healthz", "/readyz", "/health/live", "/health/ready"] {
        assert_eq!(fetch(&server, path).await.0, 200, "{path}");
    }
    let (status, metrics) = fetch(&server, "/metrics").await;
    assert_eq!(status, 200);
    assert!(
        metrics
            .contains(r#"rollcall_requests_total{method="GET",operation="listDirectoryUsers",status="200"}"#),
        "{metrics}"
    );
    for line in [
        "rollcall_ready 1",
        "rollcall_takes_changes 1",
        "rollcall_changes_waiting 0",
        "rollcall_changes_failed_total 0",
        "rollcall_requests_running 1",
        "rollcall_replicas 0",
        r#"rollcall_request_seconds_count{operation="listDirectoryUsers"} 1"#,
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    assert!(!metrics.contains("somebody"));
}

#[tokio::test]
async fn what_is_code_first_is_described() {
    let server = Running::start().await;
    let (_, described) = fetch(&server, "/operate/openapi.json").await;
    for path in ["/healthz", "/readyz", "/health/live", "/health/ready", "/metrics"] {
        assert!(described.contains(path), "{described}");
    }
}

#[tokio::test]
async fn readiness_waits_for_no_query() {
    let server = Running::start().await;
    let endless = |snapshot: &mut Snapshot<'_>| {
        let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        snapshot.connection.first(&Sql::new(sql), |cells| cells.int())
    };
    // More than there are readers, and none of them ever ends.
    let queries: Vec<_> = (0..64)
        .map(|_| {
            let store = server.store.clone();
            tokio::spawn(async move { store.read(endless).await.is_ok() })
        })
        .collect();
    while server.store.work_done().jobs < 64 {
        tokio::task::yield_now().await;
    }
    assert_eq!(fetch(&server, "/health/ready").await.0, 200);
    queries.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn a_file_that_is_gone_or_replaced_is_noticed() {
    if is_about_files() {
        return;
    }
    let server = Running::start().await;
    let file = server.file();
    let elsewhere = file.with_extension("elsewhere");
    std::fs::rename(&file, &elsewhere).unwrap();
    let is_gone = |(status, text): (u16, String)| status == 503 && text.contains("the database file is gone");
    assert!(is_gone(fetch(&server, "/health/ready").await));
    assert_eq!(fetch(&server, "/health/live").await.0, 200);
    std::fs::copy(&elsewhere, &file).unwrap();
    assert!(is_gone(fetch(&server, "/health/ready").await));
    std::fs::rename(&elsewhere, &file).unwrap();
    assert_eq!(fetch(&server, "/health/ready").await.0, 200);
}
