//! The search index: which folded texts have three letters in a row somewhere.

use super::Driver;
use crate::store::Result;
use crate::store::sql::{Name, Sql};

/// The index knows in which column of a row letters are, and not where: a third less room.
const DETAIL: &str = "detail=column";

impl Driver {
    /// Builds the search index of a table over folded columns and keeps it up to date from now on. One of an earlier version,
    /// which took more room, makes way.
    pub(in crate::store::dialect) fn create_search(
        &self,
        table: &'static str,
        columns: &[Name],
    ) -> Result<()> {
        let list = |prefix: &str| {
            columns
                .iter()
                .map(|column| format!("{prefix}{column}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (names, new) = (list(""), list("new."));
        let insert = format!("INSERT INTO {table}_search (rowid, {names}) VALUES (new.seq, {new});");
        let delete = format!("DELETE FROM {table}_search WHERE rowid = old.seq;");
        self.drop_search(table, columns)?;
        self.script(&format!(
            "CREATE VIRTUAL TABLE {table}_search USING fts5({names}, content='', contentless_delete=1,
                 {DETAIL}, tokenize='trigram case_sensitive 1');
             INSERT INTO {table}_search (rowid, {names}) SELECT seq, {names} FROM {table};
             INSERT INTO {table}_search ({table}_search) VALUES ('optimize');
             CREATE TRIGGER {table}_search_insert AFTER INSERT ON {table} BEGIN {insert} END;
             CREATE TRIGGER {table}_search_delete AFTER DELETE ON {table} BEGIN {delete} END;
             CREATE TRIGGER {table}_search_update AFTER UPDATE OF {names} ON {table} BEGIN {delete} {insert} END;"
        ))
    }

    /// A query that finds a row if a table has a search index as [`Self::create_search`] makes it.
    pub(in crate::store::dialect) fn search_index(&self, table: &'static str, _columns: &[Name]) -> Sql {
        let mut sql = Sql::new("SELECT 1 FROM sqlite_schema WHERE name = ");
        sql.bind([table, "_search"].concat())
            .push(" AND instr(sql, ")
            .bind(DETAIL)
            .push(") > 0");
        sql
    }

    /// Drops the search index of a table, for loading many rows at once.
    pub(in crate::store::dialect) fn drop_search(
        &self,
        table: &'static str,
        _columns: &[Name],
    ) -> Result<()> {
        self.script(&format!(
            "DROP TRIGGER IF EXISTS {table}_search_insert; DROP TRIGGER IF EXISTS {table}_search_delete;
             DROP TRIGGER IF EXISTS {table}_search_update; DROP TABLE IF EXISTS {table}_search;"
        ))
    }
}
