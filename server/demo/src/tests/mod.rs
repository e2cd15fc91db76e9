//! Tests of the demo directory: that it is the same each time, has one of everything, and agrees with itself.

mod counts;
mod everything;
mod invariants;
mod policy;
mod reading;

use rollcall::Timestamp;
use rollcall_store::dialect::Connection;
use rollcall_store::migrate;
use rollcall_store::sql::{Sql, Value};

use super::{Demo, Filled, fill};

/// A directory in memory.
struct Made {
    connection: Connection,
    filled: Filled,
    now: Timestamp,
}

fn now() -> Timestamp {
    "2026-11-21T07:00:00.000000Z".parse().unwrap()
}

fn made(users: u64, seed: u64) -> Made {
    let connection = Connection::in_memory().unwrap();
    migrate(&connection).unwrap();
    let demo = Demo {
        users,
        seed,
        now: now(),
    };
    let filled = fill(&connection, &demo, None, |_| {}).unwrap();
    Made {
        connection,
        filled,
        now: demo.now,
    }
}

impl Made {
    /// Rows of so many columns. `NOW` is the present.
    fn rows(&self, sql: &str, columns: usize) -> Vec<Vec<Value>> {
        let sql = sql.replace("NOW", &self.now.micros().to_string());
        let read = |cells: &mut rollcall_store::dialect::Cells<'_, '_>| {
            (0..columns).map(|_| cells.value()).collect()
        };
        self.connection.query(&Sql::new(&*sql.leak()), read).unwrap()
    }

    /// The number a query gives.
    fn number(&self, sql: &str) -> i64 {
        match self.rows(sql, 1).concat().as_slice() {
            [Value::Int(number)] => *number,
            other => panic!("{sql}: {other:?}"),
        }
    }

    /// The texts a query gives.
    fn texts(&self, sql: &str) -> Vec<String> {
        let text = |value| match value {
            Value::Text(text) => text,
            other => panic!("{sql}: {other:?}"),
        };
        self.rows(sql, 1).concat().into_iter().map(text).collect()
    }

    /// Every cell of every table, in the order of the rows.
    fn dump(&self) -> Vec<String> {
        let tables = self.texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%_search%' AND name NOT LIKE 'sqlite%' ORDER BY name");
        let mut lines = Vec::new();
        for table in tables {
            let columns = self.texts(&format!("SELECT name FROM pragma_table_info('{table}')"));
            let rows = self.rows(
                &format!(
                    "SELECT {columns} FROM {table} ORDER BY {columns}",
                    columns = columns.join(", ")
                ),
                columns.len(),
            );
            lines.extend(rows.into_iter().map(|row| format!("{table} {row:?}")));
        }
        lines
    }
}

#[test]
fn the_same_seed_makes_the_same_directory() {
    let (one, other) = (made(120, 7), made(120, 7));
    assert_eq!(one.filled, other.filled);
    let dump = one.dump();
    assert!(dump.len() > 1_000, "{} rows", dump.len());
    assert_eq!(dump, other.dump());
}

#[test]
fn another_seed_makes_another_directory() {
    assert_ne!(made(20, 1).filled.token, made(20, 2).filled.token);
    assert_ne!(made(20, 1).dump(), made(20, 2).dump());
}

#[test]
fn any_size_will_do() {
    for users in 0..4 {
        let made = made(users, 1);
        assert_eq!(
            made.number("SELECT count(*) FROM directory_users"),
            users.cast_signed()
        );
        assert_eq!(made.filled.manager.is_some(), users > 0);
    }
}

#[test]
fn progress_ends_at_the_number_asked_for() {
    let connection = Connection::in_memory().unwrap();
    migrate(&connection).unwrap();
    let demo = Demo {
        users: 501,
        seed: 1,
        now: now(),
    };
    let mut told = Vec::new();
    fill(&connection, &demo, None, |users| told.push(users)).unwrap();
    assert_eq!(told, [500, 501]);
}

#[test]
fn the_token_can_be_chosen() {
    let connection = Connection::in_memory().unwrap();
    migrate(&connection).unwrap();
    let demo = Demo {
        users: 1,
        seed: 1,
        now: now(),
    };
    let filled = fill(&connection, &demo, Some("open sesame"), |_| {}).unwrap();
    assert_eq!(filled.token, "open sesame");
    let grant = rollcall_store::grant::grant(&connection, "open sesame", now())
        .unwrap()
        .unwrap();
    assert_eq!(grant.owner, filled.operator);
}
