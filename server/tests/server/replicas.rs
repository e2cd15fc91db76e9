//! Replicas and positions: here a replica is the primary itself, or a server that is not there.

use rollcall_store::dialect::{Database, Durability};
use rollcall_store::grant::Grant;
use rollcall_store::sql::Sql;
use rollcall_store::{Error, Opening, Snapshot, Store};
use serde_json::json;

use crate::database::{TestDatabase, is_server};
use crate::harness::{Running, TOKEN};

fn users(snapshot: &mut Snapshot<'_>) -> Result<Option<i64>, Error> {
    let sql = Sql::new("SELECT count(*) FROM workspace_users");
    snapshot.connection.first(&sql, |cells| cells.int())
}

fn store(database: &TestDatabase, replicas: &[Database]) -> Store {
    let opened = Store::open(Opening {
        replicas,
        durability: Durability::Crash,
        ..Opening::of(database.database(), "http://x/api/v1")
    });
    opened.unwrap()
}

#[tokio::test]
async fn what_is_only_read_is_read_on_a_replica_that_has_come_far_enough() {
    if !is_server() {
        eprintln!("not for a file: it has no replicas");
        return;
    }
    let database = TestDatabase::migrated();
    let store = store(&database, &[database.database().clone()]);
    let grant = Grant {
        token: "wstok_1".to_owned(),
        owner: "wsusr_1".to_owned(),
        scopes: Vec::new(),
    };
    let (made, reached) = store.write_as(grant, |_| Ok::<_, Error>(1)).await.unwrap();
    assert!(made == 1 && reached.is_some());
    // No replica reaches the last one: the primary answers.
    for position in [None, reached, Some("fffffffffffffff".parse().unwrap())] {
        assert_eq!(store.read_since(position, users).await.unwrap(), Some(0));
    }
}

#[tokio::test]
async fn a_replica_that_is_not_there_is_done_without() {
    let database = TestDatabase::migrated();
    let nowhere = "postgres://nobody@127.0.0.1:1/nothing".parse().unwrap();
    let store = store(&database, &[nowhere]);
    for _ in 0..20 {
        assert_eq!(store.read_since(None, users).await.unwrap(), Some(0));
    }
}

#[tokio::test]
async fn the_answer_to_a_change_has_a_position_that_any_request_may_have() {
    let server = Running::start().await;
    let active = server
        .get("/directory/attributes", &[("filter[state]", "active")])
        .await;
    let path = format!("/directory/attributes/{}", active.ids().pop().unwrap());
    let changed = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    let position = changed.header("rollcall-position").to_owned();
    assert_eq!(position.is_empty(), !is_server());
    let read = async |position: &str| {
        let request = server.bare(reqwest::Method::GET, &path).bearer_auth(TOKEN);
        server.send(request.header("rollcall-position", position)).await
    };
    for position in [position.as_str(), "1", "ffffffffffffff"] {
        if !position.is_empty() {
            assert_eq!(read(position).await.json(), changed.json());
        }
    }
    for wrong in ["x", "-1", "", "11111111111111111"] {
        let problem = read(wrong).await.assert_problem(400, "malformed_request");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.starts_with("Rollcall-Position: "), "{detail}");
    }
}
