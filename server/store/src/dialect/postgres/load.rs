//! Rows on their way into tables, many at a time: `COPY` takes a tenth of the time of a statement for each.

use std::cell::RefCell;

use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::{ToSql, Type};

use super::{Driver, Session};
use crate::error::Result;
use crate::schema::schema_tables;
use crate::sql::{Name, Sql, Value};

/// How many rows are gathered.
const MOST_ROWS: usize = 5_000;

/// Rows that the server does not have yet.
#[derive(Default)]
pub(super) struct Gathered(RefCell<Vec<Rows>>);

/// Rows of one table with values in the same columns.
struct Rows {
    table: &'static str,
    columns: Vec<Name>,
    rows: Vec<Vec<Value>>,
}

impl Gathered {
    /// Forgets them: their transaction, or the part of it they belong to, is undone.
    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }
}

impl Driver {
    /// Adds a row, which the server has before it gets the next statement.
    pub(in crate::dialect) fn load(
        &self,
        table: &'static str,
        columns: &[Name],
        row: Vec<Value>,
    ) -> Result<()> {
        let mut gathered = self.gathered.0.borrow_mut();
        let same = |rows: &&mut Rows| rows.table == table && rows.columns == columns;
        match gathered.iter_mut().find(same) {
            Some(known) => known.rows.push(row),
            None => gathered.push(Rows {
                table,
                columns: columns.to_vec(),
                rows: vec![row],
            }),
        }
        let count: usize = gathered.iter().map(|known| known.rows.len()).sum();
        drop(gathered);
        match count < MOST_ROWS {
            true => Ok(()),
            false => self.flush(),
        }
    }

    /// Hands over the rows that were gathered: a table behind those that it refers to.
    pub(super) fn flush(&self) -> Result<()> {
        let mut gathered = self.gathered.0.take();
        if gathered.is_empty() {
            return Ok(());
        }
        gathered.sort_by_key(|rows| schema_tables().position(|table| table == rows.table));
        self.with(|session| gathered.iter().try_for_each(|rows| session.copy(rows)))
    }
}

impl Session {
    fn copy(&mut self, rows: &Rows) -> std::result::Result<(), postgres::Error> {
        let Rows { table, columns, rows } = rows;
        let columns = || columns.iter().copied();
        let mut select = Sql::new("SELECT ");
        select.push_list(columns()).push([" FROM ", table]);
        let statement = self.statement(select.text())?;
        let types: Vec<Type> = statement
            .columns()
            .iter()
            .map(|column| column.type_().clone())
            .collect();
        let mut copy = Sql::new(["COPY ", table, " ("]);
        copy.push_list(columns()).push(") FROM STDIN BINARY");
        let mut writer = BinaryCopyInWriter::new(self.client.copy_in(copy.text())?, &types);
        for row in rows {
            let values: Vec<&(dyn ToSql + Sync)> =
                row.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
            writer.write(&values)?;
        }
        writer.finish().map(drop)
    }
}
