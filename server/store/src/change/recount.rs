//! All counts of a table, counted again: after a load, and for the tests that compare the kept counts with it.

use rollcall::Timestamp;

use crate::change::chunks::each_range;
use crate::dialect::Connection;
use crate::error::Result;
use crate::sql::Sql;
use crate::tables::count::CountColumn;
use crate::tables::{MANAGERS, TABLES, TableSpec};

/// Counts all records of a table again. `is_manager` follows, where the table has it (§2.1).
pub fn recount(connection: &Connection, table: &'static str, now: Timestamp) -> Result<()> {
    let Some(table) = TABLES.iter().find(|known| known.name == table) else {
        return Ok(());
    };
    each_range(connection, table.name, |after, last| {
        let rows = |sql: &mut Sql| {
            sql.push("o.id > ").bind(after);
            if let Some(last) = last {
                sql.push(" AND o.id <= ").bind(last);
            }
        };
        recount_where(connection, table, &rows, now)
    })
}

fn recount_where(
    connection: &Connection,
    table: &TableSpec,
    rows: &dyn Fn(&mut Sql),
    now: Timestamp,
) -> Result<()> {
    let name = table.name;
    let mut sql = Sql::new(["UPDATE ", name, " AS o SET "]);
    sql.push_each(", ", &table.counts, |sql, spec| {
        sql.push(["count_", spec.member, " = "]);
        CountColumn::of(name, spec).push_live(sql, "o.id", now);
    });
    rows(sql.push(" WHERE "));
    connection.execute(&sql)?;
    if name == MANAGERS {
        let is_manager = " AS o SET is_manager = (o.count_direct_report_users > 0) WHERE ";
        let mut sql = Sql::new(["UPDATE ", name, is_manager]);
        rows(&mut sql);
        connection.execute(&sql)?;
    }
    Ok(())
}
