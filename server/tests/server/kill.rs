//! SIGKILL in the middle of concurrent changes: no acknowledged change is lost, none is half done, and a request sent again
//! under its idempotency key is carried out once (O11).
//!
//! A few rounds run with the other tests; `ROLLCALL_KILL_ROUNDS=100 cargo test -p rollcall-server --test server kill` runs
//! many.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use reqwest::Client;
use rollcall_server::clock::Clock;
use rollcall_server::ids::Ids;
use rollcall_server::store::dialect::Connection;
use rollcall_server::store::unit::Unit;
use rollcall_server::store::{WriteContext, evaluation_queue, expiry};
use serde_json::{Value, json};

use crate::harness::{TOKEN, made_file_at};
use crate::process::Process;
use crate::recount;

/// Clients that change records at the same time, each its own.
const CLIENTS: usize = 8;
/// Records that each client changes.
const RECORDS: usize = 6;
/// The most changes that are acknowledged before the server is killed.
const CHANGES: usize = 60;

/// A record that is changed to and fro; every change is allowed in the state that the one before left.
#[derive(Clone, Debug)]
struct Record {
    path: String,
    /// The operation that undoes `deprecate`.
    undo: (&'static str, Value),
    changes: Vec<Change>,
}

/// A change that was sent.
#[derive(Clone, Debug)]
struct Change {
    key: String,
    operation: &'static str,
    body: Value,
    /// What the answer showed; none if the server died before it.
    acknowledged: Option<Value>,
}

impl Record {
    fn new(path: &str, undo: (&'static str, Value)) -> Self {
        Self {
            path: path.to_owned(),
            undo,
            changes: Vec::new(),
        }
    }

    fn next(&self, key: String) -> Change {
        let (operation, body) = match self.changes.len() % 2 {
            0 => ("deprecate", json!({"expires_after_days": 30})),
            _ => self.undo.clone(),
        };
        Change {
            key,
            operation,
            body,
            acknowledged: None,
        }
    }

    async fn send(&self, client: &Client, base: &str, change: &Change) -> Option<Value> {
        let request = client
            .patch(format!("{base}{}/{}", self.path, change.operation))
            .bearer_auth(TOKEN)
            .header("idempotency-key", &change.key);
        let request = match change.body {
            Value::Null => request,
            ref body => request.json(body),
        };
        let response = request.send().await.ok()?;
        let (status, text) = (response.status(), response.text().await.ok()?);
        assert_eq!(status, 200, "{} {}: {text}", self.path, change.operation);
        serde_json::from_str(&text).ok()
    }
}

/// What a change decides about a record; its counts depend on other records too.
fn decided(record: &Value) -> [&Value; 4] {
    let timestamp = &record["timestamp"];
    let members = ["expires_at", "updated_at", "deleted_at"].map(|name| &timestamp[name]);
    [&record["state"], members[0], members[1], members[2]]
}

/// The records to change: active attributes, and workspace users other than the owners of tokens.
fn records(database: &Path) -> Vec<Record> {
    let connection = Connection::writer(&database.into()).unwrap();
    let ids = |sql: &str| recount::column(&connection, sql);
    let attributes = ids("SELECT id FROM directory_attributes WHERE state = 'active' AND deleted_at IS NULL");
    let users = ids(
        "SELECT id FROM workspace_users WHERE state = 'active' AND deleted_at IS NULL
         AND id NOT IN (SELECT workspace_user_id FROM workspace_items WHERE kind = 'token')",
    );
    let attributes = attributes
        .iter()
        .map(|id| Record::new(&format!("/directory/attributes/{id}"), ("activate", Value::Null)));
    let users = users.iter().map(|id| {
        Record::new(
            &format!("/workspace/users/{id}"),
            ("restore", json!({"roles": true})),
        )
    });
    let half = CLIENTS * RECORDS / 2;
    let records: Vec<_> = attributes.take(half).chain(users.take(half)).collect();
    assert_eq!(records.len(), CLIENTS * RECORDS, "the demo has too few records");
    records
}

/// Changes its records until the server is gone.
async fn change(base: String, mut own: Vec<Record>, acknowledged: &AtomicUsize, seed: u64) -> Vec<Record> {
    let client = Client::new();
    let mut rng = StdRng::seed_from_u64(seed);
    loop {
        let record = &mut own[rng.random_range(0..RECORDS)];
        let mut change = record.next(format!("{seed}-{}", rng.random::<u64>()));
        change.acknowledged = record.send(&client, &base, &change).await;
        let is_over = change.acknowledged.is_none();
        record.changes.push(change);
        if is_over {
            return own;
        }
        acknowledged.fetch_add(1, Ordering::Relaxed);
    }
}

async fn round(database: &Path, mut records: Vec<Record>, seed: u64) -> Vec<Record> {
    let mut process = Process::serve(database, &[]);
    let acknowledged: &AtomicUsize = Box::leak(Box::default());
    let wanted = StdRng::seed_from_u64(seed).random_range(1..=CHANGES);
    let clients: Vec<_> = (0..CLIENTS as u64)
        .map(|number| {
            let own = records.split_off(records.len() - RECORDS);
            tokio::spawn(change(
                process.base.clone(),
                own,
                acknowledged,
                seed * 100 + number,
            ))
        })
        .collect();
    while acknowledged.load(Ordering::Relaxed) < wanted {
        assert!(
            clients.iter().any(|client| !client.is_finished()),
            "all clients have failed"
        );
        tokio::task::yield_now().await;
    }
    process.kill();
    for client in clients {
        records.extend(client.await.unwrap());
    }

    let restarted = Process::serve(database, &[]);
    let client = Client::new();
    for record in &mut records {
        let Some(last) = record.changes.last().cloned() else {
            continue;
        };
        let shown = client
            .get(format!("{}{}", restarted.base, record.path))
            .bearer_auth(TOKEN)
            .send()
            .await
            .unwrap();
        let shown: Value = shown.json().await.unwrap();
        match &last.acknowledged {
            Some(acknowledged) => assert_eq!(decided(&shown), decided(acknowledged), "{record:?}"),
            // Carried out or not; sent again under its key, it is carried out once.
            None => {
                let answer = record.send(&client, &restarted.base, &last).await.unwrap();
                record.changes.last_mut().unwrap().acknowledged = Some(answer);
            }
        }
    }
    records
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_change_is_lost_and_none_is_half_done_when_the_server_is_killed() {
    let rounds = std::env::var("ROLLCALL_KILL_ROUNDS").map_or(3, |rounds| rounds.parse().unwrap());
    let made = made_file_at(Clock::System.now());
    let database = made.path().to_owned();
    let mut records = records(&database);
    let entries_before = entries(&database);
    for seed in 1..=rounds {
        records = round(&database, records, seed).await;
        let connection = Connection::writer(&database.as_path().into()).unwrap();
        assert_eq!(recount::column(&connection, "PRAGMA integrity_check"), ["ok"]);
        let entries = entries(&database);
        for record in &records {
            let id = record.path.rsplit('/').next().unwrap();
            let of = |entries: &BTreeMap<String, usize>| entries.get(id).copied().unwrap_or_default();
            let written = of(&entries) - of(&entries_before);
            assert_eq!(written, record.changes.len(), "entries of the log for {record:?}");
        }
        let now = Clock::System.now();
        let context = || WriteContext::of_the_server(now);
        Unit::run(&connection, &mut Ids::new(), context(), expiry::expire_due).unwrap();
        let step = |unit: &mut Unit<'_>| evaluation_queue::step(unit, 100);
        while Unit::run(&connection, &mut Ids::new(), context(), step).unwrap() {}
        recount::assert_counts_right(&connection, now);
    }
    let changes: usize = records.iter().map(|record| record.changes.len()).sum();
    println!("{rounds} rounds, {changes} changes acknowledged or sent again");
}

/// How many entries the log has for each record.
fn entries(database: &Path) -> BTreeMap<String, usize> {
    let connection = Connection::writer(&database.into()).unwrap();
    let mut entries = BTreeMap::new();
    for id in recount::column(&connection, "SELECT record_id FROM workspace_logs") {
        *entries.entry(id).or_default() += 1;
    }
    entries
}
