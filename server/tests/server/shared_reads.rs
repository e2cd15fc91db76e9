//! Reads that are received together share one transaction. What one of them does or sees is as if it were alone.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::{Request, StatusCode};
use rollcall_server::app::{Settings, VERSION_PATH, app};
use rollcall_store::access::tokens;
use rollcall_store::change::unit::Unit;
use rollcall_store::dialect::{Connection, Durability};
use rollcall_store::ids::Ids;
use rollcall_store::sql::Sql;
use rollcall_store::{Error, Opening, Result, Snapshot, Store, WriteContext};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use crate::database::{TestDatabase, is_about_files};
use crate::harness::{READER, Running, TOKEN, now};

/// Begins the transaction, asks whether the database has changed, ends the transaction.
const AROUND: u64 = 3;

fn store() -> (Store, TestDatabase) {
    let database = TestDatabase::file();
    let store = Store::open(Opening {
        durability: Durability::Crash,
        ids: Ids::seeded(1),
        ..Opening::of(database.database(), "http://x/api/v1")
    });
    (store.unwrap(), database)
}

fn count_keys(snapshot: &mut Snapshot<'_>) -> Result<Option<i64>> {
    let sql = Sql::new("SELECT count(*) FROM idempotency_keys");
    snapshot.connection.first(&sql, |cells| cells.int())
}

/// Another program on the same file. It commits before it returns.
fn add_key(database: &TestDatabase) {
    let connection = Connection::writer(database.database()).unwrap();
    let sql = "INSERT INTO idempotency_keys (token_id, key, fingerprint, answer, created_at) VALUES ('t', 'k', '', '', 0)";
    connection.execute(&Sql::new(sql)).unwrap();
}

async fn get(app: Router, path: String, token: &str) -> (StatusCode, String) {
    let request = Request::get(path).header("authorization", format!("Bearer {token}"));
    let answer = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let status = answer.status();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// GETs that are received in one turn of one thread, and their answers.
async fn get_together(app: &Router, paths: &[String]) -> Vec<(StatusCode, String)> {
    let mut requests = JoinSet::new();
    for path in paths {
        requests.spawn(get(app.clone(), path.clone(), TOKEN));
    }
    requests.join_all().await
}

#[tokio::test]
async fn sixteen_requests_that_are_received_together_cost_one_transaction() {
    if is_about_files() {
        return;
    }
    let server = Running::start().await;
    let app = app(server.store.clone(), Settings::at(&server.base));
    let users = format!("{VERSION_PATH}/directory/users");
    let ids = server
        .get("/directory/users", &[("page[size]", "16")])
        .await
        .ids();
    let paths: Vec<_> = ids.iter().map(|id| format!("{users}/{id}")).collect();
    // The reader of this thread learns the token.
    get_together(&app, &paths).await;
    let before = server.store.work_done();
    let answers = get_together(&app, &paths).await;
    let after = server.store.work_done();
    for (status, body) in &answers {
        assert_eq!(*status, 200, "{body}");
    }
    // Each has its own answer.
    for id in &ids {
        let start = format!("{{\"id\":\"{id}\"");
        assert!(answers.iter().any(|(_, body)| body.starts_with(&start)), "{id}");
    }
    assert_eq!(after.jobs, before.jobs);
    assert_eq!(after.statements - before.statements, AROUND + 16);
    // One more begins a second transaction.
    let more = [&paths[..], &paths[..1]].concat();
    get_together(&app, &more).await;
    assert_eq!(
        server.store.work_done().statements - after.statements,
        2 * AROUND + 17
    );
}

#[tokio::test]
async fn pages_of_many_records_do_not_wait_for_each_other() {
    if is_about_files() {
        return;
    }
    let server = Running::start().await;
    let app = app(server.store.clone(), Settings::at(&server.base));
    let pages = vec![format!("{VERSION_PATH}/directory/users?page[size]=100"); 4];
    get_together(&app, &pages).await;
    let before = server.store.work_done();
    get_together(&app, &pages).await;
    let after = server.store.work_done();
    assert_eq!(after.jobs, before.jobs);
    assert_eq!(after.statements - before.statements, 4 * (AROUND + 1));
}

#[tokio::test]
async fn a_read_sees_what_was_committed_before_it_was_received_whoever_was_received_earlier() {
    let (store, database) = store();
    let mut reads = JoinSet::new();
    let early = store.clone();
    reads.spawn(async move { early.read(count_keys).await.unwrap() });
    reads.spawn(async move {
        // The first read has been received, and its turn is not over.
        std::thread::scope(|scope| scope.spawn(|| add_key(&database)).join()).unwrap();
        store.read(count_keys).await.unwrap()
    });
    assert_eq!(reads.join_all().await, [Some(1), Some(1)]);
}

#[tokio::test]
async fn a_token_is_refused_once_it_is_revoked_whoever_was_received_earlier() {
    if is_about_files() {
        return;
    }
    let server = Running::start().await;
    let app = app(server.store.clone(), Settings::at(&server.base));
    let path = format!("{VERSION_PATH}/directory/users?page[size]=1");
    assert_eq!(get(app.clone(), path.clone(), READER).await.0, 200);
    let mut requests = JoinSet::new();
    requests.spawn(get(app.clone(), path.clone(), TOKEN));
    let database = server.database().database().clone();
    let revoke = move || {
        let connection = Connection::writer(&database).unwrap();
        let context = WriteContext::of_nobody(now());
        let listed = tokens::all(&connection, now()).unwrap();
        let reader = listed.iter().find(|token| token.owner == "reader@example.net");
        let id = reader.unwrap().item.id.to_string();
        Unit::run(&connection, &mut Ids::seeded(3), context, |unit| {
            tokens::revoke(unit, &id)
        })
        .unwrap();
    };
    requests.spawn(async move {
        std::thread::scope(|scope| scope.spawn(revoke).join()).unwrap();
        get(app, path, READER).await
    });
    let mut statuses: Vec<_> = requests.join_all().await.iter().map(|answer| answer.0).collect();
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::UNAUTHORIZED]);
}

#[tokio::test]
async fn no_transaction_is_open_when_the_reads_are_done() {
    let (store, database) = store();
    add_key(&database);
    let reads = (0..20).map(|_| {
        let store = store.clone();
        async move { store.read(count_keys).await.unwrap() }
    });
    let counts = reads.collect::<JoinSet<_>>().join_all().await;
    assert_eq!(counts, [Some(1); 20]);
    // An open transaction would hold this up.
    let connection = Connection::writer(database.database()).unwrap();
    let checkpoint = Sql::new("PRAGMA wal_checkpoint(TRUNCATE)");
    let is_held_up = connection.first(&checkpoint, |cells| cells.int()).unwrap();
    assert_eq!(is_held_up, Some(0));
}

#[tokio::test]
async fn a_read_that_panics_fails_or_takes_long_damages_no_other() {
    let (store, database) = store();
    add_key(&database);
    let long = |snapshot: &mut Snapshot<'_>| {
        let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT count(*) FROM n";
        snapshot.connection.first(&Sql::new(sql), |cells| cells.int())
    };
    let before = store.work_done();
    let (first, panics, second, takes_long, third, fails, last) = tokio::join!(
        biased;
        store.read(count_keys),
        store.read(|_| -> Result<()> { panic!("on purpose") }),
        store.read(count_keys),
        store.read(long),
        store.read(count_keys),
        store.read(|_| Err::<(), _>(Error::NotFound)),
        store.read(count_keys),
    );
    assert_eq!(takes_long.unwrap(), Some(300_000));
    assert_eq!(store.work_done().jobs - before.jobs, 1);
    assert!(matches!(panics, Err(Error::Failed(_))), "{panics:?}");
    assert!(matches!(fails, Err(Error::NotFound)), "{fails:?}");
    for counted in [first, second, third, last] {
        assert_eq!(counted.unwrap(), Some(1));
    }
}

#[tokio::test]
async fn a_read_that_was_given_up_is_not_done_and_the_others_are() {
    let (store, _database) = store();
    let is_done = Arc::new(AtomicBool::new(false));
    let done = Arc::clone(&is_done);
    let mut given_up = Box::pin(store.read(move |_| {
        done.store(true, Ordering::Relaxed);
        Ok::<_, Error>(())
    }));
    // It has been received, and is given up before its turn.
    let polled = poll_fn(|context| Poll::Ready(given_up.as_mut().poll(context)));
    assert!(polled.await.is_pending());
    drop(given_up);
    assert_eq!(store.read(count_keys).await.unwrap(), Some(0));
    assert!(!is_done.load(Ordering::Relaxed));
}
