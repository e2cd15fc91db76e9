//! The cells of a row.

use rollcall::Timestamp;
use rusqlite::types::ValueRef;

use crate::store::sql::Value;
use crate::store::{Error, Result};

/// The cells of a row, read from left to right.
pub struct Cells<'r, 's> {
    pub(super) row: &'r rusqlite::Row<'s>,
    pub(super) next: usize,
}

impl Cells<'_, '_> {
    fn cell(&mut self) -> Result<ValueRef<'_>> {
        let cell = self.row.get_ref(self.next)?;
        self.next += 1;
        Ok(cell)
    }

    /// Passes over so many cells.
    pub fn skip(&mut self, cells: usize) {
        self.next += cells;
    }

    /// A number.
    pub fn int(&mut self) -> Result<i64> {
        let place = self.next;
        self.int_or_null()?
            .ok_or_else(|| Error::Corrupt(format!("null in column {place}")))
    }

    /// A number or null.
    pub fn int_or_null(&mut self) -> Result<Option<i64>> {
        Ok(self.cell()?.as_i64_or_null().map_err(rusqlite::Error::from)?)
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
        Ok(self.cell()?.as_str_or_null().map_err(rusqlite::Error::from)?)
    }

    /// Any value, as it would be bound.
    pub fn value(&mut self) -> Result<Value> {
        Ok(match self.cell()? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Int(number),
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            other => return Err(Error::Corrupt(format!("unexpected {} value", other.data_type()))),
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
    pub fn moment(&mut self) -> Result<Timestamp> {
        self.moment_or_null()?
            .ok_or_else(|| Error::Corrupt("null instead of a timestamp".to_owned()))
    }

    /// JSON of the contract's own making.
    pub fn json<T: serde::de::DeserializeOwned>(&mut self) -> Result<T> {
        serde_json::from_str(self.text()?).map_err(|why| Error::Corrupt(why.to_string()))
    }

    /// A timestamp or null.
    pub fn moment_or_null(&mut self) -> Result<Option<Timestamp>> {
        let micros = self.int_or_null()?;
        let moment = |micros| {
            Timestamp::from_micros(micros).ok_or_else(|| Error::Corrupt(format!("{micros} is no timestamp")))
        };
        micros.map(moment).transpose()
    }
}
