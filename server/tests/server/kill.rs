//! SIGKILL in the middle of concurrent changes: no acknowledged change is lost, none is half done, and a request sent again
//! under its idempotency key is carried out once (O11).
//!
//! A few rounds run with the other tests; `ROLLCALL_KILL_ROUNDS=100 cargo test -p rollcall-server --test server kill` runs
//! many.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use reqwest::Client;
use rollcall_store::WriteContext;
use rollcall_store::change::unit::Unit;
use rollcall_store::change::{evaluation_queue, expiry};
use rollcall_store::clock::Clock;
use rollcall_store::dialect::{Connection, Database};
use rollcall_store::ids::Ids;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::harness::{TOKEN, made_at};
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
    /// The operation that undoes `deprecate`. Where there is nothing to undo, it is refused or changes nothing.
    undo: (&'static str, Value),
    changes: Vec<Change>,
    /// What was sent where there was nothing to undo.
    idle: Vec<Change>,
}

/// A change that was sent.
#[derive(Clone, Debug)]
struct Change {
    key: String,
    operation: &'static str,
    body: Value,
    /// The answer; none if the server died before it.
    answer: Option<Answer>,
}

/// The status and the body of an answer, without the id of its request.
type Answer = (u16, Value);

impl Record {
    fn new(path: &str, undo: (&'static str, Value)) -> Self {
        Self {
            path: path.to_owned(),
            undo,
            changes: Vec::new(),
            idle: Vec::new(),
        }
    }

    /// What is sent next, and whether it is idle.
    fn next(&self, key: String, is_idle: bool) -> (Change, bool) {
        let is_active = self.changes.len().is_multiple_of(2);
        let (operation, body) = match is_active && !is_idle {
            true => ("deprecate", json!({"expires_after_days": 30})),
            false => self.undo.clone(),
        };
        let change = Change {
            key,
            operation,
            body,
            answer: None,
        };
        (change, is_active && is_idle)
    }

    async fn send(&self, client: &Client, base: &str, change: &Change) -> Option<Answer> {
        let request = client
            .patch(format!("{base}{}/{}", self.path, change.operation))
            .bearer_auth(TOKEN)
            .header("idempotency-key", &change.key);
        let request = match change.body {
            Value::Null => request,
            ref body => request.json(body),
        };
        let response = request.send().await.ok()?;
        let (status, text) = (response.status().as_u16(), response.text().await.ok()?);
        let mut body: Value = serde_json::from_str(&text).unwrap();
        if let Some(problem) = body.as_object_mut() {
            problem.remove("request_id");
        }
        Some((status, body))
    }

    /// Sends again, under its key, what was sent since so many changes and idle ones. What was answered is answered in the same way.
    async fn send_again(&mut self, client: &Client, base: &str, (changes, idle): (usize, usize)) {
        for number in changes..self.changes.len() {
            let change = &self.changes[number];
            let again = self.send(client, base, change).await.unwrap();
            assert_eq!(again.0, 200, "{} {}: {}", self.path, change.operation, again.1);
            let first = self.changes[number].answer.get_or_insert_with(|| again.clone());
            assert_eq!(*first, again, "{}", self.path);
        }
        for number in idle..self.idle.len() {
            let change = &self.idle[number];
            let again = self.send(client, base, change).await.unwrap();
            let first = self.idle[number].answer.get_or_insert_with(|| again.clone());
            assert_eq!(*first, again, "{}", self.path);
            assert_eq!(again.0 == 409, self.undo.0 == "restore", "{}", again.1);
        }
    }
}

/// What a change decides about a record; its counts depend on other records too.
fn decided(record: &Value) -> [&Value; 4] {
    let timestamp = &record["timestamp"];
    let members = ["expires_at", "updated_at", "deleted_at"].map(|name| &timestamp[name]);
    [&record["state"], members[0], members[1], members[2]]
}

/// The records to change: active attributes, and workspace users other than the owners of tokens.
fn records(database: &Database) -> Vec<Record> {
    let connection = Connection::writer(database).unwrap();
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
        let key = format!("{seed}-{}", rng.random::<u64>());
        let (mut change, is_idle) = record.next(key, rng.random_ratio(1, 3));
        change.answer = record.send(&client, &base, &change).await;
        let is_over = change.answer.is_none();
        match is_idle {
            true => record.idle.push(change),
            false => record.changes.push(change),
        }
        if is_over {
            return own;
        }
        acknowledged.fetch_add(1, Ordering::Relaxed);
    }
}

async fn round(database: &OsStr, mut records: Vec<Record>, seed: u64) -> Vec<Record> {
    let mut process = Process::serve(database, &[]);
    let sent = |record: &Record| (record.changes.len(), record.idle.len());
    let before: BTreeMap<_, _> = records
        .iter()
        .map(|record| (record.path.clone(), sent(record)))
        .collect();
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
        let shown = client
            .get(format!("{}{}", restarted.base, record.path))
            .bearer_auth(TOKEN)
            .send()
            .await
            .unwrap();
        let shown: Value = shown.json().await.unwrap();
        // What was not answered is carried out or not; sent again under its key, it is carried out once.
        let last = record.changes.last().and_then(|last| last.answer.as_ref());
        if let Some((_, acknowledged)) = last {
            assert_eq!(decided(&shown), decided(acknowledged), "{record:?}");
        }
        record
            .send_again(&client, &restarted.base, before[&record.path])
            .await;
    }
    records
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_change_is_lost_and_none_is_half_done_when_the_server_is_killed() {
    let rounds = std::env::var("ROLLCALL_KILL_ROUNDS").map_or(3, |rounds| rounds.parse().unwrap());
    let made = made_at(Clock::System.now());
    let database = made.database();
    let (mut records, entries_before) = block_in_place(|| (records(database), entries(database)));
    for seed in 1..=rounds {
        records = round(&made.argument(), records, seed).await;
        block_in_place(|| assert_whole(database, &records, &entries_before));
    }
    let sum = |count: fn(&Record) -> usize| records.iter().map(count).sum::<usize>();
    let (changes, idle) = (
        sum(|record| record.changes.len()),
        sum(|record| record.idle.len()),
    );
    println!("{rounds} rounds, {changes} changes and {idle} without effect, acknowledged or sent again");
}

/// The log has each change once, and all that follows from the changes is right.
fn assert_whole(database: &Database, records: &[Record], entries_before: &BTreeMap<String, usize>) {
    let connection = Connection::writer(database).unwrap();
    if connection.is_embedded() {
        assert_eq!(recount::column(&connection, "PRAGMA integrity_check"), ["ok"]);
    }
    let entries = entries(database);
    for record in records {
        let id = record.path.rsplit('/').next().unwrap();
        let of = |entries: &BTreeMap<String, usize>| entries.get(id).copied().unwrap_or_default();
        let written = of(&entries) - of(entries_before);
        assert_eq!(written, record.changes.len(), "entries of the log for {record:?}");
    }
    let now = Clock::System.now();
    let context = || WriteContext::of_nobody(now);
    Unit::run(&connection, &mut Ids::new(), context(), expiry::expire_due).unwrap();
    let step = |unit: &mut Unit<'_>| evaluation_queue::step(unit, 100);
    while Unit::run(&connection, &mut Ids::new(), context(), step).unwrap() {}
    recount::assert_counts_right(&connection, now);
}

/// How many entries the log has for each record.
fn entries(database: &Database) -> BTreeMap<String, usize> {
    let connection = Connection::writer(database).unwrap();
    let mut entries = BTreeMap::new();
    for id in recount::column(&connection, "SELECT record_id FROM workspace_logs") {
        *entries.entry(id).or_default() += 1;
    }
    entries
}
