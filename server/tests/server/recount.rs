//! Whether what is kept beside the records follows from them: counts and org.

use rollcall::Timestamp;
use rollcall_store::change::{org, recount};
use rollcall_store::dialect::{Cells, Connection};
use rollcall_store::sql::{Sql, Value};
use rollcall_store::tables::TABLES;
use rollcall_store::{columns, schema_tables};

/// The cells of the first column, as text.
pub(crate) fn column(connection: &Connection, sql: &str) -> Vec<String> {
    let text = |value| match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Text(text) | Value::Needle(text) => text,
    };
    connection
        .query(&Sql::new(&*sql.to_owned().leak()), |cells| {
            cells.value().map(text)
        })
        .unwrap()
}

/// Everything there is, as text, but for the numbers that the database gives to rows.
pub(crate) fn dump(connection: &Connection) -> Vec<String> {
    let mut dump = Vec::new();
    for table in schema_tables() {
        let columns = columns(connection, table).unwrap();
        let mut sql = Sql::new("SELECT ");
        sql.push_list(&columns).push([" FROM ", table]);
        let row = |cells: &mut Cells<'_, '_>| {
            let row: Vec<Value> = columns.iter().map(|_| cells.value()).collect::<Result<_, _>>()?;
            Ok(format!("{table}: {row:?}"))
        };
        dump.extend(connection.query(&sql, row).unwrap());
    }
    dump.sort();
    dump
}

/// The counts kept are those a recount gives, and org is what follows from the memberships.
pub(crate) fn assert_counts_right(connection: &Connection, now: Timestamp) {
    let kept = dump(connection);
    for table in TABLES.iter() {
        recount::recount(connection, table.name, now).unwrap();
    }
    org::describe_all(connection).unwrap();
    assert_eq!(kept, dump(connection));
}
