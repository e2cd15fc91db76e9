//! `backup`: a copy of a database, also while a server is running on it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use rollcall_store::private_file;

use super::database::{DatabaseArgument, check_nothing_beside, open_as_it_is};
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
    /// Makes the copy under another name first, so that under its own name it is always complete.
    pub fn run(self) -> Outcome {
        let shown = self.copy.display();
        if self.copy.exists() {
            return Err(Failure::new(format!(
                "{shown}: is there already; name another file"
            )));
        }
        check_nothing_beside(&self.copy)?;
        // The copy has the schema of the database, so that the program that made it can go back to it.
        let (connection, _) = open_as_it_is(&self.database)?;
        let mut partial = self.copy.clone().into_os_string();
        partial.push(".part");
        let partial = PathBuf::from(partial);
        let failed = |why: std::io::Error| Failure::new(format!("{}: {why}", partial.display()));
        match std::fs::remove_file(&partial) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(failed(why)),
            Ok(()) | Err(_) => {}
        }
        drop(private_file::create_new(&partial).map_err(failed)?);
        let copied = connection.copy_to(&partial);
        if let Err(error) = copied {
            let mut journal = partial.clone().into_os_string();
            journal.push("-journal");
            let _ = std::fs::remove_file(&partial);
            let _ = std::fs::remove_file(journal);
            return Err(Failure::new(format!(
                "copying {} to {shown}: {error}",
                *self.database
            )));
        }
        std::fs::rename(&partial, &self.copy).map_err(failed)?;
        let bytes = self.copy.metadata().map_or(0, |metadata| metadata.len());
        eprintln!("{shown} is a copy of {} ({bytes} bytes).", *self.database);
        Ok(ExitCode::SUCCESS)
    }
}
