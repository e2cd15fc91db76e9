//! Reading: a connection with what it remembers, and one state of the store as it shows it.

use std::cell::RefCell;
use std::sync::Arc;

use crate::clock::Clock;
use crate::store::access::tokens::Grant;
use crate::store::dialect::{Connection, Span};
use crate::store::error::{Error, Result};
use crate::store::position::Position;
use crate::store::remembered::Remembered;
use crate::store::tables::table::ReadContext;
use crate::store::version_cache::VersionCache;

/// A connection that reads, and what it remembers.
pub(crate) struct Reader {
    pub(crate) connection: Connection,
    cache: VersionCache,
    remembered: RefCell<Remembered>,
}

/// One state of the store, as one reader sees it.
pub struct Snapshot<'s> {
    /// Reads it.
    pub connection: &'s Connection,
    /// What reading depends on besides the rows.
    pub reading: ReadContext<'s>,
    cache: &'s mut VersionCache,
}

impl Reader {
    pub(crate) fn of(connection: Connection) -> Self {
        Self {
            connection,
            cache: VersionCache::default(),
            remembered: RefCell::default(),
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
        let Self {
            connection,
            cache,
            remembered,
        } = self;
        connection.transaction_since(span, since, |connection| {
            if cache.refresh(connection)? {
                remembered.take();
            }
            let now = clock.now();
            work(&mut Snapshot {
                connection,
                reading: ReadContext {
                    now,
                    base,
                    lapsed: cache.has_lapsed(now),
                    overdue: cache.is_overdue(now),
                    remembered: Some(remembered),
                },
                cache,
            })
        })
    }
}

impl Snapshot<'_> {
    /// Whose token this is, if it is one that is in use.
    pub fn grant(&mut self, secret: &str) -> Result<Option<Arc<Grant>>> {
        self.cache.grant(self.connection, secret, self.reading.now)
    }
}
