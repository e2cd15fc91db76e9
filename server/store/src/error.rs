//! Why the store did not do something.

use crate::lifecycle::BadExpiry;

/// Why the store did not do it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is no database of ours, or is damaged.
    #[error("the database is damaged or not one of ours: {0}")]
    Corrupt(String),
    /// The database cannot be opened, read or written just now.
    #[error("the database cannot be used: {0}")]
    Unavailable(String),
    /// A change cannot be stored, or would not be found again; reading goes on. The reason is for callers too.
    #[error("changes cannot be stored: {0}")]
    NotStored(#[from] NotStored),
    /// The server of the database cannot be connected to. The log says when that begins and ends.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The server of the database takes no more connections just now.
    #[error("the database has no free connection: {0}")]
    Full(String),
    /// The database cannot be one of ours, whatever is in it.
    #[error("the database does not fit: {0}")]
    Unfit(String),
    /// The database has not come as far as was asked for; another one is asked instead.
    #[error("the database has not come far enough")]
    Behind,
    /// The file was written by a newer version.
    #[error("the database has schema {found}; this server knows schemas up to {known}")]
    TooNew {
        /// Its version.
        found: i64,
        /// The newest we know.
        known: i64,
    },
    /// A directory was copied into it, and not to the end.
    #[error("a copy into it was not finished; repeat the command `copy` with --resume")]
    UnfinishedCopy,
    /// Nobody waits for the answer any more; nothing was written.
    #[error("nobody waits for the answer any more")]
    Abandoned,
    /// A statement failed; a fault of ours.
    #[error("{0}")]
    Failed(String),
    /// The cursor is not one of ours, or was made for another question.
    #[error("not a cursor of this list under these filters and this sort")]
    BadCursor,
    /// There is no such record.
    #[error("no such record")]
    NotFound,
    /// The state does not allow it.
    #[error("{0}")]
    Illegal(String),
    /// Nobody could undo it: the record is the last workspace user who may restore others.
    #[error("the last workspace user with a token that may restore workspace users")]
    LastWayIn,
    /// The workspace user cannot own a token: it would be refused.
    #[error("{0}")]
    MayNotSignIn(String),
    /// The expiry asked for cannot be.
    #[error("{0:?}")]
    BadExpiry(BadExpiry),
    /// The record no longer has the ETag.
    #[error("the record has changed")]
    Changed,
    /// The idempotency key stands for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
}

/// Why no change is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotStored {
    /// A file of the database is not what it was.
    #[error(transparent)]
    Files(#[from] FileFault),
    /// The database takes no changes from this user, or from anybody.
    #[error("the database is set to read only")]
    ReadOnly,
}

/// What is wrong with the files of a database while they are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// The file has another name, or another one has its name.
    #[error("the database file is gone from its place; put it back, or restart the server")]
    DatabaseIsGone,
    /// The log with the last changes is not there.
    #[error("the write-ahead log of the database (-wal) is gone from its place; restart the server")]
    LogIsGone,
    /// The index of the log is not there: other programs would not see its locks.
    #[error("the index of the write-ahead log (-shm) is gone from its place; restart the server")]
    IndexIsGone,
    /// A part of the log is missing.
    #[error("the write-ahead log of the database (-wal) was cut off; restart the server")]
    LogIsCut,
}

impl From<FileFault> for Error {
    fn from(fault: FileFault) -> Self {
        Self::NotStored(fault.into())
    }
}

impl Error {
    /// Whether the log has it already: it is logged when it begins, and not again while it lasts.
    pub fn is_logged(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Full(_) | Self::NotStored(_))
    }

    /// The same error for another of those whom it concerns.
    pub(crate) fn repeated(&self) -> Self {
        match self {
            Self::Corrupt(why) => Self::Corrupt(why.clone()),
            Self::Unavailable(why) => Self::Unavailable(why.clone()),
            Self::Unreachable(why) => Self::Unreachable(why.clone()),
            Self::Full(why) => Self::Full(why.clone()),
            Self::NotStored(why) => Self::NotStored(*why),
            other => Self::Failed(other.to_string()),
        }
    }
}

/// What the store gives.
pub type Result<T> = std::result::Result<T, Error>;

/// The error of work that panicked.
pub(crate) fn panicked() -> Error {
    let why = "work of the store panicked";
    tracing::error!(why);
    Error::Failed(why.to_owned())
}
