//! The files of a database: whether those that a connection has open are still the ones that have their names.
//!
//! A file stays open when its name is gone, so SQLite goes on to write what nobody finds again. The names are looked at before a
//! change and before it is acknowledged. The database file is not opened to look at it: when it is closed again, SQLite loses its
//! locks on it. The log has no locks.

use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};

use crate::error::FileFault;

/// How a write-ahead log begins, in either order of bytes.
const LOG_MARKS: [[u8; 4]; 2] = [[0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83]];
/// The length of the head of a log.
const HEAD: u64 = 32;
/// The length of the head of a frame, which comes before its page.
const FRAME_HEAD: u64 = 24;

/// What a file is, whatever its name.
type Identity = (u64, u64);

/// The files that a connection has open.
pub(super) struct OpenFiles {
    database: PathBuf,
    log: PathBuf,
    index: PathBuf,
    seen: RefCell<Option<Seen>>,
}

/// The files as they were seen last.
struct Seen {
    database: Identity,
    /// None if the database has no log.
    log: Option<SeenLog>,
}

struct SeenLog {
    identity: Identity,
    index: Identity,
    file: File,
    /// None if it has no head: before the first change, and when another program has emptied it.
    content: Option<LogContent>,
}

/// How far a log goes.
struct LogContent {
    length: u64,
    /// The length of a frame.
    frame: u64,
    /// Another one each time the log begins anew.
    salt: [u8; 8],
    /// The frame at the end, if it is one of this salt. It stays as it is until the log begins anew.
    last_frame: Option<Vec<u8>>,
}

impl OpenFiles {
    /// The files of a database by its path. None is looked at before [`Self::note`].
    pub(super) fn of(database: &Path) -> Self {
        // SQLite follows links before it names the other two.
        let real = database.canonicalize().unwrap_or_else(|_| database.to_owned());
        let beside = |end: &str| {
            let mut name = real.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        Self {
            log: beside("-wal"),
            index: beside("-shm"),
            database: database.to_owned(),
            seen: RefCell::default(),
        }
    }

    /// Takes the files that have the names now for those that are open: right after SQLite has opened them.
    pub(super) fn note(&self) {
        let log = File::open(&self.log).ok().and_then(|file| {
            Some(SeenLog {
                identity: identity(&self.log)?,
                index: identity(&self.index)?,
                content: LogContent::of(&file),
                file,
            })
        });
        *self.seen.borrow_mut() = identity(&self.database).map(|database| Seen { database, log });
    }

    /// Looks at no file until they are noted again.
    pub(super) fn forget(&self) {
        self.seen.take();
    }

    /// Renames a file that took the name of the log. All changes are in the database file now; what the other file has would be
    /// written over them at the next start.
    pub(super) fn set_other_log_aside(&self) {
        let mut aside = self.log.clone().into_os_string();
        aside.push(".replaced");
        match std::fs::rename(&self.log, &aside) {
            Ok(()) => tracing::error!(
                file = %PathBuf::from(aside).display(),
                "another file had the name of the write-ahead log; it was renamed, for the database file has all changes"
            ),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
            Err(why) => {
                tracing::error!(%why, "another file has the name of the write-ahead log; do not start a server with it")
            }
        }
    }

    /// Whether the files that are open still have their names, and all of the log is there. `frames` tells how many frames SQLite
    /// has in the log, if it can; it is asked where the log does not continue as it was seen last.
    ///
    /// # Errors
    /// What is gone. A change would be lost with this process.
    pub(super) fn check(&self, frames: impl FnOnce() -> Option<u64>) -> Result<(), FileFault> {
        let mut seen = self.seen.borrow_mut();
        let Some(Seen { database, log }) = seen.as_mut() else {
            return Ok(());
        };
        if identity(&self.database) != Some(*database) {
            return Err(FileFault::DatabaseIsGone);
        }
        let Some(log) = log else {
            return Ok(());
        };
        if identity(&self.log) != Some(log.identity) {
            return Err(FileFault::LogIsGone);
        }
        if identity(&self.index) != Some(log.index) {
            return Err(FileFault::IndexIsGone);
        }
        let now = LogContent::of(&log.file);
        let is_cut = match (&log.content, &now) {
            (Some(before), Some(now)) if before.salt == now.salt => before.is_cut_in(now, &log.file),
            // It begins anew: also when another program has brought all of it into the database file, and emptied it.
            (_, now) => {
                let there = now.as_ref().map_or(0, LogContent::frames);
                frames().is_some_and(|frames| there < frames)
            }
        };
        if is_cut {
            return Err(FileFault::LogIsCut);
        }
        log.content = now;
        Ok(())
    }
}

impl LogContent {
    fn of(log: &File) -> Option<Self> {
        let head = read_at(log, 0, HEAD)?;
        let salt: [u8; 8] = head.get(16..24)?.try_into().ok()?;
        let page = u32::from_be_bytes(head.get(8..12)?.try_into().ok()?);
        let is_log = LOG_MARKS.iter().any(|mark| head.starts_with(mark));
        let length = log.metadata().ok()?.len();
        let frame = FRAME_HEAD + u64::from(page);
        let last = length
            .checked_sub(frame)
            .and_then(|start| read_at(log, start, frame));
        let last_frame = last.filter(|frame| frame.get(8..16) == Some(&salt));
        is_log.then_some(Self {
            length,
            frame,
            salt,
            last_frame,
        })
    }

    /// How many frames there is room for.
    fn frames(&self) -> u64 {
        self.length.saturating_sub(HEAD) / self.frame
    }

    /// Whether something of this is missing in what the log is now.
    fn is_cut_in(&self, now: &Self, log: &File) -> bool {
        let is_other = |frame: &Vec<u8>| {
            let start = self.length.saturating_sub(self.frame);
            read_at(log, start, self.frame).as_ref() != Some(frame)
        };
        now.length < self.length || self.last_frame.as_ref().is_some_and(is_other)
    }
}

#[cfg(unix)]
fn read_at(log: &File, start: u64, length: u64) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt as _;
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    log.read_exact_at(&mut bytes, start).ok().map(|()| bytes)
}

#[cfg(windows)]
fn read_at(log: &File, start: u64, length: u64) -> Option<Vec<u8>> {
    use std::os::windows::fs::FileExt as _;
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    (log.seek_read(&mut bytes, start).ok()? == bytes.len()).then_some(bytes)
}

fn identity(file: &Path) -> Option<Identity> {
    file.metadata().ok().map(|metadata| identity_of(&metadata))
}

#[cfg(unix)]
fn identity_of(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

/// Windows keeps the name of a file that is open.
#[cfg(windows)]
fn identity_of(_: &Metadata) -> Identity {
    (0, 0)
}
