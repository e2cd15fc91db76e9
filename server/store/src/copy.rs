//! A whole directory from one database to another: rows in the order of their keys, some at a time, and a check at the end.
//! What was interrupted is gone on with: the rows that are there already are not copied again.

use sha2::{Digest as _, Sha256};

use crate::dialect::{Connection, Durability};
use crate::error::{Error, Result};
use crate::migrate::{begin_copy, columns, end_copy};
use crate::schema::{schema_tables, self_references};
use crate::sql::{Name, Sql, Value};
use crate::tables;

/// How many rows are copied in one transaction.
const ROWS_AT_ONCE: i64 = 5_000;

/// What is done to a table just now, for the progress display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its rows are copied.
    Copies,
    /// Its rows on both sides are compared.
    Compares,
}

/// How many rows each table has on both sides.
pub type Copied = Vec<(&'static str, u64)>;

/// A table of the schema, as it is copied.
struct Table {
    name: &'static str,
    /// All columns but those that number the rows: each database numbers its own.
    columns: Vec<&'static str>,
    /// The columns that identify a row, in the order that rows are copied in.
    key: &'static [&'static str],
    /// The columns that refer to rows of the same table, which may come later.
    later: Vec<&'static str>,
}

/// The key of a table, where it is not `id`.
const KEYS: [(&str, &[&str]); 5] = [
    (
        "user_attributes",
        &["directory_user_id", "directory_attribute_id"],
    ),
    ("external_resources", &["directory_user_id", "kind", "name"]),
    ("idempotency_keys", &["token_id", "key"]),
    ("pending_evaluations", &["rule_id"]),
    ("import_names", &["workspace_integration_id", "name"]),
];

impl Table {
    fn of(connection: &Connection, name: &'static str) -> Result<Self> {
        let key = KEYS.iter().find(|(table, _)| *table == name);
        Ok(Self {
            name,
            columns: columns(connection, name)?,
            key: key.map_or(&["id"], |(_, key)| *key),
            later: self_references(name).collect(),
        })
    }

    /// The next rows behind a key.
    fn rows(&self, connection: &Connection, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>> {
        let mut sql = Sql::new("SELECT ");
        sql.push_list(&self.columns).push([" FROM ", self.name]);
        if let Some(after) = after {
            sql.push(" WHERE (").push_list(self.key).push(") > ");
            sql.bind_all(after.to_vec());
        }
        sql.push(" ORDER BY ").push_list(self.key);
        sql.push(" LIMIT ").bind(ROWS_AT_ONCE);
        connection.query(&sql, |cells| self.columns.iter().map(|_| cells.value()).collect())
    }

    fn key_of(&self, row: &[Value]) -> Vec<Value> {
        let place = |key: &str| self.columns.iter().position(|column| *column == key);
        let places = self.key.iter().filter_map(|key| place(key));
        places.map(|place| row[place].clone()).collect()
    }

    /// The greatest key there is.
    fn last_key(&self, connection: &Connection) -> Result<Option<Vec<Value>>> {
        let descending = self.key.iter().map(|key| [key, " DESC"]);
        let mut sql = Sql::new("SELECT ");
        sql.push_list(self.key).push([" FROM ", self.name]);
        sql.push(" ORDER BY ").push_list(descending).push(" LIMIT 1");
        connection.first(&sql, |cells| self.key.iter().map(|_| cells.value()).collect())
    }

    fn each_page(
        &self,
        connection: &Connection,
        mut after: Option<Vec<Value>>,
        mut work: impl FnMut(Vec<Vec<Value>>) -> Result<()>,
    ) -> Result<()> {
        loop {
            let rows = self.rows(connection, after.as_deref())?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after = Some(self.key_of(last));
            work(rows)?;
        }
    }

    fn insert(&self, to: &Connection, rows: Vec<Vec<Value>>) -> Result<()> {
        let columns: Vec<Name> = self.columns.iter().copied().map(Name::Own).collect();
        to.transaction(true, |to| {
            for row in rows {
                let values = row.into_iter().zip(&self.columns);
                let values = values.map(|(value, column)| match self.later.contains(column) {
                    true => Value::Null,
                    false => value,
                });
                to.load(self.name, &columns, values.collect())?;
            }
            Ok(())
        })
    }

    /// Writes the references that were left out.
    fn refer(&self, to: &Connection, rows: &[Vec<Value>]) -> Result<()> {
        let place = |column: &&str| self.columns.iter().position(|known| known == column);
        let later: Vec<usize> = self.later.iter().filter_map(place).collect();
        let refers = |row: &&Vec<Value>| later.iter().any(|place| row[*place] != Value::Null);
        let references = |row: &Vec<Value>| {
            let values = later.iter().map(|place| row[*place].clone());
            self.key_of(row).into_iter().chain(values).collect()
        };
        let referring: Vec<Vec<Value>> = rows.iter().filter(refers).map(references).collect();
        if referring.is_empty() {
            return Ok(());
        }
        let sql = Sql::update_rows(self.name, &self.later, referring);
        to.transaction(true, |to| to.execute(&sql).map(drop))
    }

    /// The number of its rows, and a digest of all of them in order.
    fn digest(&self, connection: &Connection, done: &mut dyn FnMut(usize)) -> Result<(u64, [u8; 32])> {
        let (mut rows_seen, mut digest) = (0, Sha256::new());
        self.each_page(connection, None, |rows| {
            for value in rows.iter().flatten() {
                match value {
                    Value::Null => digest.update([0]),
                    Value::Bool(flag) => digest.update([1, u8::from(*flag)]),
                    Value::Int(number) => {
                        digest.update([2]);
                        digest.update(number.to_be_bytes());
                    }
                    Value::Text(text) | Value::Needle(text) => {
                        digest.update([3]);
                        digest.update(text.len().to_be_bytes());
                        digest.update(text);
                    }
                }
            }
            rows_seen += rows.len() as u64;
            done(rows.len());
            Ok(())
        })?;
        Ok((rows_seen, digest.finalize().into()))
    }
}

/// Whether a database has any row.
pub fn is_empty(connection: &Connection) -> Result<bool> {
    for table in schema_tables() {
        let any = Sql::new(["SELECT 1 FROM ", table, " LIMIT 1"]);
        if connection.first(&any, |_| Ok(()))?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many rows there are in all tables.
pub fn rows(connection: &Connection) -> Result<u64> {
    let mut rows = 0;
    for table in schema_tables() {
        let count = Sql::new(["SELECT count(*) FROM ", table]);
        let count = connection.first(&count, |cells| cells.int())?;
        rows += count.unwrap_or_default().unsigned_abs();
    }
    Ok(rows)
}

/// Copies all rows of one state of `from` that `to` does not have yet, and compares both sides. Tells `watch` about each step
/// and how many rows it has done.
///
/// # Errors
/// [`Error::Failed`] names the tables that differ in the end: something else was written to one of the two.
pub fn copy(
    from: &Connection,
    to: &Connection,
    mut watch: impl FnMut(Step, &'static str, usize),
) -> Result<Copied> {
    begin_copy(to)?;
    // What a power cut undoes is copied again; the last statements below make all of it last.
    to.set_durability(Durability::Crash)?;
    for table in tables::searched() {
        to.drop_search(table.name, table.searched)?;
    }
    let copied = from.transaction(false, |from| {
        let all = schema_tables().map(|name| Table::of(from, name));
        let all = all.collect::<Result<Vec<_>>>()?;
        for table in &all {
            let last = table.last_key(to)?;
            table.each_page(from, last, |rows| {
                let count = rows.len();
                table.insert(to, rows)?;
                watch(Step::Copies, table.name, count);
                Ok(())
            })?;
            if !table.later.is_empty() {
                table.each_page(from, None, |rows| table.refer(to, &rows))?;
            }
        }
        let (mut copied, mut differ) = (Copied::new(), Vec::new());
        for table in &all {
            let ours = table.digest(from, &mut |rows| watch(Step::Compares, table.name, rows))?;
            if table.digest(to, &mut |_| ())? != ours {
                differ.push(table.name);
            }
            copied.push((table.name, ours.0));
        }
        match differ.is_empty() {
            true => Ok(copied),
            false => Err(Error::Failed(format!(
                "the two sides differ in {}; was one of them written to meanwhile?",
                differ.join(", ")
            ))),
        }
    })?;
    to.set_durability(Durability::PowerCut)?;
    for table in tables::searched() {
        to.create_search(table.name, table.searched)?;
    }
    end_copy(to)?;
    // Everything is there. Without this the first queries may be slow.
    if let Err(why) = to.analyze() {
        tracing::warn!(%why, "the database did not learn how its values are distributed");
    }
    Ok(copied)
}
