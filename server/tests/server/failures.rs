//! A database server that fails: each failure has a clear error, nothing is lost, no password is told.

use rollcall_server::clock::Clock;
use rollcall_server::ids::Ids;
use rollcall_server::store::dialect::{Database, Durability};
use rollcall_server::store::{Error, Store};
use serde_json::json;

use crate::database::{TestDatabase, is_server};
use crate::harness::Running;

fn open(database: &Database) -> Result<Store, Error> {
    let base = "http://x/api/v1";
    Store::open(database, Durability::Crash, base, Clock::System, Ids::new())
}

/// Why a store cannot be opened.
fn refusal(database: &Database) -> String {
    match open(database) {
        Ok(_) => panic!("{database} was opened"),
        Err(why) => why.to_string(),
    }
}

fn is_about_a_server() -> bool {
    if !is_server() {
        eprintln!("not for a file: this test is about a server");
    }
    is_server()
}

#[test]
fn a_server_that_is_down_is_named_without_a_password() {
    let database: Database = "postgres://anna:hunter2@127.0.0.1:1/people".parse().unwrap();
    let why = refusal(&database);
    assert!(
        why.starts_with("the database cannot be reached: PostgreSQL: "),
        "{why}"
    );
    assert!(!why.contains("hunter2"), "{why}");
}

#[test]
fn a_database_that_is_not_there_or_is_not_ours_is_refused() {
    if !is_about_a_server() {
        return;
    }
    let database = TestDatabase::empty();
    let address = database.database().to_string();
    let missing = format!(
        "{}_missing",
        address.replace("postgres://", "postgres://rollcall@")
    );
    let why = refusal(&missing.parse().unwrap());
    assert!(why.contains("does not exist"), "{why}");
    database.run("CREATE TABLE theirs (a INT)");
    let why = refusal(database.database());
    assert!(why.contains("tables of another program"), "{why}");
    database.run("DROP TABLE theirs");
    drop(open(database.database()).unwrap());
    database.run("UPDATE rollcall_schema SET version = 1000");
    let why = refusal(database.database());
    assert!(why.contains("schema 1000"), "{why}");
}

#[tokio::test]
async fn connections_that_the_server_ends_are_made_anew_and_no_change_is_lost() {
    if !is_about_a_server() {
        return;
    }
    let server = Running::start().await;
    let active = [("filter[state]", "active")];
    let id = server
        .get("/directory/attributes", &active)
        .await
        .ids()
        .pop()
        .unwrap();
    let path = format!("/directory/attributes/{id}");
    for days in 1..6 {
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'";
        server.database().administer(end);
        for _ in 0..20 {
            assert_eq!(server.raw(&path).await.status, 200);
        }
        let body = json!({"expires_after_days": days});
        let changed = server.patch(&format!("{path}/deprecate"), &body).await;
        assert_eq!(changed.status, 200, "{}", changed.text);
        assert_eq!(server.raw(&path).await.json(), changed.json());
    }
}

#[tokio::test]
async fn a_server_that_takes_no_changes_is_told_as_such_and_read_from() {
    if !is_about_a_server() {
        return;
    }
    let server = Running::start().await;
    let active = [("filter[state]", "active")];
    let id = server
        .get("/directory/attributes", &active)
        .await
        .ids()
        .pop()
        .unwrap();
    let path = format!("/directory/attributes/{id}");
    let before = server.raw(&path).await.json();
    let trigger = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'cannot execute UPDATE in a read-only transaction' USING ERRCODE = '25006'; END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON directory_attributes EXECUTE FUNCTION refuse()";
    server.database().run(trigger);
    let problem = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert!(!problem.header("retry-after").is_empty());
    problem.assert_problem(503, "unavailable");
    assert_eq!(server.raw(&path).await.json(), before);
    server
        .database()
        .run("DROP TRIGGER refuse ON directory_attributes");
    let changed = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}
