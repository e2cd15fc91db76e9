//! Opening a database for a command that works on it by itself.

use std::path::Path;

use super::Failure;
use crate::store::dialect::Connection;
use crate::store::migrate;

/// Whether a database has to be there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It is made.
    Make,
    /// That is a failure.
    Fail,
}

/// Opens a database and brings it to the present schema.
pub(super) fn open(file: &Path, missing: Missing) -> Result<Connection, Failure> {
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
    let opened = Connection::writer(file).and_then(|connection| migrate(&connection).map(|()| connection));
    opened.map_err(|error| Failure::store(file, &error))
}
