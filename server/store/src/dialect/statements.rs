//! Parts of statements that databases build differently.

use super::Connection;
use crate::sql::{Name, Sql, Value};

/// Begins a statement with a table `o` that has a row for each id, numbered from 0.
pub fn push_numbered(sql: &mut Sql, ids: &[&str]) {
    sql.push("WITH o (number, id) AS ({numbered ")
        .bind(serde_json::json!(ids).to_string())
        .push("})");
}

/// Adds ` IN …` these numbers, as one value.
pub fn push_in_numbers(sql: &mut Sql, numbers: &[i64]) {
    sql.push(" IN (SELECT value FROM json_each(")
        .bind(serde_json::json!(numbers).to_string())
        .push("))");
}

/// Adds ` FROM …`: the rows `t` of a table whose ids `rows` adds a `SELECT` of, for each row of `o`.
pub fn push_related(
    connection: &Connection,
    sql: &mut Sql,
    table: &'static str,
    rows: impl FnOnce(&mut Sql),
) {
    match connection.plans_itself() {
        true => {
            rows(sql.push(" FROM o CROSS JOIN LATERAL ("));
            sql.push([") r JOIN ", table, " t ON t.id = r.id"]);
        }
        false => {
            rows(sql.push([" FROM o CROSS JOIN ", table, " t WHERE t.id IN ("]));
            sql.push(")");
        }
    }
}

/// Adds the condition that one of the folded columns of `t` contains the folded needle. Each text is looked into, unless the
/// database has an index for it and thinks otherwise.
pub fn push_scan(sql: &mut Sql, columns: &[Name], needle: &str) {
    sql.push("(").push_each(" OR ", columns, |sql, column| {
        sql.push("{contains t.").push(*column).push(", ");
        sql.bind(Value::Needle(needle.to_owned())).push("}");
    });
    sql.push(")");
}

/// Adds the same condition through the search index of a database that does not choose by itself.
pub fn push_search(sql: &mut Sql, table: &'static str, columns: &[Name], needle: &str) {
    sql.push("(t.rowid IN (");
    push_candidates(sql, table, columns, needle, MOST_PARTS);
    sql.push(")");
    if needle.chars().count() > SEARCH_CHARS {
        push_scan(sql.push(" AND "), columns, needle);
    }
    sql.push(")");
}

/// Adds `SELECT …` of rows among which are all that contain the needle, and few others: a column of them has its rarest parts,
/// so many at most. The index does not say where in a text they are. Gives the number of all parts.
pub fn push_candidates(
    sql: &mut Sql,
    table: &'static str,
    columns: &[Name],
    needle: &str,
    most_parts: usize,
) -> usize {
    let letters: Vec<char> = needle.chars().collect();
    let last = letters.len().saturating_sub(SEARCH_CHARS);
    let begins = (0..last).step_by(SEARCH_CHARS).take(MOST_PARTS - 1).chain([last]);
    let parts: Vec<String> = begins
        .map(|begin| letters[begin..].iter().take(SEARCH_CHARS).collect())
        .collect();
    let columns: Vec<String> = columns.iter().map(Name::to_string).collect();
    sql.push(["SELECT rowid FROM ", table, "_search WHERE ", table]);
    sql.push("_search MATCH ")
        .bind(format!("{{{}}} : (", columns.join(" ")));
    sql.push(
        " || (SELECT group_concat('\"' || replace(value, '\"', '\"\"') || '\"', ' AND ') FROM (SELECT value",
    );
    sql.push(" FROM json_each(")
        .bind(serde_json::json!(parts).to_string());
    push_pages(sql.push(") ORDER BY "), table);
    let most_parts = i64::try_from(most_parts).unwrap_or(i64::MAX);
    sql.push(" LIMIT ").bind(most_parts).push(")) || ')'");
    parts.len()
}

/// Adds how many pages of the search index the part `value` has. For each segment of the index, the table `_idx` has the term
/// with which a page begins, and twice the number of the page: <https://sqlite.org/fts5.html#fts5_on_disk>.
fn push_pages(sql: &mut Sql, table: &'static str) {
    let index = [table, "_search_idx"];
    let term = "CAST('0' || value AS BLOB)";
    sql.push("(WITH RECURSIVE segments (id) AS (SELECT min(segid) FROM ")
        .push(index);
    sql.push(" UNION ALL SELECT (SELECT min(segid) FROM ").push(index);
    sql.push(
        " WHERE segid > id) FROM segments WHERE id IS NOT NULL) SELECT sum(coalesce((SELECT pgno / 2 FROM ",
    );
    sql.push(index).push([
        " WHERE segid = id AND term > ",
        term,
        " ORDER BY term LIMIT 1) - (SELECT pgno / 2 FROM ",
    ]);
    sql.push(index).push([
        " WHERE segid = id AND term <= ",
        term,
        " ORDER BY term DESC LIMIT 1), 1)) FROM segments)",
    ]);
}

/// The least characters of a needle that the search index can find.
pub const SEARCH_CHARS: usize = 3;

/// The most parts of a needle that are looked for.
const MOST_PARTS: usize = 16;
