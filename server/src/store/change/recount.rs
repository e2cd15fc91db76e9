//! Counts, kept on write (§2.1, L18): each is the length of the list its `x-count` names, so one definition serves the kept
//! column, what a change adds to it (`count_changes.rs`), the recount of all, and the live count while a manifest entry has
//! lapsed.

use rollcall::Timestamp;
use rollcall::list::{CountSpec, Counted};

use crate::store::change::unit::CHUNK;
use crate::store::dialect::Connection;
use crate::store::error::Result;
use crate::store::sql::Sql;
use crate::store::tables::column::RowSet;
use crate::store::tables::{MANAGERS, TABLES, TableSpec};

/// A column `count_<member>` of a table.
#[derive(Clone, Copy, Debug)]
pub struct CountColumn {
    table: &'static str,
    spec: &'static CountSpec,
}

impl CountColumn {
    /// The column of a member in a table.
    pub fn of(table: &'static str, spec: &'static CountSpec) -> Self {
        Self { table, spec }
    }

    /// The table.
    pub fn table(self) -> &'static str {
        self.table
    }

    /// The member.
    pub fn member(self) -> &'static str {
        self.spec.member
    }

    /// Whether time alone can make it wrong.
    pub fn lapses(self) -> bool {
        match self.spec.counted {
            Counted::List(field) => RowSet::of(field).lapses(),
            Counted::External => false,
        }
    }

    /// Adds the number as it is now, for the record whose id is the SQL expression `owner`.
    pub fn push_live(self, sql: &mut Sql, owner: &'static str, now: Timestamp) {
        match self.spec.counted {
            Counted::List(field) => RowSet::of(field).push_count(sql, owner, now),
            Counted::External => {
                sql.push("(SELECT count(*) FROM external_resources x WHERE x.directory_user_id = ")
                    .push([owner, " AND x.kind = "])
                    .bind(self.spec.member)
                    .push(")");
            }
        }
    }
}

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

/// A table in ranges of ids: each after the first id given and, except for the last one, up to the second. One statement
/// for the whole table would keep all that it changes in memory until it ends.
fn each_range(
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
