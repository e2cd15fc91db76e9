//! Transactions. Those that write wait for one another, on all servers of the database: an advisory lock is what the one
//! writer of a file is. So counts, policy and the order of the log follow from one change after the other.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use postgres::{NoTls, SimpleQueryMessage};

use super::Driver;
use crate::store::dialect::Span;
use crate::store::{Error, Result};

/// The lock of those who write: no other program uses this number by accident.
const WRITERS: i64 = 0x726f_6c6c_6361_6c6c;

impl Driver {
    /// Begins a transaction, and learns in the same round trip what it sees. One that writes sees what the last one
    /// committed: its statements are asked after the lock was granted.
    pub(in crate::store::dialect) fn begin(&self, span: Span, writes: bool) -> Result<()> {
        self.was_lost.set(false);
        *self.abandoned.borrow_mut() = match span {
            Span::Short => None,
            Span::Until(abandoned) => Some(abandoned),
        };
        self.with(|session| {
            if let Some(abandoned) = self.abandoned.borrow().as_ref() {
                let running = session.client.cancel_token();
                abandoned.on_set(move || {
                    // A statement that cannot be cancelled ends at its timeout.
                    let _ = running.cancel_query(NoTls);
                });
            }
            Ok(())
        })?;
        let begin = match writes {
            true => format!("BEGIN READ WRITE; SELECT pg_advisory_xact_lock({WRITERS})"),
            false => {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_current_snapshot()".to_owned()
            }
        };
        let begun = || self.with(|session| session.client.simple_query(&begin));
        // A connection that was lost while it was idle is noticed now, and nothing has been done yet.
        let begun = match begun() {
            Err(Error::Unavailable(_)) if self.session.borrow().is_none() => begun(),
            begun => begun,
        };
        // It may have begun before it failed.
        self.is_in_transaction.set(self.session.borrow().is_some());
        let mut hasher = DefaultHasher::new();
        for message in begun? {
            if let SimpleQueryMessage::Row(row) = message {
                row.get(0).hash(&mut hasher);
            }
        }
        self.snapshot.set(hasher.finish().cast_signed());
        Ok(())
    }

    /// From here on nothing ends statements early.
    pub(in crate::store::dialect) fn end_span(&self) {
        let Some(abandoned) = self.abandoned.borrow_mut().take() else {
            return;
        };
        abandoned.forget_cancel();
        if abandoned.is_set() {
            // What cancels a statement may arrive during the next one. The server undoes the transaction.
            self.session.borrow_mut().take();
        }
    }

    /// Runs a statement that says where a transaction or a part of it begins or ends.
    pub(in crate::store::dialect) fn control(&self, statement: &str) -> Result<()> {
        let done = self.run(statement);
        if matches!(statement, "COMMIT" | "ROLLBACK") {
            self.is_in_transaction.set(false);
            if done.is_err() {
                // A connection in an unknown state is not used again.
                self.session.borrow_mut().take();
            }
        }
        done
    }

    /// Whether a transaction is open. A lost connection undoes it.
    pub(in crate::store::dialect) fn is_in_transaction(&self) -> bool {
        let session = self.session.borrow();
        let is_open = session
            .as_ref()
            .is_some_and(|session| !session.client.is_closed());
        if !is_open {
            self.is_in_transaction.set(false);
        }
        is_open && self.is_in_transaction.get()
    }

    /// No transaction is to be short: a thread that waits for the server serves nobody else meanwhile.
    pub(in crate::store::dialect) fn takes_long(&self) -> Result<()> {
        Ok(())
    }

    /// Whether the last transaction was ended because it was to be short.
    pub(in crate::store::dialect) fn was_too_long(&self) -> bool {
        false
    }

    /// A number that is another one for each state that a transaction can see.
    pub(in crate::store::dialect) fn data_version(&self) -> Result<i64> {
        Ok(self.snapshot.get())
    }
}
