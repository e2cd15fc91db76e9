//! Transactions, and what ends their statements early.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection as Sqlite;

use super::Connection;
use crate::store::{Abandoned, Error, Result};

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

/// How long the statements of a transaction may run.
#[derive(Clone, Debug)]
pub enum Span {
    /// A few milliseconds altogether.
    Short,
    /// Until nobody waits for them any more.
    Until(Abandoned),
}

/// Undoes the transaction at its end, if it is still open then.
struct OpenTransaction<'c>(&'c Connection);

impl Drop for OpenTransaction<'_> {
    fn drop(&mut self) {
        let mut watch = self.0.watch();
        (watch.abandoned, watch.looks_left) = (None, None);
        drop(watch);
        if self.0.is_in_transaction() {
            // What cannot be undone now is undone when the file is opened again.
            let _ = self.0.control("ROLLBACK");
        }
    }
}

/// Undoes a part of a transaction at its end, unless it is done.
struct OpenPart<'c> {
    connection: &'c Connection,
    is_done: bool,
}

impl Drop for OpenPart<'_> {
    fn drop(&mut self) {
        if !self.is_done && self.connection.is_in_transaction() {
            // If that fails, so does the whole transaction.
            let undone = self.connection.control("ROLLBACK TO part");
            let _ = undone.and_then(|()| self.connection.control("RELEASE part"));
        }
    }
}

impl Connection {
    /// Runs `work` in a transaction that sees one state of the store, and undoes its changes if it fails or panics.
    pub fn transaction<T, E: From<Error>>(
        &self,
        writes: bool,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.transaction_within(Span::Until(Abandoned::default()), writes, work)
    }

    /// Runs `work` in a transaction that sees one state of the store. Its changes are undone if it fails, if it panics, or if
    /// its span is over; a statement that runs then is interrupted.
    pub fn transaction_within<T, E: From<Error>>(
        &self,
        span: Span,
        writes: bool,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let begin = if writes { "BEGIN IMMEDIATE" } else { "BEGIN" };
        let (abandoned, looks_left) = match span {
            Span::Short => (None, Some(SHORT)),
            Span::Until(abandoned) => (Some(abandoned), None),
        };
        *self.watch() = Watch {
            abandoned,
            looks_left,
            was_too_long: false,
        };
        let open = OpenTransaction(self);
        self.control(begin)?;
        let done = work(self)?;
        open.0.control("COMMIT")?;
        Ok(done)
    }

    /// Runs `work` as a part of the open transaction: if it fails or panics, its changes alone are undone.
    pub fn part<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.control("SAVEPOINT part")?;
        let mut part = OpenPart {
            connection: self,
            is_done: false,
        };
        let done = work(self)?;
        part.is_done = true;
        self.control("RELEASE part")?;
        Ok(done)
    }

    /// Whether a transaction is open. A fault of the disk undoes it.
    pub fn is_in_transaction(&self) -> bool {
        !self.sqlite.is_autocommit()
    }

    /// Says that the work of this transaction takes long.
    ///
    /// # Errors
    /// When the transaction is to be short.
    pub fn takes_long(&self) -> Result<()> {
        let mut watch = self.watch();
        watch.was_too_long = watch.looks_left.is_some();
        if watch.was_too_long {
            return Err(Error::Abandoned);
        }
        Ok(())
    }

    /// Whether the last transaction was ended because it was to be short.
    pub fn was_too_long(&self) -> bool {
        self.watch().was_too_long
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        lock(&self.watch)
    }

    fn control(&self, statement: &str) -> Result<()> {
        Ok(self.statement(statement)?.raw_execute().map(drop)?)
    }

    /// A number that is another one after each change that another connection has made.
    pub fn data_version(&self) -> Result<i64> {
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
