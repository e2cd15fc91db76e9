//! The cells of a row.

use rollcall::Timestamp;

use super::cell::Cell;
use super::sqlite::Packed;
use crate::error::{Error, Result};
use crate::sql::Value;

/// A row of either database, or a group of cells of it.
#[derive(Clone, Copy)]
pub(super) enum Row<'r, 's> {
    Sqlite(&'r rusqlite::Row<'s>),
    Packed(Packed<'r>),
    Postgres(&'r postgres::Row),
}

/// The cells of a row, read from left to right.
pub struct Cells<'r, 's> {
    row: Row<'r, 's>,
    next: usize,
}

impl<'r, 's> Cells<'r, 's> {
    pub(super) fn of(row: Row<'r, 's>) -> Self {
        Self { row, next: 0 }
    }

    fn cell(&mut self) -> Result<Cell<'_>> {
        let place = self.next;
        self.next += 1;
        match &mut self.row {
            Row::Sqlite(row) => super::sqlite::cell(row, place),
            Row::Packed(cells) => cells.take(),
            Row::Postgres(row) => super::postgres::cell(row, place),
        }
    }

    fn wrong(&self, what: &str) -> Error {
        Error::Corrupt(format!("no {what} in column {}", self.next - 1))
    }

    /// The next `width` cells, which a statement has between `{cells}` and `{end}`.
    pub fn group(&mut self, width: usize) -> Result<Cells<'r, 's>> {
        let place = self.next;
        match self.row {
            Row::Sqlite(row) => {
                self.next += 1;
                Ok(Cells::of(Row::Packed(super::sqlite::packed(row, place)?)))
            }
            row @ (Row::Postgres(_) | Row::Packed(_)) => {
                self.next += width;
                Ok(Cells { row, next: place })
            }
        }
    }

    /// A number.
    pub fn int(&mut self) -> Result<i64> {
        self.int_or_null()?.ok_or_else(|| self.wrong("number"))
    }

    /// A number or null. A boolean is 0 or 1.
    pub fn int_or_null(&mut self) -> Result<Option<i64>> {
        match self.cell()? {
            Cell::Null => Ok(None),
            Cell::Int(number) => Ok(Some(number)),
            Cell::Bool(flag) => Ok(Some(i64::from(flag))),
            Cell::Text(_) => Err(self.wrong("number")),
        }
    }

    /// Adds the next `many` numbers.
    pub fn ints(&mut self, many: usize, numbers: &mut Vec<i64>) -> Result<()> {
        if let Row::Packed(cells) = &mut self.row
            && let Some(small) = cells.take_small(many)
        {
            numbers.extend(small);
            self.next += many;
            return Ok(());
        }
        for _ in 0..many {
            numbers.push(self.int()?);
        }
        Ok(())
    }

    /// A boolean.
    pub fn flag(&mut self) -> Result<bool> {
        Ok(self.int()? != 0)
    }

    /// Text.
    pub fn text(&mut self) -> Result<&str> {
        let place = self.next;
        self.text_or_null()?
            .ok_or_else(|| Error::Corrupt(format!("null in column {place}")))
    }

    /// Text or null.
    pub fn text_or_null(&mut self) -> Result<Option<&str>> {
        let place = self.next;
        match self.cell()? {
            Cell::Null => Ok(None),
            Cell::Text(text) => Ok(Some(text)),
            Cell::Int(_) | Cell::Bool(_) => Err(Error::Corrupt(format!("no text in column {place}"))),
        }
    }

    /// Any value, as it would be bound. A boolean is 0 or 1.
    pub fn value(&mut self) -> Result<Value> {
        Ok(match self.cell()? {
            Cell::Null => Value::Null,
            Cell::Bool(flag) => Value::Int(i64::from(flag)),
            Cell::Int(number) => Value::Int(number),
            Cell::Text(text) => Value::Text(text.to_owned()),
        })
    }

    /// Owned text.
    pub fn string(&mut self) -> Result<String> {
        self.text().map(str::to_owned)
    }

    /// Owned text or null.
    pub fn string_or_null(&mut self) -> Result<Option<String>> {
        Ok(self.text_or_null()?.map(str::to_owned))
    }

    /// A timestamp.
    pub fn timestamp(&mut self) -> Result<Timestamp> {
        self.timestamp_or_null()?.ok_or_else(|| self.wrong("timestamp"))
    }

    /// JSON of the contract's own making.
    pub fn json<T: serde::de::DeserializeOwned>(&mut self) -> Result<T> {
        serde_json::from_str(self.text()?).map_err(|why| Error::Corrupt(why.to_string()))
    }

    /// A timestamp or null.
    pub fn timestamp_or_null(&mut self) -> Result<Option<Timestamp>> {
        let micros = self.int_or_null()?;
        let timestamp = |micros| {
            Timestamp::from_micros(micros).ok_or_else(|| Error::Corrupt(format!("{micros} is no timestamp")))
        };
        micros.map(timestamp).transpose()
    }
}
