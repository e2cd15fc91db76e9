//! The same rows by bare SQL: prepared once, every cell read and owned, nothing else done.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

/// A connection with the server's settings.
pub(crate) struct Bare(Connection);

impl Bare {
    pub(crate) fn open(file: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.pragma_update(None, "cache_size", -65_536)?;
        connection.pragma_update(None, "mmap_size", 1_i64 << 30)?;
        Ok(Self(connection))
    }

    /// Runs statements one after the other; gives the rows of the first.
    pub(crate) fn run(&self, statements: &[String]) -> rusqlite::Result<usize> {
        let mut counts = Vec::new();
        for statement in statements {
            let mut statement = self.0.prepare_cached(statement)?;
            let width = statement.column_count();
            let mut rows = statement.query([])?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                for column in 0..width {
                    std::hint::black_box(row.get::<_, Value>(column)?);
                }
                count += 1;
            }
            counts.push(count);
        }
        Ok(counts.first().copied().unwrap_or_default())
    }
}
