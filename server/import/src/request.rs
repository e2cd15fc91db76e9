//! The request for an import, and its result.

use std::collections::BTreeMap;
use std::io;

use rollcall_store::Error;

use super::{Format, Options, PassedOver, Refusal};

/// What is to be imported, and how.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The format of the file.
    pub format: Format,
    /// What its reader has to know.
    pub options: Options,
    /// The handle of the integration the people come from; made where there is none.
    pub integration: &'r str,
    /// Whether good records are written although others are refused.
    pub keep_going: bool,
    /// Whether all is undone in the end.
    pub dry_run: bool,
    /// Whom the file may have.
    pub accepts: Accepts,
}

/// Whom a file may have; others are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accepts {
    /// Anybody.
    #[default]
    Anyone,
    /// People whom the store does not have.
    New,
    /// People whom the store has.
    Known,
}

/// What an import has done, or in a dry run would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// People who are new.
    pub created: u64,
    /// Changed people. A person who joined or left a group counts too, also if the file does not have the person.
    pub updated: u64,
    /// People who were already as the file says.
    pub unchanged: u64,
    /// People who are left as they are, because they are soft-deleted in the store, and entries that are neither person nor group.
    pub skipped: u64,
    /// What of the file was not read.
    pub passed_over: PassedOver,
    /// How many people are known by each kind of key.
    pub known_by: BTreeMap<&'static str, u64>,
    /// How many people lost their value in a column, by column: the file has the column, and no value for them.
    pub emptied: BTreeMap<String, u64>,
    /// What was refused, by line.
    pub refused: Vec<Refusal>,
    /// What a person should know although it stops nothing.
    pub notes: Vec<String>,
    /// Whether all parts of the file could be read.
    pub complete: bool,
    /// Whether what is counted above was written, or in a dry run would be.
    pub written: bool,
}

/// Why an import could not be done; nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
    /// The file could not be opened a second time.
    #[error("the file can't be read: {0}")]
    File(#[from] io::Error),
    /// The second reading found other people than the first.
    #[error("the file changed while it was read; nothing was imported")]
    Changed,
    /// Not a fault: the way out of a transaction that is not to be kept.
    #[error("undone")]
    Undone(Box<Report>),
}
