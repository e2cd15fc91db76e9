//! `backup`: a copy of a database, also while a server is running on it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::database::{DatabaseArgument, open_as_it_is};
use super::new_file::{check_absent, make_whole};
use super::{Failure, Outcome};

/// Copies a database file into a new file, in one state. Use pg_dump for a database of a PostgreSQL server.
///
/// A server can run on the database meanwhile; its requests do not wait.
///
/// The copy is a database too: `serve --database COPY` serves it. To restore it, stop the server and put the copy in the place
/// of the database. Remove the files of the old database that end in -wal and -shm.
///
/// Exit code: 0 the copy is complete, 2 it is not.
#[derive(Args, Debug)]
#[command(mut_arg("database", |database| database.value_name("FILE")))]
pub struct Backup {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// The file to make; only its owner can read it. It must not exist yet.
    #[arg(value_name = "COPY")]
    pub copy: PathBuf,
}

impl Backup {
    /// Makes the copy.
    pub fn run(self) -> Outcome {
        let shown = self.copy.display();
        check_absent(&self.copy, "name another file")?;
        // The copy has the schema of the database, so that the program that made it can go back to it.
        let (connection, _) = open_as_it_is(&self.database)?;
        make_whole(&self.copy, |part| {
            let failed = |error| Failure::new(format!("copying {} to {shown}: {error}", *self.database));
            connection.copy_to(part).map_err(failed)
        })?;
        let bytes = self.copy.metadata().map_or(0, |metadata| metadata.len());
        eprintln!("{shown} is a copy of {} ({bytes} bytes).", *self.database);
        Ok(ExitCode::SUCCESS)
    }
}
