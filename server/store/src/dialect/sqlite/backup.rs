//! A copy of the whole database, by SQLite's online backup.

use std::path::Path;
use std::time::Duration;

use rusqlite::OpenFlags;
use rusqlite::backup::{Backup, StepResult};

use super::{Driver, Sqlite};
use crate::error::{Error, Result};

/// How long the copy waits when another program has the lock.
const WAIT: Duration = Duration::from_millis(50);

impl Driver {
    /// Copies the database into `file`, which is empty or replaced, in one step: what the copy shows was committed at one
    /// time, and a writer is not waited for and does not wait.
    pub(in crate::dialect) fn copy_to(&self, file: &Path) -> Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Sqlite::open_with_flags(file, flags)?;
        {
            let backup = Backup::new(&self.sqlite, &mut copy)?;
            loop {
                match backup.step(-1)? {
                    StepResult::Done => break,
                    StepResult::Busy | StepResult::Locked => std::thread::sleep(WAIT),
                    _ => {}
                }
            }
        }
        // The copy takes over that the database has a log beside it; a backup is a single file.
        copy.pragma_update(None, "journal_mode", "DELETE")?;
        let sound: String = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        match sound.as_str() {
            "ok" => Ok(()),
            fault => Err(Error::Corrupt(fault.to_owned())),
        }
    }
}
