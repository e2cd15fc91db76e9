//! Whether the store can do its work. It is asked on a connection of its own, so that no query and no change is waited for.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::store::dialect::{Connection, Span};
use crate::store::sql::Sql;
use crate::store::{Error, Result};

/// The least free space with which a change is likely to find a place, in bytes.
const LEAST_SPACE: u64 = 4 * 1024 * 1024;

/// Why the store cannot do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// The file is gone, or another one has its name: what is changed now is lost with the server.
    #[error("the database file is gone")]
    FileIsGone,
    /// Changes are refused; reading goes on.
    #[error("the disk is full")]
    DiskIsFull,
    /// The database does not answer.
    #[error("the database does not answer")]
    NoAnswer,
}

/// The file of a store, watched.
pub(super) struct Readiness {
    file: PathBuf,
    identity: Option<Identity>,
    connection: Mutex<Connection>,
}

/// What a file is, whatever its name.
type Identity = (u64, u64);

impl Readiness {
    pub(super) fn of(file: &Path) -> Result<Self> {
        Ok(Self {
            connection: Mutex::new(Connection::reader(file)?),
            identity: identity(file),
            file: file.to_owned(),
        })
    }

    /// Whether the store can do its work now.
    pub(super) fn check(&self) -> std::result::Result<(), Unready> {
        // It is not opened to look at it: SQLite would lose its locks when it is closed again.
        if self.identity.is_none() || identity(&self.file) != self.identity {
            return Err(Unready::FileIsGone);
        }
        if has_no_space(fs4::available_space(&self.file).ok()) {
            return Err(Unready::DiskIsFull);
        }
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = connection.transaction_within(Span::Short, false, |connection| {
            connection.first(&Sql::new("SELECT 1 FROM workspace_users LIMIT 1"), |_| Ok(()))
        });
        answer.map(drop).map_err(|_: Error| Unready::NoAnswer)
    }
}

/// Where nobody can say how much space there is, there is some.
fn has_no_space(available: Option<u64>) -> bool {
    available.is_some_and(|available| available < LEAST_SPACE)
}

#[cfg(unix)]
fn identity(file: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = file.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(file: &Path) -> Option<Identity> {
    file.metadata().ok().map(|_| (0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_one_without_room_for_a_change() {
        assert!(has_no_space(Some(0)));
        assert!(has_no_space(Some(LEAST_SPACE - 1)));
        assert!(!has_no_space(Some(LEAST_SPACE)));
        assert!(!has_no_space(None));
    }
}
