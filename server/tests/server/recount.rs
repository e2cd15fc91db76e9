//! Whether what is kept beside the records follows from them: counts and org.

use rollcall::Timestamp;
use rollcall_server::store::dialect::Connection;
use rollcall_server::store::sql::{Sql, Value};
use rollcall_server::store::tables::TABLES;
use rollcall_server::store::{counts, org};

/// The cells of the first column, as text.
pub(crate) fn column(connection: &Connection, sql: &str) -> Vec<String> {
    let text = |value| match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Text(text) | Value::Needle(text) => text,
    };
    connection
        .query(&Sql::new(sql), |cells| cells.value().map(text))
        .unwrap()
}

/// Everything there is, as text.
pub(crate) fn dump(connection: &Connection) -> Vec<String> {
    let tables =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' ORDER BY name";
    let mut dump = Vec::new();
    for table in column(connection, tables) {
        let columns = column(
            connection,
            &format!("SELECT name FROM pragma_table_info('{table}')"),
        );
        let row: Vec<String> = columns
            .iter()
            .map(|column| format!("COALESCE({column}, '-')"))
            .collect();
        let rows = column(
            connection,
            &format!("SELECT {} FROM {table} ORDER BY 1", row.join(" || '|' || ")),
        );
        dump.extend(rows.into_iter().map(|row| format!("{table}: {row}")));
    }
    dump
}

/// The counts kept are those a recount gives, and org is what follows from the memberships.
pub(crate) fn assert_counts_right(connection: &Connection, now: Timestamp) {
    let kept = dump(connection);
    for table in TABLES.iter() {
        counts::recount(connection, table.name, now).unwrap();
    }
    org::describe_all(connection).unwrap();
    assert_eq!(kept, dump(connection));
}
