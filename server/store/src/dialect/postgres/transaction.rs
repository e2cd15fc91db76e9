//! Transactions. Those that write wait for one another, on all servers of the database: an advisory lock is what the one
//! writer of a file is. So counts, policy and the order of the log follow from one change after the other.

use super::Driver;
use super::snapshot::{BEGIN, BEGIN_WITH_POSITION, CHANGES, Changes, Snapshot};
use crate::dialect::Span;
use crate::error::{Error, NotStored, Result};
use crate::position::Position;

/// The lock of those who write: no other program uses this number by accident.
const WRITERS: i64 = 0x726f_6c6c_6361_6c6c;

impl Driver {
    /// Begins a transaction, and learns in the same round trip what it sees. One that writes sees what the last one
    /// committed: its statements are asked after the lock was granted.
    pub(in crate::dialect) fn begin(&self, span: Span, writes: bool) -> Result<()> {
        if !writes {
            return self.begin_as(span, BEGIN);
        }
        self.begin_as(
            span,
            &format!("BEGIN; SELECT {CHANGES}, pg_advisory_xact_lock({WRITERS})"),
        )?;
        let changes = self.snapshot.borrow().changes;
        match changes {
            Changes::Taken => Ok(()),
            // An operator has set it so.
            Changes::ReadOnly => Err(NotStored::ReadOnly.into()),
            // The address leads to another server next.
            Changes::OnPrimary => {
                self.session.borrow_mut().take();
                self.was_lost.set(true);
                Err(Error::Unavailable(
                    "PostgreSQL: the server has become a replica".to_owned(),
                ))
            }
        }
    }

    /// Whether the server takes changes.
    pub(in crate::dialect) fn check_changes(&self) -> Result<()> {
        let asked = self.with(|session| session.client.simple_query(&format!("SELECT {CHANGES}, 0")))?;
        match Snapshot::of(&asked, 0, 0).changes {
            Changes::ReadOnly => Err(NotStored::ReadOnly.into()),
            Changes::Taken | Changes::OnPrimary => Ok(()),
        }
    }

    /// Begins a transaction that reads, if the server has come as far as a position. The server that was asked is the one
    /// that is read, even if the connection was made anew.
    pub(in crate::dialect) fn begin_since(&self, span: Span, position: Option<Position>) -> Result<()> {
        let Some(position) = position else {
            return self.begin(span, false);
        };
        self.begin_as(span, BEGIN_WITH_POSITION)?;
        if self
            .snapshot
            .borrow()
            .position
            .is_none_or(|reached| reached < position)
        {
            self.was_behind.set(true);
            return Err(Error::Behind);
        }
        Ok(())
    }

    fn begin_as(&self, span: Span, begin: &str) -> Result<()> {
        self.was_lost.set(false);
        self.was_behind.set(false);
        self.gathered.forget();
        *self.abandoned.borrow_mut() = match span {
            Span::Short => None,
            Span::Until(abandoned) => Some(abandoned),
        };
        self.with(|session| {
            if let Some(abandoned) = self.abandoned.borrow().as_ref() {
                let (running, tls) = (session.client.cancel_token(), self.server.tls());
                abandoned.on_set(move || {
                    // A statement that cannot be cancelled ends at its timeout.
                    let _ = running.cancel_query(tls);
                });
            }
            Ok(())
        })?;
        self.transactions.update(|before| before + 1);
        let begun = || {
            self.with(|session| {
                let messages = session.client.simple_query(begin)?;
                Ok(Snapshot::of(&messages, session.number, self.transactions.get()))
            })
        };
        // A connection that was lost while it was idle is noticed now, and nothing has been done yet.
        let begun = match begun() {
            Err(Error::Unavailable(_)) if self.session.borrow().is_none() => begun(),
            begun => begun,
        };
        // It may have begun before it failed.
        self.is_in_transaction.set(self.session.borrow().is_some());
        *self.snapshot.borrow_mut() = begun?;
        Ok(())
    }

    /// From here on nothing ends statements early.
    pub(in crate::dialect) fn end_span(&self) {
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
    pub(in crate::dialect) fn control(&self, statement: &str) -> Result<()> {
        if statement.starts_with("ROLLBACK") {
            self.gathered.forget();
        }
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
    pub(in crate::dialect) fn is_in_transaction(&self) -> bool {
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
    pub(in crate::dialect) fn takes_long(&self) -> Result<()> {
        Ok(())
    }

    /// Whether the last transaction was ended because it was to be short.
    pub(in crate::dialect) fn was_too_long(&self) -> bool {
        false
    }

    /// A number that is another one for each state that a transaction can see.
    pub(in crate::dialect) fn data_version(&self) -> Result<i64> {
        Ok(self.snapshot.borrow().version)
    }
}
