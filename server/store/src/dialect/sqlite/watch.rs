//! What ends the statements of a transaction early.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection as Sqlite;

use super::Driver;
use crate::dialect::Span;
use crate::error::{Error, Result};
use crate::job::Abandoned;

/// The steps of a statement between two looks at [`Watch`]: about ten thousand looks a second.
const LOOK_AROUND: i32 = 4_096;

/// How often a transaction that is to be short is looked at.
const SHORT: u32 = 32;

/// What may end the statements of a transaction early.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The mark that is set when the client has gone away.
    abandoned: Option<Abandoned>,
    /// How often they may still be looked at, if they may not run for long.
    looks_left: Option<u32>,
    was_too_long: bool,
}

impl Watch {
    /// Whether the statement that runs is to end now. Never outside of a transaction: what ends that one must not be ended.
    fn ends_now(&mut self) -> bool {
        let is_too_long = match &mut self.looks_left {
            Some(0) => true,
            Some(looks) => {
                *looks -= 1;
                false
            }
            None => false,
        };
        self.was_too_long |= is_too_long;
        is_too_long || self.abandoned.as_ref().is_some_and(Abandoned::is_set)
    }
}

impl Driver {
    /// Begins a transaction. Its statements are watched until [`Self::end_span`].
    pub(in crate::dialect) fn begin(&self, span: Span, writes: bool) -> Result<()> {
        let (abandoned, looks_left) = match span {
            Span::Short => (None, Some(SHORT)),
            Span::Until(abandoned) => (Some(abandoned), None),
        };
        *self.watch() = Watch {
            abandoned,
            looks_left,
            was_too_long: false,
        };
        if !writes {
            return self.control("BEGIN");
        }
        self.check_files()?;
        self.control("BEGIN IMMEDIATE")
    }

    /// Gives the statements that come now a short span of their own.
    pub(in crate::dialect) fn renew_span(&self) {
        let mut watch = self.watch();
        (watch.looks_left, watch.was_too_long) = (Some(SHORT), false);
    }

    /// From here on nothing ends statements early.
    pub(in crate::dialect) fn end_span(&self) {
        let mut watch = self.watch();
        (watch.abandoned, watch.looks_left) = (None, None);
    }

    /// Runs a statement that says where a transaction or a part of it begins or ends.
    pub(in crate::dialect) fn control(&self, statement: &str) -> Result<()> {
        Ok(self.statement(statement)?.raw_execute().map(drop)?)
    }

    /// Whether a transaction is open. A fault of the disk undoes it.
    pub(in crate::dialect) fn is_in_transaction(&self) -> bool {
        !self.sqlite.is_autocommit()
    }

    /// Says that the work of this transaction takes long.
    ///
    /// # Errors
    /// When the transaction is to be short.
    pub(in crate::dialect) fn takes_long(&self) -> Result<()> {
        let mut watch = self.watch();
        watch.was_too_long = watch.looks_left.is_some();
        if watch.was_too_long {
            return Err(Error::Abandoned);
        }
        Ok(())
    }

    /// Whether the last transaction was ended because it was to be short.
    pub(in crate::dialect) fn was_too_long(&self) -> bool {
        self.watch().was_too_long
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        lock(&self.watch)
    }

    /// A number that is another one after each change that another connection has made.
    pub(in crate::dialect) fn data_version(&self) -> Result<i64> {
        let mut statement = self.statement("PRAGMA data_version")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }
}

/// Has the statements of a connection watched.
pub(super) fn watch(sqlite: &mut Sqlite) -> Result<Arc<Mutex<Watch>>> {
    let watch: Arc<Mutex<Watch>> = Arc::default();
    let watched = Arc::clone(&watch);
    let ends_now = move || lock(&watched).ends_now();
    sqlite.progress_handler(LOOK_AROUND, Some(ends_now))?;
    Ok(watch)
}

fn lock(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}
