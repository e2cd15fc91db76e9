//! Opening a database for a command that works on it by itself.

use std::path::Path;

use super::Failure;
use crate::store::dialect::Connection;
use crate::store::{migrate, missing_schemas};

/// Whether a database has to be there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It is made.
    Make,
    /// That is a failure.
    Fail,
}

/// Opens a database for changes and brings it to the present schema.
pub(super) fn open(file: &Path, missing: Missing) -> Result<Connection, Failure> {
    check(file, missing)?;
    let opened = Connection::writer(file).and_then(|connection| migrate(&connection).map(|()| connection));
    opened.map_err(|error| Failure::store(file, &error))
}

/// Opens a database for reading, on a read-only disk too. One of an older schema is brought to the present one first.
pub(super) fn open_to_read(file: &Path) -> Result<Connection, Failure> {
    check(file, Missing::Fail)?;
    let failure = |error| Failure::store(file, &error);
    let connection = Connection::reader(file).map_err(failure)?;
    match missing_schemas(&connection).map_err(failure)? {
        0 => Ok(connection),
        _ => open(file, Missing::Fail),
    }
}

/// Says what is wrong with the path, before anything is opened.
fn check(file: &Path, missing: Missing) -> Result<(), Failure> {
    let shown = file.display();
    if file.is_dir() {
        return Err(Failure::new(format!(
            "{shown}: is a folder; --database names a file"
        )));
    }
    if !file.exists() {
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
