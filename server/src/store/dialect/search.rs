//! The search index: which folded texts contain a needle.

use super::Connection;
use crate::store::Result;
use crate::store::sql::Sql;

impl Connection {
    /// Builds the search index of a table over folded columns and keeps it up to date from now on.
    pub fn create_search(&self, table: &str, columns: &[&str]) -> Result<()> {
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
        self.script(&format!(
            "CREATE VIRTUAL TABLE {table}_search USING fts5({names}, content='', contentless_delete=1,
                 tokenize='trigram case_sensitive 1');
             INSERT INTO {table}_search (rowid, {names}) SELECT seq, {names} FROM {table};
             INSERT INTO {table}_search ({table}_search) VALUES ('optimize');
             CREATE TRIGGER {table}_search_insert AFTER INSERT ON {table} BEGIN {insert} END;
             CREATE TRIGGER {table}_search_delete AFTER DELETE ON {table} BEGIN {delete} END;
             CREATE TRIGGER {table}_search_update AFTER UPDATE OF {names} ON {table} BEGIN {delete} {insert} END;"
        ))
    }

    /// Whether a table has a search index.
    pub fn has_search(&self, table: &str) -> Result<bool> {
        let mut sql = Sql::new("SELECT 1 FROM sqlite_schema WHERE name = ");
        sql.bind([table, "_search"].concat());
        Ok(self.first(&sql, |_| Ok(()))?.is_some())
    }

    /// Drops the search index of a table, for loading many rows at once.
    pub fn drop_search(&self, table: &str) -> Result<()> {
        self.script(&format!(
            "DROP TRIGGER IF EXISTS {table}_search_insert; DROP TRIGGER IF EXISTS {table}_search_delete;
             DROP TRIGGER IF EXISTS {table}_search_update; DROP TABLE IF EXISTS {table}_search;"
        ))
    }
}

/// Adds the condition that one of the folded columns of `t` contains the folded needle, through the search index.
pub fn push_search(sql: &mut Sql, table: &str, columns: &[&str], needle: &str) {
    sql.push("t.rowid IN (");
    push_match(sql, table, columns, &quoted(needle));
    sql.push(")");
}

/// Adds `SELECT …` of rows among which are all that [`push_search`] finds, and few others: a column of them has the parts of
/// the needle. That is asked in less than half the time.
pub fn push_candidates(sql: &mut Sql, table: &str, columns: &[&str], needle: &str) {
    let letters: Vec<char> = needle.chars().collect();
    let last = letters.len().saturating_sub(SEARCH_CHARS);
    let begins = (0..last).step_by(SEARCH_CHARS).take(MOST_PARTS).chain([last]);
    let parts: Vec<String> = begins
        .map(|begin| letters[begin..].iter().take(SEARCH_CHARS).collect::<String>())
        .map(|part| quoted(&part))
        .collect();
    push_match(sql, table, columns, &format!("({})", parts.join(" AND ")));
}

fn push_match(sql: &mut Sql, table: &str, columns: &[&str], query: &str) {
    sql.push(&format!(
        "SELECT rowid FROM {table}_search WHERE {table}_search MATCH "
    ));
    sql.bind(format!("{{{}}} : {query}", columns.join(" ")));
}

/// Adds the same condition, looking into every row.
pub fn push_scan(sql: &mut Sql, columns: &[&str], needle: &str) {
    sql.push("(");
    for (place, column) in columns.iter().enumerate() {
        sql.push(if place == 0 { "" } else { " OR " })
            .push(&format!("instr(t.{column}, "))
            .bind(needle)
            .push(") > 0");
    }
    sql.push(")");
}

/// The least characters of a needle that the search index can find.
pub const SEARCH_CHARS: usize = 3;

/// The most parts of a needle that are looked for.
const MOST_PARTS: usize = 15;

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
