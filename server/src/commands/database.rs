//! Opening a database for a command that works on it by itself.

use std::ffi::OsStr;
use std::ops::Deref;
use std::thread;
use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Args, Command};
use rollcall_store::dialect::{Connection, Database};
use rollcall_store::{CONNECTIONS_NEEDED, Error, end_copy, migrate, missing_schemas};

use super::Failure;
use super::new_file::check_nothing_beside;
use crate::log_format::say;

/// Reads the address or path of a database. A refusal does not repeat the value, as others do: a password may be in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DatabaseParser;

impl TypedValueParser for DatabaseParser {
    type Value = Database;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Database, clap::Error> {
        let read = value
            .to_str()
            .ok_or_else(|| "it is not UTF-8".to_owned())
            .and_then(str::parse);
        read.map_err(|why| {
            let name = argument.map(Arg::to_string).unwrap_or_default();
            let told = format!("invalid value for '{name}': {why}\n");
            clap::Error::raw(ErrorKind::ValueValidation, told).with_cmd(command)
        })
    }
}

/// The flag that names the database of a command.
#[derive(Args, Debug)]
pub struct DatabaseArgument {
    /// The database.
    #[arg(
        long,
        env = "ROLLCALL_DATABASE",
        hide_env_values = true,
        value_name = "FILE|URL",
        value_parser = DatabaseParser
    )]
    database: Database,
}

impl DatabaseArgument {
    /// The flag of a command that creates the database.
    pub(super) fn is_created(argument: Arg) -> Arg {
        argument.help("The database. It is created if it does not exist")
    }
}

impl Deref for DatabaseArgument {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}

/// Whether a database has to be there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It is made.
    Make,
    /// That is a failure.
    Fail,
}

/// Opens a database for changes and brings it to the present schema.
pub(super) fn open(database: &Database, missing: Missing) -> Result<Connection, Failure> {
    check(database, missing)?;
    when_free(database, || {
        let connection = Connection::writer(database)?;
        migrate(&connection).map(|()| connection)
    })
}

/// How long to wait before a server is asked again for a connection.
const PAUSE: Duration = Duration::from_secs(1);

/// Opens a database; waits while its server has no free connection, and says so.
pub(super) fn when_free<T>(
    database: &Database,
    open: impl Fn() -> rollcall_store::Result<T>,
) -> Result<T, Failure> {
    let mut is_told = false;
    loop {
        match open() {
            Err(why @ Error::Full(_)) => {
                if !is_told {
                    say(&format!(
                        "{database}: {why}; waiting for one. A server needs {CONNECTIONS_NEEDED}."
                    ));
                }
                is_told = true;
                thread::sleep(PAUSE);
            }
            opened => return opened.map_err(|error| Failure::store(database, &error)),
        }
    }
}

/// Opens a database for reading, on a read-only disk too. One of an earlier schema is refused: to bring it to the present one
/// would change it, and take it from the program that made it.
pub(super) fn open_to_read(database: &Database) -> Result<Connection, Failure> {
    match open_as_it_is(database)? {
        (connection, 0) => Ok(connection),
        (_, missing) => Err(Failure::new(format!(
            "{database}: its schema is {missing} steps older than this program; start `serve` on it once, which brings it to the \
             present one, or use the program that made it"
        ))),
    }
}

/// Opens a database for reading, and says how many steps its schema is older than the present one.
pub(super) fn open_as_it_is(database: &Database) -> Result<(Connection, i64), Failure> {
    check(database, Missing::Fail)?;
    when_free(database, || {
        let connection = Connection::reader(database)?;
        let missing = missing_schemas(&connection)?;
        Ok((connection, missing))
    })
}

/// Opens a database into which a copy was begun, be it to its end.
pub(super) fn open_unfinished(database: &Database) -> Result<Connection, Failure> {
    check(database, Missing::Make)?;
    when_free(database, || {
        let connection = Connection::writer(database)?;
        end_copy(&connection)?;
        migrate(&connection).map(|()| connection)
    })
}

/// Says what is wrong with the path, before anything is opened.
fn check(database: &Database, missing: Missing) -> Result<(), Failure> {
    let Database::File(file) = database else {
        return Ok(());
    };
    let shown = file.display();
    if file.is_dir() {
        return Err(Failure::new(format!(
            "{shown}: is a folder; --database names a file"
        )));
    }
    if !file.exists() {
        check_nothing_beside(file)?;
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        if let Some(folder) = folder {
            return Err(Failure::new(format!(
                "{shown}: there is no folder {}; make it first",
                folder.display()
            )));
        }
        if missing == Missing::Fail {
            let hint = "the commands serve, import and token create make one";
            return Err(Failure::new(format!(
                "{shown}: there is no such database; {hint}"
            )));
        }
    }
    Ok(())
}
