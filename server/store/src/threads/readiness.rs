//! Whether the store can do its work. It is asked on a connection of its own, so that no query and no change is waited for.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::timeout;

use crate::dialect::{Connection, Database, Span};
use crate::error::{Error, NotStored, Result};
use crate::migrate::missing_schemas;
use crate::sql::Sql;
use crate::threads::workers::Workers;
use crate::threads::writer::Writer;

/// The least free space with which a change is likely to find a place, in bytes.
const LEAST_SPACE: u64 = 4 * 1024 * 1024;

/// What the store can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// All of its work.
    Whole,
    /// Only read, for this reason.
    ReadsOnly(Unready),
}

/// Why the store cannot do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// Changes are refused; reading goes on.
    #[error(transparent)]
    NotStored(NotStored),
    /// Changes are refused; reading goes on.
    #[error("the disk is full")]
    DiskIsFull,
    /// Changes are refused; reading goes on.
    #[error("a change was tried and could not be stored; the log says why")]
    ChangesFail,
    /// A newer program has changed the schema.
    #[error("the database has a newer schema than this server knows; start the newer server")]
    SchemaIsNewer,
    /// The database does not answer.
    #[error("the database does not answer")]
    NoAnswer,
}

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is asked whether it can do its work.
pub(crate) struct Readiness {
    /// The file, if the database is one.
    file: Option<PathBuf>,
    connection: Workers<Connection>,
}

impl Readiness {
    pub(crate) fn of(database: &Database) -> Result<Self> {
        let file = match database {
            Database::File(path) => Some(path.clone()),
            Database::Postgres(_) => None,
        };
        let connection = Connection::writer(database)?;
        Ok(Self {
            connection: Workers::start("readiness", vec![connection]),
            file,
        })
    }

    /// Whether the store can do its work now.
    pub(crate) async fn check(&self) -> std::result::Result<(), Unready> {
        let asked = self.connection.run(|connection, abandoned| {
            let any = Sql::new("SELECT 1 FROM workspace_users LIMIT 1");
            let span = Span::Until(abandoned);
            connection.transaction_within(span, false, |connection| connection.first(&any, |_| Ok(())))?;
            missing_schemas(connection)?;
            // SQLite tells the length of its log outside of a transaction only.
            connection.check_storage()
        });
        match timeout(PATIENCE, asked).await {
            Ok(Ok::<_, Error>(_)) => {}
            Ok(Err(Error::NotStored(why))) => return Err(Unready::NotStored(why)),
            Ok(Err(Error::TooNew { .. })) => return Err(Unready::SchemaIsNewer),
            Ok(Err(_)) | Err(_) => return Err(Unready::NoAnswer),
        }
        let available = self.file.as_ref().map(|file| fs4::available_space(file).ok());
        match has_no_space(available.flatten()) {
            true => Err(Unready::DiskIsFull),
            false => Ok(()),
        }
    }
}

/// Tries a change that changes nothing, if the last one failed or there was none yet: only a change tells whether changes can be
/// stored. The writer makes it, which knows the files that it has open.
pub(crate) async fn try_change(writer: &Writer) -> std::result::Result<(), Unready> {
    if !writer.changes_fail() {
        return Ok(());
    }
    let tried = writer.run(|desk| desk.connection.touch());
    match timeout(PATIENCE, tried).await {
        Ok(Ok::<_, Error>(_)) => {
            writer.changes_succeed();
            Ok(())
        }
        Ok(Err(Error::NotStored(why))) => Err(Unready::NotStored(why)),
        // The disk is full, or cannot be written.
        Ok(Err(Error::Unavailable(_))) => Err(Unready::ChangesFail),
        Ok(Err(_)) => Err(Unready::NoAnswer),
        // Another change is being made.
        Err(_) => Ok(()),
    }
}

/// Where nobody can say how much space there is, there is some.
fn has_no_space(available: Option<u64>) -> bool {
    available.is_some_and(|available| available < LEAST_SPACE)
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
