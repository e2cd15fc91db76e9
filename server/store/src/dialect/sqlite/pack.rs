//! A function of SQL that makes one value of many cells. SQLite hands over a row cell by cell, and each cell takes several
//! calls, which cost more than to read the cell from the file. A function gets all of its arguments at once.
//!
//! A packed row is its texts one after the other, which are checked to be UTF-8 once for the row; then a head for each cell;
//! then the length of the heads.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection as Sqlite, Error as Refused, ToSql};

use crate::dialect::cell::Cell;
use crate::error::{Error, Result};

/// The name of the function.
pub(super) const NAME: &str = "pack";

/// Heads of cells. A greater one is a small number: most numbers of a row are counts, and most counts are small.
const NULL: u8 = 0;
/// Eight bytes of a number follow.
const INT: u8 = 1;
/// Four bytes follow, which are the length of a text.
const TEXT: u8 = 2;
/// The head of the number 0.
const ZERO: u8 = 3;

/// The most bytes of a row whose memory is kept for the next one.
const MOST_KEPT: usize = 64 * 1024;

/// A packed row whose first cells have been taken.
#[derive(Clone, Copy)]
pub(in crate::dialect) struct Packed<'p> {
    heads: &'p [u8],
    texts: &'p str,
}

/// Memory that each row is packed in.
#[derive(Default)]
struct Memory {
    row: Vec<u8>,
    heads: Vec<u8>,
}

/// A row on its way to SQLite, which copies it. Then its memory is free for the next row.
struct OutgoingRow {
    memory: Memory,
    home: Arc<Mutex<Memory>>,
}

impl Drop for OutgoingRow {
    fn drop(&mut self) {
        if self.memory.row.len() <= MOST_KEPT {
            *lock(&self.home) = mem::take(&mut self.memory);
        }
    }
}

impl ToSql for OutgoingRow {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(&self.memory.row)))
    }
}

/// Lets statements of this connection pack cells.
pub(super) fn register(sqlite: &Sqlite) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let home: Arc<Mutex<Memory>> = Arc::default();
    sqlite.create_scalar_function(NAME, -1, flags, move |cells| {
        let mut outgoing = OutgoingRow {
            memory: mem::take(&mut *lock(&home)),
            home: Arc::clone(&home),
        };
        pack(cells, &mut outgoing.memory)?;
        Ok(outgoing)
    })
}

fn lock(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pack(cells: &Context<'_>, Memory { row, heads }: &mut Memory) -> rusqlite::Result<()> {
    row.clear();
    heads.clear();
    for place in 0..cells.len() {
        match cells.get_raw(place) {
            ValueRef::Null => heads.push(NULL),
            ValueRef::Integer(number) => match small(number) {
                Some(head) => heads.push(head),
                None => {
                    heads.push(INT);
                    heads.extend_from_slice(&number.to_le_bytes());
                }
            },
            ValueRef::Text(text) => {
                let too_long = || Refused::InvalidFunctionParameterType(place, Type::Text);
                let length = u32::try_from(text.len()).map_err(|_| too_long())?;
                heads.push(TEXT);
                heads.extend_from_slice(&length.to_le_bytes());
                row.extend_from_slice(text);
            }
            other => return Err(Refused::InvalidFunctionParameterType(place, other.data_type())),
        }
    }
    row.extend_from_slice(heads);
    // A function has a thousand arguments at most.
    let length = u32::try_from(heads.len()).unwrap_or_default();
    row.extend_from_slice(&length.to_le_bytes());
    Ok(())
}

/// The head that is this number.
fn small(number: i64) -> Option<u8> {
    u8::try_from(number).ok()?.checked_add(ZERO)
}

impl<'p> Packed<'p> {
    /// A row that [`pack`] has made.
    pub(super) fn of(row: &'p [u8]) -> Result<Self> {
        let (rest, length) = row.split_last_chunk().ok_or_else(broken)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| broken())?;
        let end = rest.len().checked_sub(length).ok_or_else(broken)?;
        let (texts, heads) = rest.split_at(end);
        let texts = str::from_utf8(texts).map_err(|why| Error::Corrupt(why.to_string()))?;
        Ok(Self { heads, texts })
    }

    /// The next cell.
    pub(in crate::dialect) fn take(&mut self) -> Result<Cell<'p>> {
        let (head, rest) = self.heads.split_first().ok_or_else(broken)?;
        self.heads = rest;
        Ok(match *head {
            NULL => Cell::Null,
            INT => Cell::Int(i64::from_le_bytes(self.chunk()?)),
            TEXT => {
                let length = usize::try_from(u32::from_le_bytes(self.chunk()?)).map_err(|_| broken())?;
                let (text, rest) = self.texts.split_at_checked(length).ok_or_else(broken)?;
                self.texts = rest;
                Cell::Text(text)
            }
            small => Cell::Int(i64::from(small - ZERO)),
        })
    }

    /// The next cells, if all of them are small numbers.
    pub(in crate::dialect) fn take_small(
        &mut self,
        many: usize,
    ) -> Option<impl Iterator<Item = i64> + use<'p>> {
        let (heads, rest) = self.heads.split_at_checked(many)?;
        if !heads.iter().fold(true, |all, head| all & (*head >= ZERO)) {
            return None;
        }
        self.heads = rest;
        Some(heads.iter().map(|head| i64::from(head - ZERO)))
    }

    fn chunk<const BYTES: usize>(&mut self) -> Result<[u8; BYTES]> {
        let (chunk, rest) = self.heads.split_first_chunk().ok_or_else(broken)?;
        self.heads = rest;
        Ok(*chunk)
    }
}

fn broken() -> Error {
    Error::Corrupt("a packed row is broken off".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::params_from_iter;
    use rusqlite::types::Value;

    use super::*;

    /// A row that has been through SQLite.
    fn packed(values: &[Value]) -> Vec<u8> {
        let sqlite = Sqlite::open_in_memory().unwrap();
        register(&sqlite).unwrap();
        let places = vec!["?"; values.len()].join(", ");
        let sql = format!("SELECT {NAME}({places})");
        sqlite
            .query_row(&sql, params_from_iter(values), |row| row.get(0))
            .unwrap()
    }

    fn values() -> impl Strategy<Value = Vec<Value>> {
        let number = prop_oneof![Just(252), Just(253), Just(-1), 0..300_i64, any::<i64>()];
        let value = prop_oneof![
            Just(Value::Null),
            number.prop_map(Value::Integer),
            "[a-zéß€😀\"\\\\ ]{0,12}".prop_map(Value::Text),
        ];
        prop::collection::vec(value, 0..90)
    }

    proptest! {
        #[test]
        fn the_cells_of_a_packed_row_are_those_that_were_packed(values in values()) {
            let row = packed(&values);
            let mut cells = Packed::of(&row).unwrap();
            for value in &values {
                let expected = match value {
                    Value::Integer(number) => Cell::Int(*number),
                    Value::Text(text) => Cell::Text(text),
                    _ => Cell::Null,
                };
                prop_assert_eq!(cells.take().unwrap(), expected);
            }
            prop_assert!(cells.take().is_err());
        }

        #[test]
        fn several_small_numbers_are_taken_at_once_or_not_at_all(
            numbers in prop::collection::vec(prop_oneof![5 => 0..253_i64, 1 => any::<i64>()], 0..9),
            many in 0..12_usize,
        ) {
            let values: Vec<Value> = numbers.iter().copied().map(Value::Integer).collect();
            let row = packed(&values);
            let mut cells = Packed::of(&row).unwrap();
            let asked = numbers.get(..many).filter(|asked| asked.iter().all(|number| small(*number).is_some()));
            let taken = cells.take_small(many).map(Iterator::collect::<Vec<_>>);
            prop_assert_eq!(taken.as_deref(), asked);
            let rest = &numbers[asked.map_or(0, <[i64]>::len)..];
            for number in rest {
                prop_assert_eq!(cells.take().unwrap(), Cell::Int(*number));
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(row in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(mut cells) = Packed::of(&row) {
                while cells.take().is_ok() {}
            }
        }
    }

    #[test]
    fn what_no_column_of_ours_has_is_refused() {
        let sqlite = Sqlite::open_in_memory().unwrap();
        register(&sqlite).unwrap();
        for value in ["1.5", "x'00'"] {
            let sql = format!("SELECT {NAME}({value})");
            assert!(
                sqlite
                    .query_row(&sql, [], |row| row.get::<_, Vec<u8>>(0))
                    .is_err(),
                "{value}"
            );
        }
    }
}
