//! Jobs of the store that go wrong: one that panics, and ones that nobody waits for any more.

use std::sync::mpsc::channel;
use std::time::Duration;

use rollcall_store::change::unit::Unit;
use rollcall_store::dialect::{Connection, Durability, Span};
use rollcall_store::ids::Ids;
use rollcall_store::sql::Sql;
use rollcall_store::{Error, Opening, Result, Snapshot, Store};
use tokio::time::timeout;

use crate::database::TestDatabase;

fn store() -> (Store, TestDatabase) {
    let database = TestDatabase::empty();
    let store = Store::open(Opening {
        durability: Durability::Crash,
        ids: Ids::seeded(1),
        ..Opening::of(database.database(), "http://x/api/v1")
    });
    (store.unwrap(), database)
}

fn add_key(unit: &mut Unit<'_>) -> Result<()> {
    let sql = "INSERT INTO idempotency_keys (token_id, key, fingerprint, answer, created_at) VALUES ('t', 'k', '', '', 0)";
    unit.execute(&Sql::new(sql)).map(drop)
}

async fn keys(store: &Store) -> Option<i64> {
    let count = |snapshot: &mut Snapshot<'_>| {
        let sql = Sql::new("SELECT count(*) FROM idempotency_keys");
        snapshot.connection.first(&sql, |cells| cells.int())
    };
    store.read(count).await.unwrap()
}

#[tokio::test]
async fn a_job_that_panics_is_undone_and_the_next_one_is_done() {
    let (store, _folder) = store();
    let failed: Result<()> = store
        .write(None, |unit| {
            add_key(unit)?;
            panic!("on purpose");
        })
        .await;
    assert!(matches!(failed, Err(Error::Failed(_))), "{failed:?}");
    let failed: Result<()> = store.read(|_| panic!("on purpose")).await;
    assert!(matches!(failed, Err(Error::Failed(_))), "{failed:?}");
    assert_eq!(keys(&store).await, Some(0));
    store.write(None, add_key).await.unwrap();
    assert_eq!(keys(&store).await, Some(1));
}

#[tokio::test]
async fn a_query_without_end_ends_when_nobody_waits_for_it() {
    let (store, _folder) = store();
    let endless = |snapshot: &mut Snapshot<'_>| {
        let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        snapshot.connection.first(&Sql::new(sql), |cells| cells.int())
    };
    // More than there are readers: those that have not begun are not begun.
    for _ in 0..64 {
        let given_up = timeout(Duration::from_millis(5), store.read(endless)).await;
        assert!(given_up.is_err());
    }
    assert_eq!(keys(&store).await, Some(0));
}

#[tokio::test]
async fn a_change_that_nobody_waits_for_is_undone() {
    let (store, _folder) = store();
    let (begun, has_begun) = channel();
    let (go_on, may_go_on) = channel::<()>();
    let change = store.write(None, move |unit| {
        add_key(unit)?;
        begun.send(()).unwrap();
        may_go_on.recv().unwrap();
        Ok::<_, Error>(())
    });
    let mut change = Box::pin(change);
    let given_up = timeout(Duration::from_millis(5), &mut change).await;
    assert!(given_up.is_err());
    has_begun.recv().unwrap();
    drop(change);
    go_on.send(()).unwrap();
    // The writer does one job after the other.
    store.write(None, |_| Ok::<_, Error>(())).await.unwrap();
    assert_eq!(keys(&store).await, Some(0));
}

#[test]
fn a_connection_is_free_again_after_each_transaction_that_was_too_long() {
    let file = TestDatabase::file();
    let connection = Connection::writer(file.database()).unwrap();
    let endless =
        Sql::new("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    // The database looks at a statement after so many steps of all its runs, so at the end of a transaction only now and then.
    for round in 0..1_500 {
        let ended = connection.transaction_within(Span::Short, false, |connection| {
            connection.first(&endless, |cells| cells.int())
        });
        assert!(matches!(ended, Err(Error::Abandoned)) && connection.was_too_long());
        let next: Result<()> = connection.transaction(false, |_| Ok(()));
        next.unwrap_or_else(|why| panic!("round {round}: {why}"));
    }
}

/// Adds a key of this name.
fn add(key: &'static str) -> impl FnOnce(&mut Unit<'_>) -> Result<()> + Send + 'static {
    move |unit| {
        let mut sql = Sql::new(
            "INSERT INTO idempotency_keys (token_id, fingerprint, answer, created_at, key) VALUES ('t', '', '', 0, ",
        );
        unit.execute(sql.bind(key).push(")")).map(drop)
    }
}

#[tokio::test]
async fn of_changes_that_are_committed_together_each_is_undone_alone() {
    let (store, _folder) = store();
    let (begun, has_begun) = channel();
    let (go_on, may_go_on) = channel::<()>();
    // While it holds the writer, the others come to wait together.
    let first = store.write(None, move |_| {
        begun.send(()).unwrap();
        may_go_on.recv().unwrap();
        Ok::<_, Error>(())
    });
    let fails = store.write(None, |unit| {
        add("fails")(unit)?;
        Err::<(), _>(Error::NotFound)
    });
    let panics = store.write(None, |unit| {
        add("panics")(unit)?;
        panic!("on purpose");
        #[expect(unreachable_code, reason = "the type of the change")]
        Ok::<(), Error>(())
    });
    let release = async {
        has_begun.recv().unwrap();
        go_on.send(()).unwrap();
    };
    let (first, one, fails, panics, two, ()) = tokio::join!(
        biased;
        first,
        store.write(None, add("one")),
        fails,
        panics,
        store.write(None, add("two")),
        release
    );
    assert!(first.is_ok() && one.is_ok() && two.is_ok());
    assert!(matches!(fails, Err(Error::NotFound)), "{fails:?}");
    assert!(matches!(panics, Err(Error::Failed(_))), "{panics:?}");
    assert_eq!(keys(&store).await, Some(2));
}

#[tokio::test]
async fn a_fault_of_the_queue_of_evaluations_is_no_fault_of_a_change() {
    let (store, database) = store();
    let drop_table = || {
        let connection = Connection::writer(database.database()).unwrap();
        connection.script("DROP TABLE pending_evaluations;").unwrap();
    };
    std::thread::scope(|scope| scope.spawn(drop_table).join()).unwrap();
    store.write(None, add_key).await.unwrap();
    assert_eq!(keys(&store).await, Some(1));
}
