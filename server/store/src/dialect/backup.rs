//! A copy of the whole database in a file.

use std::path::Path;

use super::{Connection, Driver};
use crate::error::{Error, Result};

impl Connection {
    /// Copies the database, in one state, into a file.
    ///
    /// # Errors
    /// The database cannot be read, or the file cannot be written, or the database belongs to a server, whose own programs
    /// copy it.
    pub fn copy_to(&self, file: &Path) -> Result<()> {
        match &self.driver {
            Driver::Sqlite(driver) => driver.copy_to(file),
            Driver::Postgres(_) => Err(Error::Unavailable(
                "a database of a PostgreSQL server is copied by pg_dump".to_owned(),
            )),
        }
    }
}
