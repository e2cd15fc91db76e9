//! Transactions, and what ends their statements early.

use super::{Connection, Driver};
use crate::error::{Error, Result};
use crate::job::Abandoned;
use crate::position::Position;

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
        driver!(self.0, driver => driver.end_span());
        if self.0.is_in_transaction() {
            // What cannot be undone now is undone when the database is opened again.
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
    /// Runs `work` in a transaction that sees one state of the store, and undoes its changes if it fails or panics. Only one
    /// transaction that writes is under way at a time.
    pub fn transaction<T, E: From<Error>>(
        &self,
        writes: bool,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.transaction_within(Span::Until(Abandoned::default()), writes, work)
    }

    /// The same. Its changes are undone too if its span is over; a statement that runs then is interrupted. If it writes, it fails
    /// where the open files of the database are not those at their names.
    pub fn transaction_within<T, E: From<Error>>(
        &self,
        span: Span,
        writes: bool,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let done = self.transaction_from(|| driver!(self, driver => driver.begin(span, writes)), work)?;
        if let (true, Driver::Sqlite(driver)) = (writes, &self.driver) {
            driver.check_files()?;
        }
        Ok(done)
    }

    /// Whether changes would be stored, and where they are found again: the open files of a database are those at their names, and
    /// a server takes changes.
    ///
    /// # Errors
    /// [`Error::NotStored`] with the reason.
    pub fn check_storage(&self) -> Result<()> {
        match &self.driver {
            Driver::Sqlite(driver) => driver.check_files(),
            Driver::Postgres(driver) => driver.check_changes(),
        }
    }

    /// The same for reading a state that is at least as late as a position. If the database has not come so far, it fails and
    /// [`Connection::was_behind`].
    pub fn transaction_since<T, E: From<Error>>(
        &self,
        span: Span,
        position: Option<Position>,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let begin = || match &self.driver {
            // A file has no replicas.
            Driver::Sqlite(driver) => driver.begin(span, false),
            Driver::Postgres(driver) => driver.begin_since(span, position),
        };
        self.transaction_from(begin, work)
    }

    fn transaction_from<T, E: From<Error>>(
        &self,
        begin: impl FnOnce() -> Result<()>,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let open = OpenTransaction(self);
        self.count_statement();
        begin()?;
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

    /// Whether a transaction is open. A fault of the disk, or of the connection to a server, undoes it.
    pub fn is_in_transaction(&self) -> bool {
        driver!(self, driver => driver.is_in_transaction())
    }

    /// Gives the statements that come now a short span of their own. For a transaction that does short work for several.
    pub fn renew_span(&self) {
        // The others have no short transactions.
        if let Driver::Sqlite(driver) = &self.driver {
            driver.renew_span();
        }
    }

    /// Says that the work of this transaction takes long.
    ///
    /// # Errors
    /// When the transaction is to be short.
    pub fn takes_long(&self) -> Result<()> {
        driver!(self, driver => driver.takes_long())
    }

    /// Whether the last transaction was ended because it was to be short.
    pub fn was_too_long(&self) -> bool {
        driver!(self, driver => driver.was_too_long())
    }

    /// A number that is another one after each change that another connection has made.
    pub fn data_version(&self) -> Result<i64> {
        if self.is_embedded() {
            self.count_statement();
        }
        driver!(self, driver => driver.data_version())
    }

    fn control(&self, statement: &str) -> Result<()> {
        self.count_statement();
        driver!(self, driver => driver.control(statement))
    }
}
