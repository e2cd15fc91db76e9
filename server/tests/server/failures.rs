//! A database server that fails: each failure has a clear error, nothing is lost, no password is told.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use rollcall_store::dialect::{Database, Durability};
use rollcall_store::{Error, Opening, Store};
use serde_json::json;

use crate::database::{TestDatabase, is_server};
use crate::harness::{Answer, READER, Running, made_at, now};
use crate::http::health;
use crate::process::Process;

fn open(database: &Database) -> Result<Store, Error> {
    let base = "http://x/api/v1";
    Store::open(Opening {
        durability: Durability::Crash,
        ..Opening::of(database, base)
    })
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
    let missing = format!("{}_missing", database.address());
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
    let path = attribute(&server).await;
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

/// An attribute to change, by its path.
async fn attribute(server: &Running) -> String {
    let active = [("filter[state]", "active")];
    let ids = server.get("/directory/attributes", &active).await.ids();
    format!("/directory/attributes/{}", ids.last().unwrap())
}

/// 503, to be tried again; nothing of the database is told.
fn assert_unavailable(answer: &Answer) {
    assert!(!answer.header("retry-after").is_empty());
    answer.assert_problem(503, "unavailable");
    for word in ["PostgreSQL", "rollcall_", "permission", "timeout"] {
        let body = answer.text.replace("rollcall_test-operator", "");
        assert!(!body.contains(word), "{body}");
    }
}

#[tokio::test]
async fn a_server_that_takes_no_changes_is_told_as_such_and_read_from() {
    if !is_about_a_server() {
        return;
    }
    let server = Running::start().await;
    let path = attribute(&server).await;
    let before = server.raw(&path).await.json();
    // Read only, a full disk, no memory, an I/O error: as the server says it where it happens.
    for state in ["25006", "53100", "53200", "58030"] {
        let trigger = format!(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'cannot execute UPDATE' USING ERRCODE = '{state}'; END $$;
             CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON directory_attributes EXECUTE FUNCTION refuse()"
        );
        server.database().run(&trigger);
        assert_unavailable(&server.patch(&format!("{path}/deprecate"), &json!({})).await);
        assert_eq!(server.raw(&path).await.json(), before);
    }
    server
        .database()
        .run("DROP TRIGGER refuse ON directory_attributes");
    let changed = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}

/// What a command says of a database that it does not take.
fn said(arguments: &[&str], address: &str) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
        .args(arguments)
        .env("ROLLCALL_DATABASE", address)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{arguments:?}: {said}");
    said
}

#[test]
fn a_database_that_cannot_hold_every_name_is_refused_by_every_command() {
    if !is_about_a_server() {
        return;
    }
    let database = TestDatabase::empty();
    database.administer("CREATE DATABASE {name}_latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    let address = format!("{}_latin", database.address());
    let commands: [&[&str]; 5] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &[
            "import",
            "--format",
            "csv",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ],
        &["export", "--format", "csv"],
        &["token", "list"],
        &["copy", "--from", &address, "--to", "copy.db"],
    ];
    let answers = commands.map(|arguments| said(arguments, &address));
    database.administer("DROP DATABASE {name}_latin");
    for answer in answers {
        assert!(answer.contains("its encoding is LATIN1"), "{answer}");
    }
}

#[test]
fn a_user_who_may_not_make_tables_is_told_what_is_missing() {
    if !is_about_a_server() {
        return;
    }
    let database = TestDatabase::empty();
    database.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    let database = database.for_user("rollcall_reads");
    let why = refusal(database.database());
    assert!(
        why.contains("its user rollcall_reads may not make tables"),
        "{why}"
    );
    database.administer("ALTER DATABASE {name} SET default_transaction_read_only = on");
    let why = refusal(database.database());
    assert!(why.contains("set to read only"), "{why}");
}

#[tokio::test]
async fn a_start_waits_for_a_free_connection() {
    if !is_about_a_server() {
        return;
    }
    let database = made_at(now()).for_user("rollcall_few");
    database.run("GRANT ALL ON ALL TABLES IN SCHEMA public TO rollcall_few; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO rollcall_few");
    database.administer("ALTER DATABASE {name} CONNECTION LIMIT 3");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database"])
        .arg(database.address().replace("rollcall@", "rollcall_few:right@"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut until = |word: &str| {
        lines
            .by_ref()
            .map_while(Result::ok)
            .any(|line| line.contains(word))
    };
    assert!(until("waiting for one. A server needs 10."));
    database.administer("ALTER DATABASE {name} CONNECTION LIMIT -1");
    assert!(until("Serving "));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// An operator who sets the database to read only, before the start or while the server runs, is obeyed.
#[tokio::test]
async fn a_database_that_is_set_to_read_only_is_only_read() {
    if !is_about_a_server() {
        return;
    }
    let database = made_at(now());
    let server = Running::on_database(database).await;
    let path = attribute(&server).await;
    let before = server.raw(&path).await.json();
    let set = |to: &str| {
        server.database().administer(&format!(
            "ALTER DATABASE {{name}} SET default_transaction_read_only = {to};
             SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{{name}}'"
        ));
    };
    set("on");
    let refused = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_unavailable(&refused);
    assert!(refused.text.contains("read only"), "{}", refused.text);
    assert_eq!(server.raw(&path).await.json(), before);
    let (status, ready) = health::fetch(&server, "/health/ready").await;
    let is_told = ready.contains("reads only: the database is set to read only");
    assert!(status == 200 && is_told, "{status} {ready}");
    let started = Process::serve(server.database().address(), &[]);
    let root = started.base.strip_suffix("/api/v1").unwrap();
    let ready = reqwest::get(format!("{root}/health/ready")).await.unwrap();
    assert_eq!(ready.status(), 200);
    drop(started);
    set("off");
    let changed = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}

#[test]
fn a_wrong_password_is_refused_and_not_repeated() {
    if !is_about_a_server() {
        return;
    }
    let database = TestDatabase::migrated().for_user("rollcall_password");
    let right = database
        .address()
        .replace("rollcall@", "rollcall_password:right@");
    let wrong = right.replace(":right@", ":hunter2@");
    let why = refusal(&wrong.parse().unwrap());
    assert!(why.contains("password authentication failed"), "{why}");
    assert!(!why.contains("hunter2"), "{why}");
    // With the password, there is another reason.
    let why = refusal(&right.parse().unwrap());
    assert!(why.contains("permission denied"), "{why}");
}

#[tokio::test]
async fn a_user_who_may_only_read_can_serve_reads_and_changes_nothing() {
    if !is_about_a_server() {
        return;
    }
    let database = made_at(now()).for_user("rollcall_reads");
    let why = refusal(database.database());
    assert!(
        why.starts_with("the database cannot be used: PostgreSQL: permission denied for"),
        "{why}"
    );
    database.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO rollcall_reads");
    let server = Running::on_database(database).await;
    let path = attribute(&server).await;
    let before = server.raw(&path).await.json();
    assert_unavailable(&server.patch(&format!("{path}/deprecate"), &json!({})).await);
    assert_eq!(server.raw(&path).await.json(), before);
    server
        .database()
        .run("GRANT ALL ON ALL TABLES IN SCHEMA public TO rollcall_reads; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO rollcall_reads");
    let changed = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}

#[tokio::test]
async fn too_many_connections_are_told_as_such() {
    if !is_about_a_server() {
        return;
    }
    let database = made_at(now()).for_user("rollcall_few");
    database.run("GRANT ALL ON ALL TABLES IN SCHEMA public TO rollcall_few; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO rollcall_few");
    database.administer("ALTER DATABASE {name} CONNECTION LIMIT 3");
    let why = refusal(database.database());
    assert!(why.contains("too many connections"), "{why}");
    database.administer("ALTER DATABASE {name} CONNECTION LIMIT -1");
    let server = Running::on_database(database).await;
    let path = attribute(&server).await;
    server.database().administer(
        "ALTER DATABASE {name} CONNECTION LIMIT 0;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",
    );
    for _ in 0..3 {
        assert_unavailable(&server.raw(&path).await);
        assert_unavailable(&server.patch(&format!("{path}/deprecate"), &json!({})).await);
    }
    server
        .database()
        .administer("ALTER DATABASE {name} CONNECTION LIMIT -1");
    assert_eq!(server.raw(&path).await.status, 200);
    let changed = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_ended_on_the_server() {
    if !is_about_a_server() {
        return;
    }
    let database = made_at(now());
    let address = format!("{}?options=-c%20statement_timeout%3D300", database.address());
    let server = Running::on_database(database.at(&address)).await;
    let path = attribute(&server).await;
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'rollcall' AND wait_event_type = 'Lock'";
    {
        let _table = server
            .database()
            .hold("LOCK TABLE directory_attributes IN ACCESS EXCLUSIVE MODE");
        assert_unavailable(&server.raw(&path).await);
        assert_unavailable(&server.patch(&format!("{path}/deprecate"), &json!({})).await);
        assert_eq!(server.database().number(waiting), 0);
    }
    {
        // Another server that changes something and does not come to an end.
        let _lock = server.database().hold(&format!(
            "SELECT pg_advisory_xact_lock({})",
            0x726f_6c6c_6361_6c6c_i64
        ));
        assert_eq!(server.raw(&path).await.status, 200);
        assert_unavailable(&server.patch(&format!("{path}/deprecate"), &json!({})).await);
        assert_eq!(server.database().number(waiting), 0);
    }
    let changed = server.patch(&format!("{path}/deprecate"), &json!({})).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}

#[tokio::test]
async fn an_outage_is_one_line_in_the_log_and_its_end_another_one() {
    if !is_about_a_server() {
        return;
    }
    let database = made_at(now());
    let mut server = Process::serve(database.address(), &[]);
    let client = reqwest::Client::new();
    let ask = async || {
        let request = client.get(format!("{}/directory/users", server.base));
        request
            .bearer_auth(READER)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    // The demo of the tests is of another day; its token counts as long as it is known who owns it.
    let usual = ask().await;
    assert_ne!(usual, 503);
    database.administer(
        "ALTER DATABASE {name} ALLOW_CONNECTIONS false;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",
    );
    for _ in 0..30 {
        assert_eq!(ask().await, 503);
    }
    database.administer("ALTER DATABASE {name} ALLOW_CONNECTIONS true");
    for _ in 0..30 {
        assert_eq!(ask().await, usual);
    }
    let log = server.log();
    server.kill();
    let lines = |words: &str| log.iter().filter(|line| line.contains(words)).count();
    assert_eq!(lines("the database cannot be connected to"), 1, "{log:#?}");
    assert_eq!(lines("the database is connected to again"), 1, "{log:#?}");
    assert_eq!(lines("the store is unavailable"), 0, "{log:#?}");
}
