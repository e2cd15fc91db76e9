//! A directory as plain tables: what was written, with nothing derived.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// A record or link: members by name, timestamps as microseconds since 1970.
pub(super) type Row = BTreeMap<&'static str, Value>;
/// Rows by the name of their table.
pub(super) type Tables = BTreeMap<&'static str, Vec<Row>>;

/// A member; null where the row does not have it.
pub(super) fn get<'r>(row: &'r Row, member: &str) -> &'r Value {
    row.get(member).unwrap_or(&Value::Null)
}

/// A member that is text; empty where it is null.
pub(super) fn text<'r>(row: &'r Row, member: &str) -> &'r str {
    get(row, member).as_str().unwrap_or_default()
}

/// A member that is a timestamp.
pub(super) fn timestamp(row: &Row, member: &str) -> Option<i64> {
    get(row, member).as_i64()
}

/// Whether the row is not soft-deleted.
pub(super) fn is_live(row: &Row) -> bool {
    get(row, "deleted_at").is_null()
}

/// A whole directory. Printed with a row to a line, without what is null.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Directory {
    pub(super) tables: Tables,
}

impl Directory {
    pub(super) fn rows(&self, table: &str) -> &[Row] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }

    pub(super) fn row(&self, table: &str, id: &str) -> Option<&Row> {
        self.rows(table).iter().find(|row| text(row, "id") == id)
    }

    /// Sets members of the row with this id.
    pub(super) fn set<const N: usize>(&mut self, table: &str, id: &str, members: [(&'static str, Value); N]) {
        let rows = self.tables.get_mut(table).into_iter().flatten();
        rows.filter(|row| text(row, "id") == id)
            .for_each(|row| row.extend(members.clone()));
    }
}

impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (table, rows) in &self.tables {
            for row in rows {
                let shown = row.iter().filter(|(_, value)| !value.is_null());
                let shown: Vec<_> = shown
                    .map(|(member, value)| format!("{member}: {value}"))
                    .collect();
                writeln!(f, "\n  {table} {{ {} }}", shown.join(", "))?;
            }
        }
        Ok(())
    }
}
