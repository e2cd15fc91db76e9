//! The search index: which folded texts have three letters in a row somewhere.

use super::Driver;
use crate::error::Result;
use crate::sql::{Name, Sql};

/// The index knows in which column of a row letters are, and not where: a third less room.
const DETAIL: &str = "detail=column";

/// So many pages of a search index are written in one step of a merge.
const MERGED_AT_ONCE: i64 = 1_000;

impl Driver {
    /// Builds the search index of a table over folded columns and keeps it up to date from now on. One of an earlier version,
    /// which took more room, makes way.
    pub(in crate::dialect) fn create_search(&self, table: &'static str, columns: &[Name]) -> Result<()> {
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
             INSERT INTO {table}_search (rowid, {names}) SELECT seq, {names} FROM {table};"
        ))?;
        self.merge_search(table)?;
        self.script(&format!(
            "CREATE TRIGGER {table}_search_insert AFTER INSERT ON {table} BEGIN {insert} END;
             CREATE TRIGGER {table}_search_delete AFTER DELETE ON {table} BEGIN {delete} END;
             CREATE TRIGGER {table}_search_update AFTER UPDATE OF {names} ON {table} BEGIN {delete} {insert} END;"
        ))
    }

    /// Makes one part of all parts that a search index was written in, step by step: in one step, the journal of all pages
    /// that it frees would be held in memory.
    fn merge_search(&self, table: &'static str) -> Result<()> {
        // A negative number of pages begins with all parts, and not only with those of one size.
        let mut pages = -MERGED_AT_ONCE;
        loop {
            let before = self.sqlite.total_changes();
            self.script(&format!(
                "INSERT INTO {table}_search ({table}_search, rank) VALUES ('merge', {pages});"
            ))?;
            // A merge that finds nothing to do makes fewer than two changes.
            if self.sqlite.total_changes() - before < 2 {
                return Ok(());
            }
            pages = MERGED_AT_ONCE;
        }
    }

    /// A query that finds a row if a table has a search index as [`Self::create_search`] makes it.
    pub(in crate::dialect) fn search_index(&self, table: &'static str, _columns: &[Name]) -> Sql {
        let mut sql = Sql::new("SELECT 1 FROM sqlite_schema WHERE name = ");
        sql.bind([table, "_search"].concat())
            .push(" AND instr(sql, ")
            .bind(DETAIL)
            .push(") > 0");
        sql
    }

    /// Drops the search index of a table, for loading many rows at once.
    pub(in crate::dialect) fn drop_search(&self, table: &'static str, _columns: &[Name]) -> Result<()> {
        self.script(&format!(
            "DROP TRIGGER IF EXISTS {table}_search_insert; DROP TRIGGER IF EXISTS {table}_search_delete;
             DROP TRIGGER IF EXISTS {table}_search_update; DROP TABLE IF EXISTS {table}_search;"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::push_candidates;
    use crate::sql::Value;

    #[test]
    fn a_merge_leaves_one_part() {
        let texts: Vec<String> = (0..500).map(|seq| format!("person {seq}")).collect();
        let driver = searched(&texts);
        let count = |query: &str| {
            driver
                .sqlite
                .query_row(query, [], |row| row.get::<_, i64>(0))
                .unwrap()
        };
        let parts = || count("SELECT count(DISTINCT segid) FROM people_search_idx");
        assert!(parts() > 1);
        driver.merge_search("people").unwrap();
        assert_eq!(parts(), 1);
        let found = count("SELECT count(*) FROM people_search WHERE people_search MATCH 'son'");
        assert_eq!(found, 500);
    }

    /// A table of texts with a search index.
    fn searched(texts: &[String]) -> Driver {
        let driver = Driver::in_memory().unwrap();
        driver
            .script("CREATE TABLE people (seq INTEGER PRIMARY KEY, name TEXT);")
            .unwrap();
        driver.create_search("people", &[Name::Own("name")]).unwrap();
        for (seq, text) in (0..).zip(texts) {
            let mut sql = Sql::new("INSERT INTO people VALUES ");
            sql.bind_all([Value::Int(seq), Value::from(text.as_str())]);
            driver.execute(&sql).unwrap();
        }
        driver
    }

    fn candidates(driver: &Driver, needle: &str, parts: usize) -> Vec<i64> {
        let mut sql = Sql::default();
        push_candidates(&mut sql, "people", &[Name::Own("name")], needle, parts);
        let mut found = Vec::new();
        let look = |row: &rusqlite::Row<'_>| {
            found.push(row.get(0).unwrap());
            Ok(true)
        };
        driver.visit(&sql, look).unwrap();
        found
    }

    #[test]
    fn a_text_is_among_the_candidates_of_each_of_its_parts() {
        let texts: Vec<String> = (0..300)
            .map(|seq| format!("person \"{}\" of {} streets' ends", seq * 7919 % 1009, seq % 13))
            .collect();
        let driver = searched(&texts);
        for (seq, text) in texts.iter().enumerate() {
            let needle: String = text.chars().skip(seq % 20).take(3 + seq % 17).collect();
            let have = (0..).zip(&texts).filter(|(_, text)| text.contains(&needle));
            let have: Vec<i64> = have.map(|(seq, _)| seq).collect();
            for parts in 1..4 {
                let found = candidates(&driver, &needle, parts);
                let missing: Vec<_> = have.iter().filter(|seq| !found.contains(seq)).collect();
                assert!(missing.is_empty(), "{needle} by {parts} parts: not {missing:?}");
            }
        }
    }

    #[test]
    fn the_rarest_part_finds_few_candidates() {
        let mut texts: Vec<String> = (0..5_000).map(|seq| format!("person {seq}")).collect();
        // How many pages the last part of the index has is not known.
        texts.push("~~~".to_owned());
        let driver = searched(&texts);
        // In a part that has few rows no list takes more than a page.
        driver.merge_search("people").unwrap();
        let found = candidates(&driver, "person 4711", 1);
        assert!(
            found.contains(&4_711) && found.len() < 200,
            "{} candidates",
            found.len()
        );
    }
}
