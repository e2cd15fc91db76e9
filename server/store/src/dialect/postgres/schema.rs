//! Tables and indexes.

use super::Driver;
use crate::dialect::Durability;
use crate::error::Result;
use crate::sql::{Name, Sql};

impl Driver {
    /// Says what a commit waits for from now on.
    pub(in crate::dialect) fn set_durability(&self, durability: Durability) -> Result<()> {
        self.durability.set(durability);
        let word = super::server::synchronous_commit(durability);
        self.run(&format!("SET synchronous_commit = {word}"))
    }

    /// Runs several statements, each ended by a semicolon. Texts compare byte by byte, as in a file.
    pub(in crate::dialect) fn script(&self, text: &str) -> Result<()> {
        let text = self.spelled(text);
        self.run(&text.replace(" TEXT", " TEXT COLLATE \"C\""))
    }

    /// A query that finds a row if there is any table.
    pub(in crate::dialect) fn any_table(&self) -> &'static str {
        "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() LIMIT 1"
    }

    /// The begin of a query of the columns of a table and their places; its end is `) ORDER BY 2`.
    pub(in crate::dialect) fn columns_of(&self) -> &'static str {
        "SELECT column_name::text, ordinal_position FROM information_schema.columns
         WHERE table_schema = current_schema() AND (table_name = "
    }

    /// Version of the schema, 0 for a new database.
    pub(in crate::dialect) fn schema_version(&self) -> Result<i64> {
        if !self.is_there("rollcall_schema")? {
            return Ok(0);
        }
        self.with(|session| {
            let version = session
                .client
                .query_opt("SELECT version FROM rollcall_schema", &[])?;
            version.map_or(Ok(0), |version| version.try_get(0))
        })
    }

    /// Sets the version of the schema.
    pub(in crate::dialect) fn set_schema_version(&self, version: i64) -> Result<()> {
        self.run(&format!(
            "CREATE TABLE IF NOT EXISTS rollcall_schema (version BIGINT NOT NULL);
             DELETE FROM rollcall_schema; INSERT INTO rollcall_schema VALUES ({version})"
        ))
    }

    /// Builds the search indexes of a table over folded columns. The server keeps them up to date.
    pub(in crate::dialect) fn create_search(&self, table: &'static str, columns: &[Name]) -> Result<()> {
        let mut text = "CREATE EXTENSION IF NOT EXISTS pg_trgm;".to_owned();
        for column in columns {
            let name = index(table, *column);
            // Where rows have been changed in this transaction, an index cannot even be asked for.
            if self.is_there(&name)? {
                continue;
            }
            text.push_str(&format!(
                "CREATE INDEX {name} ON {table} USING gin ({column} gin_trgm_ops);"
            ));
        }
        self.run(&text)
    }

    /// Whether there is a table or an index of this name. The catalogue is queried: `to_regclass` answers from what the
    /// session remembers, and does not see what another session has made while this one waited for the lock of the writers.
    fn is_there(&self, name: &str) -> Result<bool> {
        self.with(|session| {
            let found = session.client.query_one(
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relname = $1 AND pg_catalog.pg_table_is_visible(oid))",
                &[&name],
            )?;
            found.try_get(0)
        })
    }

    /// A query that finds a row if a table has its search indexes.
    pub(in crate::dialect) fn search_index(&self, table: &'static str, columns: &[Name]) -> Sql {
        let mut sql = Sql::new("SELECT 1 FROM pg_catalog.pg_indexes WHERE schemaname = current_schema()");
        let last = columns.last().map(|column| index(table, *column));
        sql.push(" AND indexname = ").bind(last);
        sql
    }

    /// Drops the search indexes of a table, for loading many rows at once. Not within a transaction: readers would wait for
    /// its end.
    pub(in crate::dialect) fn drop_search(&self, table: &'static str, columns: &[Name]) -> Result<()> {
        if self.is_in_transaction() {
            return Ok(());
        }
        let names: Vec<String> = columns.iter().map(|column| index(table, *column)).collect();
        self.run(&format!("DROP INDEX IF EXISTS {}", names.join(", ")))
    }

    /// Nothing is to be done before many rows are loaded.
    pub(in crate::dialect) fn begin_loading(&self) -> Result<()> {
        Ok(())
    }

    /// Lets the server learn what there is now: it plans by it.
    pub(in crate::dialect) fn end_loading(&self) -> Result<()> {
        self.run("VACUUM ANALYZE")
    }

    /// Lets the database learn how its values are distributed.
    pub(in crate::dialect) fn analyze(&self) -> Result<()> {
        self.run("ANALYZE")
    }
}

/// The name of the search index of a column.
fn index(table: &str, column: Name) -> String {
    format!("{table}_search_{column}")
}
