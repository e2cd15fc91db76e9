//! Where a database is: a file, or a server.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::postgres::Server;

/// Where a database is.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file, with two more beside it while it is open.
    File(PathBuf),
    /// A database of a PostgreSQL server.
    Postgres(Box<Server>),
}

/// How the address of a database of a server begins.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

impl FromStr for Database {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
            return Ok(Self::Postgres(Box::new(text.parse()?)));
        }
        match text.split_once("://") {
            // The rest may hold a password.
            Some((scheme, _)) => Err(format!(
                "{scheme}:// is not known; name a file, or postgres://user@host/database"
            )),
            None if text.is_empty() => Err("name a file, or postgres://user@host/database".to_owned()),
            None => Ok(Self::File(text.into())),
        }
    }
}

impl From<PathBuf> for Database {
    fn from(file: PathBuf) -> Self {
        Self::File(file)
    }
}

impl From<&Path> for Database {
    fn from(file: &Path) -> Self {
        Self::File(file.to_owned())
    }
}

/// Without a password.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => file.display().fmt(f),
            Self::Postgres(server) => server.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let database: Database = "postgres://anna:hunter2@db.example:5433/people".parse().unwrap();
        assert_eq!(database.to_string(), "postgres://db.example:5433/people");
        assert!(!format!("{database:?}").contains("hunter2"));
        for wrong in [
            "postgres://anna:hunter2@db:port/people",
            "mysql://anna:hunter2@db/people",
        ] {
            let why = wrong.parse::<Database>().unwrap_err();
            assert!(!why.contains("hunter2"), "{why}");
        }
    }

    #[test]
    fn all_else_is_a_file() {
        for text in ["directory.db", "/var/lib/rollcall.db", "postgres.db"] {
            let database = text.parse::<Database>().unwrap();
            assert!(matches!(database, Database::File(file) if file.as_os_str() == text));
        }
    }
}
