//! Two servers on one database: nothing that one of them keeps makes the other one wrong.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::{array, thread};

use reqwest::Method;
use rollcall_store::access::tokens;
use rollcall_store::dialect::Connection;
use rollcall_store::sql::Sql;
use rollcall_store::{migrate, missing_schemas};
use serde_json::{Value, json};

use crate::database::TestDatabase;
use crate::harness::{Answer, READER, Running, TOKEN, link, now};
use crate::recount::assert_counts_right;

async fn pair() -> (Running, Running) {
    let one = Running::start().await;
    let other = one.twin().await;
    (one, other)
}

async fn active(server: &Running, path: &str) -> Vec<String> {
    let query = [("filter[state]", "active"), ("page[size]", "100")];
    server.get(path, &query).await.ids()
}

/// Each looks at the empty database before the first one has made its tables.
#[test]
fn servers_that_start_at_once_make_the_schema_once() {
    let database = TestDatabase::empty();
    let begin = Barrier::new(10);
    thread::scope(|scope| {
        let starts: [_; 10] = array::from_fn(|_| {
            scope.spawn(|| {
                let connection = Connection::writer(database.database()).unwrap();
                assert!(missing_schemas(&connection).unwrap() > 0);
                begin.wait();
                migrate(&connection)
            })
        });
        for start in starts {
            start.join().unwrap().unwrap();
        }
    });
    let connection = Connection::writer(database.database()).unwrap();
    assert_eq!(missing_schemas(&connection).unwrap(), 0);
}

#[tokio::test]
async fn what_one_server_has_changed_the_other_one_shows_at_once() {
    let (one, other) = pair().await;
    let id = active(&one, "/directory/attributes").await.pop().unwrap();
    let path = format!("/directory/attributes/{id}");
    for days in 1..20 {
        let body = json!({"expires_after_days": days});
        let answer = one.patch(&format!("{path}/deprecate"), &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let seen = other.raw(&path).await;
        assert_eq!(seen.text, answer.text);
        // An ETag of one server is one of the other.
        let request = one.bare(Method::GET, &path).bearer_auth(TOKEN);
        let request = request.header("if-none-match", seen.header("etag"));
        assert_eq!(one.send(request).await.status, 304);
    }
}

#[tokio::test]
async fn pages_of_one_server_go_on_at_the_other() {
    let (one, other) = pair().await;
    let query = [("sort", "last_name"), ("page[size]", "7")];
    let whole: Vec<Value> = one.all("/directory/users", &query).await;
    let mut answer = one.get("/directory/users", &query).await;
    let mut ids = answer.ids();
    let mut servers = [&other, &one].into_iter().cycle();
    while let Some(next) = link(&answer, "next") {
        let path = next.strip_prefix(&one.base).unwrap();
        answer = servers.next().unwrap().raw(path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        ids.extend(answer.ids());
    }
    let whole: Vec<&str> = whole
        .iter()
        .map(|record| record["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, whole);
}

#[tokio::test]
async fn a_token_that_is_revoked_is_refused_by_all_servers() {
    let (one, other) = pair().await;
    let ask = async |server: &Running| {
        let request = server.bare(Method::GET, "/directory/users").bearer_auth(READER);
        server.send(request).await.status.as_u16()
    };
    for _ in 0..20 {
        assert_eq!((ask(&one).await, ask(&other).await), (200, 200));
    }
    let revoke = one.store.write(None, |unit| {
        let sql = Sql::new("SELECT id FROM workspace_items WHERE kind = 'token' AND name = 'reader'");
        let id = unit.connection().first(&sql, |cells| cells.string())?;
        tokens::revoke(unit, &id.unwrap())
    });
    revoke.await.unwrap();
    for _ in 0..20 {
        assert_eq!((ask(&one).await, ask(&other).await), (401, 401));
    }
}

#[tokio::test]
async fn a_change_that_is_sent_again_to_the_other_server_is_made_once() {
    let (one, other) = pair().await;
    let id = active(&one, "/workspace/users").await.pop().unwrap();
    let path = format!("/workspace/users/{id}/deprecate");
    let send = async |server: &Running, days: u32| -> Answer {
        let request = server.bare(Method::PATCH, &path).bearer_auth(TOKEN);
        let request = request.header("idempotency-key", "one-change");
        server
            .send(request.json(&json!({"expires_after_days": days})))
            .await
    };
    let entries = async || {
        let query = [("filter[record_id]", id.as_str())];
        one.get("/workspace/logs", &query).await.ids().len()
    };
    let before = entries().await;
    let (first, second, third) = tokio::join!(send(&one, 5), send(&other, 5), send(&other, 5));
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!((&second.text, &third.text), (&first.text, &first.text));
    assert_eq!(entries().await, before + 1);
    let reused = send(&other, 6).await;
    assert!(reused.status.is_client_error(), "{}", reused.text);
}

/// Follows the log from the greatest id seen so far.
async fn follow(server: &Running, seen: &mut Vec<String>) {
    let query = [("sort", "-id"), ("page[size]", "100")];
    let entries = server.get("/workspace/logs", &query).await.ids();
    let last = seen.last().cloned();
    let is_new = |id: &String| last.as_ref().is_none_or(|last| id > last);
    seen.extend(entries.into_iter().rev().filter(is_new));
}

#[tokio::test]
async fn concurrent_changes_on_two_servers_lose_no_count_and_no_entry_of_the_log() {
    let (one, other) = pair().await;
    let change = |path: &str, id: &String| format!("{path}/{id}/deprecate");
    let users = active(&one, "/workspace/users").await;
    let users = users.iter().rev().take(12);
    let attributes = active(&one, "/directory/attributes").await;
    let attributes = attributes.iter().take(6);
    let paths: Vec<String> = users
        .map(|id| change("/workspace/users", id))
        .chain(attributes.map(|id| change("/directory/attributes", id)))
        .collect();
    let before = one.all("/workspace/logs", &[]).await.len();
    let mut seen = Vec::new();
    follow(&other, &mut seen).await;
    let (first, known) = (seen[0].clone(), seen.len());
    for round in 1..4 {
        let changes: tokio::task::JoinSet<_> = paths
            .iter()
            .enumerate()
            .map(|(place, path)| {
                let server = if place % 2 == 0 { &one } else { &other };
                let request = server.bare(Method::PATCH, path).bearer_auth(TOKEN);
                request.json(&json!({"expires_after_days": round})).send()
            })
            .collect();
        let changes = changes.join_all();
        let mut changes = std::pin::pin!(changes);
        loop {
            tokio::select! {
                answers = &mut changes => {
                    for answer in answers {
                        let answer = answer.unwrap();
                        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
                    }
                    break;
                }
                () = follow(&other, &mut seen) => {}
            }
        }
        follow(&other, &mut seen).await;
    }
    let all = one.all("/workspace/logs", &[]).await;
    assert_eq!(all.len(), before + 3 * paths.len());
    let ids = all.iter().map(|entry| entry["id"].as_str().unwrap());
    let there: BTreeSet<&str> = ids.filter(|id| *id >= first.as_str()).collect();
    assert!(seen.len() > known);
    assert_eq!(there, seen.iter().map(String::as_str).collect());
    thread::scope(|scope| {
        scope.spawn(|| {
            let connection = Connection::writer(one.database().database()).unwrap();
            assert_counts_right(&connection, now());
        });
    });
}
