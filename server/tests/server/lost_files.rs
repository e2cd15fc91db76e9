//! The files of a database are taken away, renamed, replaced and cut off while changes come in: from then on none is acknowledged,
//! and what was acknowledged before is found by the next server, if its file is still there to be found.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use reqwest::{Client, StatusCode};
use rollcall_store::clock::Clock;
use rollcall_store::dialect::Connection;
use serde_json::{Value, json};

use crate::harness::{TOKEN, made_file_at};
use crate::process::Process;
use crate::recount;

/// How many changes are acknowledged before something happens to a file.
const BEFORE: usize = 40;
/// How many are tried afterwards.
const AFTERWARDS: usize = 5;
const CLIENTS: usize = 4;

/// What happens to a file.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    Removed,
    Renamed,
    Replaced,
    Cut,
    /// Without its last bytes.
    Shortened,
}

impl Mishap {
    fn happen(self, file: &Path) {
        let elsewhere = file.with_extension("elsewhere");
        let open = || OpenOptions::new().write(true).open(file).unwrap();
        match self {
            Self::Removed => fs::remove_file(file).unwrap(),
            Self::Renamed => fs::rename(file, elsewhere).unwrap(),
            Self::Replaced => {
                fs::copy(file, &elsewhere).unwrap();
                fs::rename(elsewhere, file).unwrap();
            }
            Self::Cut => open().set_len(0).unwrap(),
            Self::Shortened => {
                let file: File = open();
                let length = file.metadata().unwrap().len();
                file.set_len(length / 2).unwrap();
            }
        }
    }
}

/// What is expected of the next server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// It finds all that was acknowledged.
    FindsAll,
    /// The file with the changes is not where it looks.
    FindsLess,
}

/// Clients that change attributes of their own, one after the other, until they are stopped.
struct Load {
    /// The end that was acknowledged last for each attribute; none if a change that was sent since was not acknowledged.
    acknowledged: Arc<Mutex<BTreeMap<String, Option<Value>>>>,
    count: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
    clients: Vec<tokio::task::JoinHandle<()>>,
}

impl Load {
    fn start(base: &str, attributes: &[String]) -> Self {
        let acknowledged: Arc<Mutex<BTreeMap<String, Option<Value>>>> = Arc::default();
        let (count, is_over) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let clients = attributes.chunks(attributes.len() / CLIENTS).map(|own| {
            let (base, own) = (base.to_owned(), own.to_vec());
            let (acknowledged, count, is_over) = (
                Arc::clone(&acknowledged),
                Arc::clone(&count),
                Arc::clone(&is_over),
            );
            tokio::spawn(async move {
                let client = Client::new();
                for number in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let id = &own[number % own.len()];
                    acknowledged.lock().unwrap().insert(id.clone(), None);
                    match deprecate(&client, &base, id, number % 1_000 + 1).await {
                        Some((StatusCode::OK, record)) => {
                            let end = record["timestamp"]["expires_at"].clone();
                            acknowledged.lock().unwrap().insert(id.clone(), Some(end));
                            count.fetch_add(1, Ordering::Relaxed);
                        }
                        // It may have been made or not.
                        _ => return,
                    }
                }
            })
        });
        let clients = clients.collect();
        Self {
            acknowledged,
            count,
            is_over,
            clients,
        }
    }

    async fn wait_for(&self, count: usize) {
        while self.count.load(Ordering::Relaxed) < count {
            tokio::task::yield_now().await;
        }
    }

    /// The ends that were acknowledged, of attributes to which no other change was sent.
    async fn stop(self) -> BTreeMap<String, Value> {
        self.is_over.store(true, Ordering::Relaxed);
        for client in self.clients {
            client.await.unwrap();
        }
        let acknowledged = self.acknowledged.lock().unwrap();
        let known = acknowledged.iter();
        let known = known.filter_map(|(id, end)| Some((id.clone(), end.clone()?)));
        known.collect()
    }
}

async fn deprecate(client: &Client, base: &str, id: &str, days: usize) -> Option<(StatusCode, Value)> {
    let path = format!("{base}/directory/attributes/{id}/deprecate");
    let request = client.patch(path).bearer_auth(TOKEN);
    let answer = request
        .json(&json!({"expires_after_days": days}))
        .send()
        .await
        .ok()?;
    Some((answer.status(), answer.json().await.ok()?))
}

/// Whether the server says that it is ready; none if it is gone.
async fn ready(client: &Client, base: &str) -> Option<StatusCode> {
    let url = base.replace("/api/v1", "/health/ready");
    Some(client.get(url).send().await.ok()?.status())
}

async fn attempt(end: &str, mishap: Mishap, next: Next) {
    let made = made_file_at(Clock::System.now());
    let database = made.path().to_owned();
    let attributes = {
        let connection = Connection::writer(&database.as_path().into()).unwrap();
        let active = "SELECT id FROM directory_attributes WHERE state = 'active' AND deleted_at IS NULL";
        recount::column(&connection, active)
    };
    let mut process = Process::serve(&database, &[]);
    let load = Load::start(&process.base, &attributes);
    load.wait_for(BEFORE).await;
    let mut file = database.clone().into_os_string();
    file.push(end);
    let file = PathBuf::from(file);
    mishap.happen(&file);

    let client = Client::new();
    // What was under way at the mishap may have been stored before it.
    let about = format!("{mishap:?} {}", file.display());
    for (number, id) in (1..=AFTERWARDS).zip(&attributes) {
        if let Some((status, body)) = deprecate(&client, &process.base, id, number).await {
            // A read may meet what is cut off before anybody looks at the log.
            let is_met = matches!(mishap, Mishap::Cut | Mishap::Shortened) && status == 500;
            assert!(status == 503 || is_met, "{about}: {status} {body}");
        }
    }
    let is_ready = ready(&client, &process.base).await;
    let said = match client
        .get(process.base.replace("/api/v1", "/health/ready"))
        .send()
        .await
    {
        Ok(answer) => answer.text().await.unwrap_or_default(),
        Err(why) => why.to_string(),
    };
    assert_ne!(
        is_ready,
        Some(StatusCode::OK),
        "{about}: {said} {:?}",
        process.log()
    );
    let acknowledged = load.stop().await;
    let told = process
        .log()
        .iter()
        .filter(|line| line.contains("a transaction failed"))
        .count();
    assert!(told <= 2, "{about}: {:?}", process.log());
    process.kill();
    if next == Next::FindsLess {
        return;
    }
    assert!(!acknowledged.is_empty(), "{about}");
    let connection = Connection::writer(&database.as_path().into()).unwrap();
    assert_eq!(
        recount::column(&connection, "PRAGMA integrity_check"),
        ["ok"],
        "{about}"
    );
    drop(connection);
    let restarted = Process::serve(&database, &[]);
    for (id, end) in acknowledged {
        let path = format!("{}/directory/attributes/{id}", restarted.base);
        let shown = client.get(path).bearer_auth(TOKEN).send().await.unwrap();
        let shown: Value = shown.json().await.unwrap();
        assert_eq!(shown["timestamp"]["expires_at"], end, "{about}: {id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_into_a_log_that_has_lost_its_name() {
    for mishap in [Mishap::Removed, Mishap::Renamed] {
        attempt("-wal", mishap, Next::FindsAll).await;
    }
    // The copy is found, and has what it had.
    attempt("-wal", Mishap::Replaced, Next::FindsAll).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_without_the_index_of_the_log() {
    for mishap in [Mishap::Removed, Mishap::Renamed, Mishap::Replaced] {
        attempt("-shm", mishap, Next::FindsAll).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_into_a_database_that_has_lost_its_name() {
    for mishap in [Mishap::Removed, Mishap::Renamed, Mishap::Replaced] {
        attempt("", mishap, Next::FindsLess).await;
    }
}

/// Nobody can give back what was cut off.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_into_a_log_that_is_cut() {
    for mishap in [Mishap::Cut, Mishap::Shortened] {
        attempt("-wal", mishap, Next::FindsLess).await;
    }
}
