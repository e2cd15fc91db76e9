//! SQLite: a database in a file, within this process.

mod backup;
mod files;
mod pack;
mod search;
mod watch;

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection as Sqlite, OpenFlags, StatementStatus, ToSql, params_from_iter};

use super::Durability;
use super::cell::Cell;
use super::spelling::spelled;
use crate::error::{Error, FileFault, Result};
use crate::private_file;
use crate::sql::{Sql, Value};
use files::OpenFiles;
pub(super) use pack::Packed;
use watch::{Watch, watch};

/// How many statements a connection keeps prepared: every page of every list in a few orders.
const PREPARED: usize = 256;

/// Memory for pages of the file, in negative KiB.
const CACHE: i64 = -65_536;

/// The same for a transaction that writes a large part of the file: pages that find no place are written before its end, and
/// looked for in the log.
const LARGE_CACHE: i64 = 4 * CACHE;

/// How much of the file is mapped into memory, in bytes: what is read from there is not copied.
const MAPPED: i64 = 1 << 30;

fn synchronous(durability: Durability) -> &'static str {
    match durability {
        Durability::PowerCut => "FULL",
        Durability::Crash => "NORMAL",
    }
}

/// The words of `spelling.rs`.
fn spell(name: &str, argument: &str) -> Option<String> {
    Some(match name {
        "serial" => "INTEGER PRIMARY KEY".to_owned(),
        "by_key" => " WITHOUT ROWID".to_owned(),
        "row" => "rowid".to_owned(),
        "unused" => "+".to_owned(),
        "contains" => format!("instr({argument}) > 0"),
        "cells" => [pack::NAME, "("].concat(),
        "end" => ")".to_owned(),
        "join" => "CROSS JOIN".to_owned(),
        "least" => format!("min({argument})"),
        "numbered" => format!("SELECT key, value FROM json_each({argument})"),
        _ => return None,
    })
}

/// A connection to a file.
pub(super) struct Driver {
    sqlite: Sqlite,
    watch: Arc<Mutex<Watch>>,
    /// None if it only reads, and for a store in memory.
    files: Option<OpenFiles>,
}

impl Driver {
    /// Opens the file for writing; where there is none, makes one that only its owner can read. SQLite gives the two files
    /// beside it the same mode.
    pub(super) fn writer(file: &Path) -> Result<Self> {
        let file = absolute(file)?;
        match private_file::create_new(&file) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(unavailable(&error)),
            Ok(_) | Err(_) => {}
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Self::prepared(Sqlite::open_with_flags(&file, flags)?)?;
        // A file of another program is left as it is; the operator who migrates it is told.
        if connection.schema_version()? > 0 || connection.is_empty()? {
            connection.sqlite.pragma_update(None, "journal_mode", "WAL")?;
        }
        connection.watch_files(&file)?;
        Ok(connection)
    }

    /// Opens the file for reading. A file on a read-only disk is read as it is.
    pub(super) fn reader(file: &Path) -> Result<Self> {
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
    pub(super) fn in_memory() -> Result<Self> {
        Self::prepared(Sqlite::open_in_memory()?)
    }

    fn prepared(mut sqlite: Sqlite) -> Result<Self> {
        sqlite.busy_timeout(Duration::from_secs(10))?;
        sqlite.pragma_update(None, "synchronous", synchronous(Durability::default()))?;
        sqlite.pragma_update(None, "foreign_keys", true)?;
        sqlite.pragma_update(None, "cache_size", CACHE)?;
        sqlite.pragma_update(None, "mmap_size", MAPPED)?;
        sqlite.pragma_update(None, "temp_store", "MEMORY")?;
        // A statement keeps its plan whatever is bound to it; else it would be planned anew for each value.
        sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        sqlite.set_prepared_statement_cache_capacity(PREPARED);
        pack::register(&sqlite)?;
        let watch = watch(&mut sqlite)?;
        Ok(Self {
            sqlite,
            watch,
            files: None,
        })
    }

    /// Keeps an eye on the files from now on. The first statement opens them.
    fn watch_files(&mut self, file: &Path) -> Result<()> {
        let files = OpenFiles::of(file);
        self.schema_version()?;
        files.note();
        self.files = Some(files);
        Ok(())
    }

    /// Whether the open files are those at their names.
    pub(super) fn check_files(&self) -> Result<()> {
        let frames = || {
            let in_log = |row: &rusqlite::Row<'_>| row.get::<_, i64>(1);
            let asked = self.sqlite.query_row("PRAGMA wal_checkpoint(NOOP)", [], in_log);
            asked.ok()?.try_into().ok()
        };
        let checked = self.files.as_ref().map_or(Ok(()), |files| files.check(frames));
        if let Err(fault) = checked {
            self.save_changes(fault)?;
        }
        Ok(checked?)
    }

    /// Brings what was acknowledged into the database file, if the log that has it cannot be found again. A log that was cut is left
    /// alone: where it has a hole, SQLite would put the hole into the database.
    fn save_changes(&self, fault: FileFault) -> Result<()> {
        match fault {
            FileFault::DatabaseIsGone | FileFault::LogIsGone if self.sqlite.is_autocommit() => {
                let saved = self
                    .sqlite
                    .query_row("PRAGMA wal_checkpoint(FULL)", [], |row| row.get::<_, i64>(0));
                match (saved, &self.files) {
                    (Ok(0), Some(files)) if fault == FileFault::LogIsGone => files.set_other_log_aside(),
                    // A reader is in the way; the next look tries again.
                    (Ok(_), _) => {}
                    (Err(why), _) => {
                        tracing::error!(%why, "the changes in the write-ahead log could not be saved");
                    }
                }
            }
            FileFault::LogIsCut => {
                self.sqlite.pragma_update(None, "wal_autocheckpoint", 0)?;
                self.sqlite
                    .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            }
            FileFault::DatabaseIsGone | FileFault::LogIsGone | FileFault::IndexIsGone => {}
        }
        Ok(())
    }

    /// Says what a commit waits for from now on.
    pub(super) fn set_durability(&self, durability: Durability) -> Result<()> {
        let synchronous = synchronous(durability);
        Ok(self.sqlite.pragma_update(None, "synchronous", synchronous)?)
    }

    fn statement(&self, text: &str) -> Result<CachedStatement<'_>> {
        Ok(self.sqlite.prepare_cached(&self.spelled(text))?)
    }

    /// The text of a statement in the words of SQLite.
    pub(super) fn spelled<'t>(&self, text: &'t str) -> Cow<'t, str> {
        spelled(text, spell)
    }

    /// Runs a query and looks at each row until one says that it is the last one to look at; how many steps that took.
    pub(super) fn visit(
        &self,
        sql: &Sql,
        mut look: impl FnMut(&rusqlite::Row<'_>) -> Result<bool>,
    ) -> Result<u64> {
        let mut statement = self.statement(sql.text())?;
        let mut rows = statement.query(params_from_iter(sql.values()))?;
        while let Some(row) = rows.next()? {
            if !look(row)? {
                break;
            }
        }
        drop(rows);
        let steps = statement.reset_status(StatementStatus::VmStep);
        Ok(u64::from(steps.unsigned_abs()))
    }

    /// Runs a statement; gives the number of rows it changed.
    pub(super) fn execute(&self, sql: &Sql) -> Result<usize> {
        Ok(self
            .statement(sql.text())?
            .execute(params_from_iter(sql.values()))?)
    }

    /// Runs several statements, each ended by a semicolon.
    pub(super) fn script(&self, text: &str) -> Result<()> {
        Ok(self.sqlite.execute_batch(&self.spelled(text))?)
    }

    fn is_empty(&self) -> Result<bool> {
        Ok(!self.sqlite.prepare(self.any_table())?.exists([])?)
    }

    /// A query that finds a row if there is anything in the file.
    pub(super) fn any_table(&self) -> &'static str {
        "SELECT 1 FROM sqlite_schema LIMIT 1"
    }

    /// The begin of a query of the columns of a table and their places; its end is `) ORDER BY 2`.
    pub(super) fn columns_of(&self) -> &'static str {
        "SELECT name, cid FROM pragma_table_info("
    }

    /// Version of the schema, 0 for a new file.
    pub(super) fn schema_version(&self) -> Result<i64> {
        Ok(self
            .sqlite
            .pragma_query_value(None, "user_version", |row| row.get(0))?)
    }

    /// Sets the version of the schema.
    pub(super) fn set_schema_version(&self, version: i64) -> Result<()> {
        Ok(self.sqlite.pragma_update(None, "user_version", version)?)
    }

    /// Holds more pages in memory from now on.
    pub(super) fn hold_more_pages(&self) -> Result<()> {
        Ok(self.sqlite.pragma_update(None, "cache_size", LARGE_CACHE)?)
    }

    /// Fills a new file: no change of it can be undone until [`Self::end_loading`].
    pub(super) fn begin_loading(&self) -> Result<()> {
        self.files.iter().for_each(OpenFiles::forget);
        // Mapped, all that was written would count as memory of the program.
        self.set_modes("MEMORY", "OFF", 0)
    }

    /// Makes it a file as any other.
    pub(super) fn end_loading(&self) -> Result<()> {
        self.set_modes("WAL", synchronous(Durability::default()), MAPPED)?;
        self.schema_version()?;
        self.files.iter().for_each(OpenFiles::note);
        Ok(())
    }

    fn set_modes(&self, journal: &str, synchronous: &str, mapped: i64) -> Result<()> {
        self.sqlite.pragma_update(None, "journal_mode", journal)?;
        self.sqlite.pragma_update(None, "synchronous", synchronous)?;
        Ok(self.sqlite.pragma_update(None, "mmap_size", mapped)?)
    }

    /// Lets the database learn how its values are distributed. Cheap where little has changed.
    pub(super) fn analyze(&self) -> Result<()> {
        Ok(self
            .sqlite
            .execute_batch("PRAGMA analysis_limit = 1000; ANALYZE;")?)
    }
}

/// What is in a cell of a row.
pub(super) fn cell<'r>(row: &'r rusqlite::Row<'_>, place: usize) -> Result<Cell<'r>> {
    Ok(match row.get_ref(place)? {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Int(number),
        ValueRef::Text(text) => {
            Cell::Text(str::from_utf8(text).map_err(|why| Error::Corrupt(why.to_string()))?)
        }
        other => return Err(Error::Corrupt(format!("unexpected {} value", other.data_type()))),
    })
}

/// The cells that are packed in a cell of a row.
pub(super) fn packed<'r>(row: &'r rusqlite::Row<'_>, place: usize) -> Result<Packed<'r>> {
    match row.get_ref(place)? {
        ValueRef::Blob(cells) => Packed::of(cells),
        other => Err(Error::Corrupt(format!("unexpected {} value", other.data_type()))),
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

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Bool(flag) => ValueRef::Integer(i64::from(*flag)),
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) | Self::Needle(text) => ValueRef::Text(text.as_bytes()),
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
