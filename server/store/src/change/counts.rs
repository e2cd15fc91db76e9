//! Kept counts after a change of a row: one more or one less where the row begins or ends to count, and no counting again.
//! A change costs the same whatever there is to count. Counting again (`recount.rs`) is what tests compare it with.
//!
//! A manifest entry that has lapsed counts until that is recorded (P5); until then pages count for themselves.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rollcall::list::Counted;

use crate::change::fields::Fields;
use crate::dialect::Connection;
use crate::error::Result;
use crate::sql::{Sql, Value};
use crate::tables::column::{Column, JoinPath, RowScope, RowSet};
use crate::tables::count::CountColumn;
use crate::tables::{MANAGERS, TABLES, row_set, table_of};

/// How the rows of a table count.
#[derive(Default)]
struct Watched {
    /// The columns that decide it.
    columns: Vec<&'static str>,
    ways: Vec<(CountColumn, Way)>,
}

/// How a row counts.
enum Way {
    /// For the record that a column of it names.
    Named(RowSet, &'static str),
    /// It links rows of another table to a record, for which they count.
    Links(RowSet, JoinPath),
    /// For the records that rows of another table link it to.
    Linked(RowSet, JoinPath),
    /// For a user, if it is a resource of this kind in another system.
    External(&'static str),
}

static WATCHED: LazyLock<BTreeMap<&'static str, Watched>> = LazyLock::new(|| {
    let mut watched = BTreeMap::<_, Watched>::new();
    let mut watch = |table, columns: &[&[&'static str]], count, way| {
        let watched = watched.entry(table).or_default();
        for column in columns.concat() {
            if !watched.columns.contains(&column) {
                watched.columns.push(column);
            }
        }
        watched.ways.push((count, way));
    };
    for table in TABLES.iter() {
        for spec in &table.counts {
            let count = CountColumn::of(table.name, spec);
            let Counted::List(field) = spec.counted else {
                let columns: [&[_]; 1] = [&["directory_user_id", "kind"]];
                watch("external_resources", &columns, count, Way::External(spec.member));
                continue;
            };
            let rows = row_set(field);
            let own = ["deleted_at"];
            match rows.column {
                Column::Joined(path) => {
                    let ends = [path.ours, path.theirs];
                    let columns = [ends.as_slice(), path.scope.columns()];
                    watch(path.table, &columns, count, Way::Links(rows, path));
                    let columns = [&[path.key], own.as_slice(), rows.scope.columns()];
                    watch(rows.table, &columns, count, Way::Linked(rows, path));
                }
                Column::Plain(column) | Column::Text(column) | Column::Json(column) => {
                    let columns = [&[column], own.as_slice(), rows.scope.columns()];
                    watch(rows.table, &columns, count, Way::Named(rows, column));
                }
                // No list is counted by a state or a time.
                Column::State | Column::ExpiredAt => {}
            }
        }
    }
    watched
});

/// The watched columns of a row.
#[derive(Clone)]
struct Row<'w> {
    columns: &'w [&'static str],
    values: Vec<Value>,
}

impl<'w> Row<'w> {
    /// A row that has only these fields.
    fn of(columns: &'w [&'static str], fields: &Fields) -> Self {
        let values = vec![Value::Null; columns.len()];
        Self { columns, values }.with(fields)
    }

    /// The row with these fields changed.
    fn with(mut self, fields: &Fields) -> Self {
        for (column, value) in self.columns.iter().zip(&mut self.values) {
            if let Some(new) = fields.get(column) {
                value.clone_from(new);
            }
        }
        self
    }

    fn get(&self, column: &'static str) -> &Value {
        let place = self.columns.iter().position(|known| *known == column);
        place.map_or(&Value::Null, |place| &self.values[place])
    }

    /// Whether it is among the rows that a list shows.
    fn is_shown(&self, scope: RowScope) -> bool {
        *self.get("deleted_at") == Value::Null && self.is_in(scope)
    }

    fn is(&self, column: &'static str, wanted: &str) -> bool {
        matches!(self.get(column), Value::Text(text) if text == wanted)
    }

    fn is_in(&self, scope: RowScope) -> bool {
        let is = |column, wanted| self.is(column, wanted);
        match scope {
            RowScope::All => true,
            RowScope::Items(kind) => {
                matches!(self.get("is_attached"), Value::Bool(true) | Value::Int(1)) && is("kind", kind)
            }
            RowScope::Manifest => is("standing", "manifest"),
            RowScope::Staged => is("standing", "staged"),
            RowScope::Standing => is("standing", "manifest") || is("standing", "staged"),
        }
    }
}

/// What the counts of records have to be changed by.
#[derive(Debug, Default)]
pub(crate) struct CountChanges(BTreeMap<(&'static str, String), BTreeMap<&'static str, i64>>);

impl CountChanges {
    /// Notes a row that is about to be added.
    pub(crate) fn insert(
        &mut self,
        connection: &Connection,
        table: &'static str,
        fields: &Fields,
    ) -> Result<()> {
        let Some(watched) = WATCHED.get(table) else {
            return Ok(());
        };
        let row = Row::of(&watched.columns, fields);
        self.replace(connection, watched, None, Some(&row), None)
    }

    /// Notes a row that is about to be changed.
    pub(crate) fn update(
        &mut self,
        connection: &Connection,
        table: &'static str,
        id: &str,
        fields: &Fields,
    ) -> Result<()> {
        let Some(watched) = WATCHED.get(table) else {
            return Ok(());
        };
        if !watched.columns.iter().any(|column| fields.get(column).is_some()) {
            return Ok(());
        }
        let key = Fields::new().set("id", id);
        let Some(before) = read(connection, watched, table, &key)? else {
            return Ok(());
        };
        let after = before.clone().with(fields);
        self.replace(connection, watched, Some(&before), Some(&after), Some(id))
    }

    /// Removes the row that has these values, and notes it.
    pub(crate) fn delete(
        &mut self,
        connection: &Connection,
        table: &'static str,
        key: &Fields,
        delete: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let found = match WATCHED.get(table) {
            Some(watched) => read(connection, watched, table, key)?.map(|row| (watched, row)),
            None => None,
        };
        delete()?;
        match found {
            Some((watched, row)) => self.replace(connection, watched, Some(&row), None, None),
            None => Ok(()),
        }
    }

    /// One row in the place of another. If the store has it now, it has this id.
    fn replace(
        &mut self,
        connection: &Connection,
        watched: &Watched,
        before: Option<&Row<'_>>,
        after: Option<&Row<'_>>,
        id: Option<&str>,
    ) -> Result<()> {
        let rows = [(before, -1), (after, 1)];
        for (count, way) in &watched.ways {
            match way {
                Way::Named(rows_of, column) => {
                    for (row, by) in rows {
                        if let Some(row) = row.filter(|row| row.is_shown(rows_of.scope)) {
                            self.add(*count, row.get(column), by);
                        }
                    }
                }
                Way::External(kind) => {
                    for (row, by) in rows {
                        if let Some(row) = row.filter(|row| row.is("kind", kind)) {
                            self.add(*count, row.get("directory_user_id"), by);
                        }
                    }
                }
                Way::Links(rows_of, path) => {
                    let link = |row: Option<&Row<'_>>| {
                        row.filter(|row| row.is_in(path.scope))
                            .map(|row| (row.get(path.ours).clone(), row.get(path.theirs).clone()))
                    };
                    let links = [(link(before), -1), (link(after), 1)];
                    if links[0].0 == links[1].0 {
                        continue;
                    }
                    for (link, by) in links {
                        let Some((ours, theirs)) = link else { continue };
                        if !is_linked_otherwise(connection, path, (&ours, &theirs), id)? {
                            let linked = linked(connection, rows_of, path, &ours)?;
                            self.add(*count, &theirs, by * linked);
                        }
                    }
                }
                Way::Linked(rows_of, path) => {
                    let key = |row: Option<&Row<'_>>| {
                        row.filter(|row| row.is_shown(rows_of.scope))
                            .map(|row| row.get(path.key).clone())
                    };
                    let keys = [(key(before), -1), (key(after), 1)];
                    // Nothing is linked to a row by its id before there is the row.
                    if keys[0].0 == keys[1].0 || (before.is_none() && path.key == "id") {
                        continue;
                    }
                    for (key, by) in keys {
                        let Some(key) = key else { continue };
                        for owner in owners(connection, path, key)? {
                            self.add(*count, &owner, by);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, count: CountColumn, owner: &Value, by: i64) {
        let Value::Text(id) = owner else { return };
        if table_of(id) == Some(count.table()) {
            let changes = self.0.entry((count.table(), id.clone())).or_default();
            *changes.entry(count.member()).or_default() += by;
        }
    }

    /// Changes the counts, in the order of tables and ids. `is_manager` follows, where a table has it (§2.1).
    pub(crate) fn apply(&mut self, connection: &Connection) -> Result<()> {
        for ((table, id), mut changes) in std::mem::take(&mut self.0) {
            changes.retain(|_, by| *by != 0);
            if changes.is_empty() {
                continue;
            }
            let mut sql = Sql::new(["UPDATE ", table, " SET "]);
            sql.push_each(", ", &changes, |sql, (member, by)| {
                sql.push(["count_", member, " = count_", member, " + "]).bind(*by);
            });
            if let Some(by) = changes.get("direct_report_users").filter(|_| table == MANAGERS) {
                sql.push(", is_manager = (count_direct_report_users + ")
                    .bind(*by)
                    .push(" > 0)");
            }
            connection.execute(sql.push(" WHERE id = ").bind(id))?;
        }
        Ok(())
    }
}

fn read<'w>(
    connection: &Connection,
    watched: &'w Watched,
    table: &'static str,
    key: &Fields,
) -> Result<Option<Row<'w>>> {
    let columns = &watched.columns;
    let mut sql = Sql::new("SELECT ");
    sql.push_list(columns).push([" FROM ", table]);
    key.push_where(&mut sql);
    connection.first(&sql, |cells| {
        let values = columns.iter().map(|_| cells.value()).collect::<Result<_>>()?;
        Ok(Row { columns, values })
    })
}

/// Whether another row than the one with this id links the two.
fn is_linked_otherwise(
    connection: &Connection,
    path: &JoinPath,
    (ours, theirs): (&Value, &Value),
    id: Option<&str>,
) -> Result<bool> {
    let mut sql = Sql::new(["SELECT 1 FROM ", path.table, " x WHERE x.", path.ours, " = "]);
    sql.bind(ours.clone())
        .push([" AND x.", path.theirs, " = "])
        .bind(theirs.clone());
    if let Some(id) = id {
        sql.push(" AND x.id <> ").bind(id);
    }
    path.scope.push_recorded(&mut sql, "x");
    sql.push(" LIMIT 1");
    Ok(connection.first(&sql, |_| Ok(()))?.is_some())
}

/// How many rows are linked by a key.
fn linked(connection: &Connection, rows: &RowSet, path: &JoinPath, key: &Value) -> Result<i64> {
    let mut sql = Sql::new([
        "SELECT count(*) FROM ",
        rows.table,
        " c WHERE c.deleted_at IS NULL AND c.",
    ]);
    sql.push([path.key, " = "]).bind(key.clone());
    rows.scope.push_recorded(&mut sql, "c");
    Ok(connection.first(&sql, |cells| cells.int())?.unwrap_or_default())
}

/// The records that a row with this key is linked to.
fn owners(connection: &Connection, path: &JoinPath, key: Value) -> Result<Vec<Value>> {
    let mut sql = Sql::new(["SELECT DISTINCT x.", path.theirs, " FROM ", path.table]);
    sql.push([" x WHERE x.", path.ours, " = "]).bind(key);
    path.scope.push_recorded(&mut sql, "x");
    connection.query(&sql, |cells| cells.value())
}
