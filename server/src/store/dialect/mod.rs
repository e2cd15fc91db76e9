//! The database: the only file that names one. Portable SQL goes in, rows come out; what two databases would spell
//! differently (a serial key, the search index, a look into a text) is spelled here.

mod cells;
mod search;
mod transaction;

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection as Sqlite, OpenFlags, StatementStatus, ToSql, params_from_iter};

pub use cells::Cells;
pub use search::{SEARCH_CHARS, push_candidates, push_scan, push_search};
pub use transaction::Span;
use transaction::{Watch, watch};

use crate::private_file;
use crate::store::sql::{Sql, Value};
use crate::store::{Error, Result};

/// Spelling of a key that numbers the rows of a table.
const SERIAL: &str = "INTEGER PRIMARY KEY";

/// What names a row of a table, whatever its columns.
pub const ROW: &str = "rowid";

/// How many statements a connection keeps prepared: every page of every list in a few orders.
const PREPARED: usize = 256;

/// Memory for pages of the file, in negative KiB.
const CACHE: i64 = -65_536;

/// How much of the file is mapped into memory, in bytes: what is read from there is not copied.
const MAPPED: i64 = 1 << 30;

/// What an acknowledged change survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Durability {
    /// That the machine loses power.
    #[default]
    PowerCut,
    /// That the program ends, in whatever way.
    Crash,
}

impl Durability {
    fn synchronous(self) -> &'static str {
        match self {
            Self::PowerCut => "FULL",
            Self::Crash => "NORMAL",
        }
    }
}

/// One connection. Not shared: each thread of the store has its own.
pub struct Connection {
    sqlite: Sqlite,
    watch: Arc<Mutex<Watch>>,
    statements: Arc<AtomicU64>,
    steps: Cell<u64>,
}

impl Connection {
    /// Opens the file for writing; where there is none, makes one that only its owner can read. SQLite gives the two files
    /// beside it the same mode.
    pub fn writer(file: &Path) -> Result<Self> {
        let file = absolute(file)?;
        match private_file::create_new(&file) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(unavailable(&error)),
            Ok(_) | Err(_) => {}
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Self::prepared(Sqlite::open_with_flags(file, flags)?)?;
        // A file of another program is left as it is; whoever migrates it is told.
        if connection.schema_version()? > 0 || !connection.has_tables()? {
            connection.sqlite.pragma_update(None, "journal_mode", "WAL")?;
        }
        Ok(connection)
    }

    /// Opens the file for reading. A file on a read-only disk is read as it is.
    pub fn reader(file: &Path) -> Result<Self> {
        let file = absolute(file)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Sqlite::open_with_flags(&file, flags).map_err(Error::from);
        let opened = opened.and_then(Self::prepared).and_then(|connection| {
            connection.schema_version()?;
            Ok(connection)
        });
        match opened {
            // SQLite coordinates the readers of a write-ahead log in a file beside it, which cannot be made here.
            Err(Error::Unavailable(_)) if !has_log(&file) => {
                let uri = format!("file:{}?immutable=1", percent_encoded(&file));
                Self::prepared(Sqlite::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?)
            }
            Err(Error::Unavailable(why)) if file.exists() => Err(Error::Unavailable(format!(
                "{why}: its last changes are in the file with -wal at the end of its name, and to read that, SQLite writes \
                 into the folder; copy both files to a folder that can be written"
            ))),
            opened => opened,
        }
    }

    /// A store that is gone with its connection.
    #[cfg(test)]
    pub fn in_memory() -> Result<Self> {
        Self::prepared(Sqlite::open_in_memory()?)
    }

    fn prepared(mut sqlite: Sqlite) -> Result<Self> {
        sqlite.busy_timeout(Duration::from_secs(10))?;
        sqlite.pragma_update(None, "synchronous", Durability::default().synchronous())?;
        sqlite.pragma_update(None, "foreign_keys", true)?;
        sqlite.pragma_update(None, "cache_size", CACHE)?;
        sqlite.pragma_update(None, "mmap_size", MAPPED)?;
        sqlite.pragma_update(None, "temp_store", "MEMORY")?;
        // A statement keeps its plan whatever is bound to it; else it would be planned anew for each value.
        sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        sqlite.set_prepared_statement_cache_capacity(PREPARED);
        let watch = watch(&mut sqlite)?;
        Ok(Self {
            sqlite,
            watch,
            statements: Arc::default(),
            steps: Cell::default(),
        })
    }

    /// Says what a commit waits for from now on.
    pub fn set_durability(&self, durability: Durability) -> Result<()> {
        Ok(self
            .sqlite
            .pragma_update(None, "synchronous", durability.synchronous())?)
    }

    /// How many statements it has run, counted on while it lives.
    pub fn statements(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.statements)
    }

    /// How many steps its queries have taken: a measure of their work that does not depend on the machine.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    fn statement(&self, text: &str) -> Result<CachedStatement<'_>> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        Ok(self.sqlite.prepare_cached(text)?)
    }

    /// Runs a query, reading each row.
    pub fn query<T>(
        &self,
        sql: &Sql,
        mut read: impl FnMut(&mut Cells<'_, '_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut read_rows = Vec::new();
        self.visit(sql, |cells| {
            read_rows.push(read(cells)?);
            Ok(true)
        })?;
        Ok(read_rows)
    }

    /// Runs a query and looks at each row until one says that it is the last one to look at.
    pub fn visit(&self, sql: &Sql, mut look: impl FnMut(&mut Cells<'_, '_>) -> Result<bool>) -> Result<()> {
        let mut statement = self.statement(sql.text())?;
        let mut rows = statement.query(params_from_iter(sql.values()))?;
        while let Some(row) = rows.next()? {
            if !look(&mut Cells { row, next: 0 })? {
                break;
            }
        }
        drop(rows);
        let steps = statement.reset_status(StatementStatus::VmStep);
        self.steps
            .update(|before| before + u64::from(steps.unsigned_abs()));
        Ok(())
    }

    /// The first row, if there is one.
    pub fn first<T>(
        &self,
        sql: &Sql,
        mut read: impl FnMut(&mut Cells<'_, '_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut first = None;
        self.visit(sql, |cells| {
            first = Some(read(cells)?);
            Ok(false)
        })?;
        Ok(first)
    }

    /// Runs a statement; gives the number of rows it changed.
    pub fn execute(&self, sql: &Sql) -> Result<usize> {
        Ok(self
            .statement(sql.text())?
            .execute(params_from_iter(sql.values()))?)
    }

    /// Runs several statements, each ended by a semicolon. `{serial}` becomes this database's numbering key.
    pub fn script(&self, text: &str) -> Result<()> {
        Ok(self.sqlite.execute_batch(&text.replace("{serial}", SERIAL))?)
    }

    /// Whether there is anything in the file, ours or not.
    pub fn has_tables(&self) -> Result<bool> {
        Ok(self
            .first(&Sql::new("SELECT 1 FROM sqlite_schema LIMIT 1"), |cells| {
                cells.int()
            })?
            .is_some())
    }

    /// Version of the schema, 0 for a new file.
    pub fn schema_version(&self) -> Result<i64> {
        Ok(self
            .sqlite
            .pragma_query_value(None, "user_version", |row| row.get(0))?)
    }

    /// Sets the version of the schema.
    pub fn set_schema_version(&self, version: i64) -> Result<()> {
        Ok(self.sqlite.pragma_update(None, "user_version", version)?)
    }

    /// Fills a new file that nobody else has open: a third faster, and without a log as long as the file. Should the program
    /// die meanwhile, the file is of no use.
    pub fn loading<T>(&self, work: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let modes = |journal: &str, synchronous: &str, mapped: i64| -> Result<()> {
            self.sqlite.pragma_update(None, "journal_mode", journal)?;
            self.sqlite.pragma_update(None, "synchronous", synchronous)?;
            Ok(self.sqlite.pragma_update(None, "mmap_size", mapped)?)
        };
        // Mapped, all that was written would count as memory of the program.
        modes("MEMORY", "OFF", 0)?;
        let done = work(self);
        modes("WAL", Durability::default().synchronous(), MAPPED).and(done)
    }

    /// Lets the database learn how its values are distributed. Cheap where little has changed.
    pub fn analyze(&self) -> Result<()> {
        Ok(self
            .sqlite
            .execute_batch("PRAGMA analysis_limit = 1000; ANALYZE;")?)
    }
}

/// The path from the root: SQLite takes `:memory:` and `file:…` for something else than the name of a file.
fn absolute(file: &Path) -> Result<PathBuf> {
    std::path::absolute(file).map_err(|error| unavailable(&error))
}

fn unavailable(error: &io::Error) -> Error {
    Error::Unavailable(error.to_string())
}

/// Whether changes are in the write-ahead log beside the file and not in the file.
fn has_log(file: &Path) -> bool {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log)
        .metadata()
        .is_ok_and(|metadata| metadata.len() > 0)
}

/// The path as it stands in a URI.
fn percent_encoded(file: &Path) -> String {
    let bytes = file.as_os_str().as_encoded_bytes();
    let encoded = bytes.iter().map(|byte| match byte {
        b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    encoded.collect()
}

/// Begins a statement with a table `o` that has a row for each id, numbered from 0.
pub fn push_numbered(sql: &mut Sql, ids: &[&str]) {
    sql.push("WITH o (number, id) AS (SELECT key, value FROM json_each(")
        .bind(serde_json::json!(ids).to_string())
        .push("))");
}

/// Adds ` IN …` these numbers, as one value.
pub fn push_in_numbers(sql: &mut Sql, numbers: &[i64]) {
    sql.push(" IN (SELECT value FROM json_each(")
        .bind(serde_json::json!(numbers).to_string())
        .push("))");
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Bool(flag) => ValueRef::Integer(i64::from(*flag)),
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        match error.sqlite_error_code() {
            Some(Code::OperationInterrupted) => Self::Abandoned,
            Some(Code::NotADatabase | Code::DatabaseCorrupt) => Self::Corrupt(error.to_string()),
            Some(
                Code::CannotOpen
                | Code::ReadOnly
                | Code::DiskFull
                | Code::SystemIoFailure
                | Code::PermissionDenied
                | Code::DatabaseBusy
                | Code::DatabaseLocked,
            ) => Self::Unavailable(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}
