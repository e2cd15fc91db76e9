//! The same rows by bare SQL: prepared once, every cell read, nothing else done.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use super::Result;

/// A connection with the server's settings.
pub(crate) struct Bare(Connection);

impl Bare {
    pub(crate) fn open(file: &Path) -> Result<Self> {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.pragma_update(None, "cache_size", -65_536)?;
        connection.pragma_update(None, "mmap_size", 1_i64 << 30)?;
        Ok(Self(connection))
    }

    /// Microseconds that the statement takes; on one thread they are about its processor time.
    pub(crate) fn micros(&self, statement: &str, time: Duration) -> Result<f64> {
        self.run(statement)?;
        let (began, mut runs) = (Instant::now(), 0);
        while began.elapsed() < time {
            self.run(statement)?;
            runs += 1;
        }
        Ok(began.elapsed().as_secs_f64() * 1e6 / f64::from(runs))
    }

    fn run(&self, statement: &str) -> Result<()> {
        let mut statement = self.0.prepare_cached(statement)?;
        let width = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..width {
                std::hint::black_box(row.get_ref(column)?);
            }
        }
        Ok(())
    }
}
