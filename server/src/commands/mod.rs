//! The subcommands: arguments in, work done, an exit code out.

pub mod backup;
pub mod contract;
pub mod copy;
mod database;
pub mod demo;
pub mod export;
pub mod import;
mod new_file;
mod number;
pub mod openapi;
pub mod person;
pub mod routes;
pub mod serve;
mod signals;
pub mod token;

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use rollcall_store::dialect::Database;

use crate::log_format;

/// Why a command did not do its work: one sentence for the person who gave it.
#[derive(Debug)]
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Failure {
    /// A failure in these words.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// A failure of the store, naming the database.
    pub fn store(database: &Database, error: &rollcall_store::Error) -> Self {
        Self(format!("{database}: {error}"))
    }

    /// Says it on standard error; the exit code is 2.
    pub fn report(&self) -> ExitCode {
        log_format::say_error(&self.0);
        ExitCode::from(2)
    }
}

/// Writes to standard output. A reader that has seen enough and closed the pipe is no failure.
///
/// # Errors
/// When not all of it could be written.
pub fn print(write: impl FnOnce(&mut io::Stdout) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::stdout();
    match write(&mut out).and_then(|()| out.flush()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output cannot be written: {why}")))
        }
        _ => Ok(()),
    }
}

/// What a command gives.
pub type Outcome = Result<ExitCode, Failure>;
