//! Many records, some at a time: memory does not grow with the directory.

use crate::dialect::Connection;
use crate::error::Result;
use crate::sql::Sql;

/// How many records are worked on at a time.
pub const CHUNK: usize = 500;

/// All users, some at a time.
pub fn each_chunk(connection: &Connection, mut work: impl FnMut(&[String]) -> Result<()>) -> Result<()> {
    let mut last = String::new();
    loop {
        let mut sql = Sql::new("SELECT id FROM directory_users WHERE id > ");
        sql.bind(last.as_str())
            .push(" ORDER BY id LIMIT ")
            .bind(CHUNK as i64);
        let users = connection.query(&sql, |cells| cells.string())?;
        let Some(end) = users.last() else { return Ok(()) };
        last.clone_from(end);
        work(&users)?;
    }
}

/// A table in ranges of ids: each after the first id given and, except for the last one, up to the second. One statement
/// for the whole table would keep all that it changes in memory until it ends.
pub(crate) fn each_range(
    connection: &Connection,
    table: &'static str,
    mut work: impl FnMut(&str, Option<&str>) -> Result<()>,
) -> Result<()> {
    let mut after = String::new();
    loop {
        let mut sql = Sql::new(["SELECT id FROM ", table, " WHERE id > "]);
        sql.bind(after.as_str())
            .push(" ORDER BY id LIMIT 1 OFFSET ")
            .bind(CHUNK as i64 - 1);
        let last = connection.first(&sql, |cells| cells.string())?;
        work(&after, last.as_deref())?;
        match last {
            Some(last) => after = last,
            None => return Ok(()),
        }
    }
}
