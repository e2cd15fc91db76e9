//! Reading: a connection with what it remembers, and one state of the store as it shows it.

use std::cell::RefCell;
use std::sync::Arc;

use crate::change::{expiry, policy};
use crate::clock::Clock;
use crate::dialect::{Connection, Span};
use crate::error::{Error, Result};
use crate::grant::Grant;
use crate::memory::Memory;
use crate::position::Position;
use crate::tables::table::ReadContext;

/// A connection that reads, and what it remembers.
pub(crate) struct Reader {
    pub(crate) connection: Connection,
    memory: RefCell<Memory>,
}

/// One state of the store, as one reader sees it.
pub struct Snapshot<'s> {
    /// Reads it.
    pub connection: &'s Connection,
    /// What reading depends on besides the rows.
    pub reading: ReadContext<'s>,
    memory: &'s RefCell<Memory>,
}

impl Reader {
    pub(crate) fn of(connection: Connection) -> Self {
        Self {
            connection,
            memory: RefCell::default(),
        }
    }

    pub(crate) fn read<T, E: From<Error>>(
        &mut self,
        span: Span,
        since: Option<Position>,
        clock: &Clock,
        base: &str,
        work: impl FnOnce(&mut Snapshot<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let Self { connection, memory } = self;
        let memory = &*memory;
        connection.transaction_since(span, since, |connection| {
            // Asked within the transaction, the version is that of its state.
            let version = connection.data_version()?;
            if !memory.borrow().is_of(version) {
                let (lapse, expiry) = (policy::next_lapse(connection)?, expiry::next(connection)?);
                memory.replace(Memory::of(version, lapse, expiry));
            }
            let now = clock.now();
            let (lapsed, overdue) = (memory.borrow().has_lapsed(now), memory.borrow().is_overdue(now));
            work(&mut Snapshot {
                connection,
                reading: ReadContext {
                    now,
                    base,
                    lapsed,
                    overdue,
                    memory: Some(memory),
                },
                memory,
            })
        })
    }
}

impl Snapshot<'_> {
    /// Whose token this is, if it is one that is in use.
    pub fn grant(&mut self, secret: &str) -> Result<Option<Arc<Grant>>> {
        let mut memory = self.memory.borrow_mut();
        memory.grant(self.connection, secret, self.reading.now)
    }
}
