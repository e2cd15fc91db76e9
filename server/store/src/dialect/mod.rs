//! The databases: the only folder that names one. Portable SQL goes in, rows come out. A word that two databases spell
//! differently stands in braces (`spelling.rs`); a statement that they build differently is built here.

/// Calls the same method of the driver, whichever it is.
macro_rules! driver {
    ($connection:expr, $driver:ident => $call:expr) => {
        match &$connection.driver {
            Driver::Sqlite($driver) => $call,
            Driver::Postgres($driver) => $call,
        }
    };
}

mod backup;
mod cell;
mod cells;
mod database;
mod postgres;
mod spelling;
mod sqlite;
mod statements;
mod transaction;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use cells::Cells;
use cells::Row;
pub use database::Database;
pub use spelling::{CELLS, END, ROW, UNUSED};
pub use statements::{
    SEARCH_CHARS, push_candidates, push_in_numbers, push_numbered, push_related, push_scan, push_search,
};
pub use transaction::Span;

use crate::error::Result;
use crate::position::Position;
use crate::sql::{Name, Sql, Value};

/// What an acknowledged change survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Durability {
    /// That the machine loses power.
    #[default]
    PowerCut,
    /// That the program ends, in whatever way.
    Crash,
}

/// One connection. Not shared: each thread of the store has its own.
pub struct Connection {
    driver: Driver,
    statements: Arc<AtomicU64>,
    steps: Cell<u64>,
}

enum Driver {
    Sqlite(Box<sqlite::Driver>),
    Postgres(Box<postgres::Driver>),
}

impl Connection {
    /// Opens a database for writing. Where there is no file, makes one that only its owner can read.
    pub fn writer(database: &Database) -> Result<Self> {
        let driver = match database {
            Database::File(file) => Driver::Sqlite(Box::new(sqlite::Driver::writer(file)?)),
            Database::Postgres(server) => Driver::Postgres(Box::new(postgres::Driver::open(server)?)),
        };
        Ok(Self::of(driver))
    }

    /// Opens a database for reading. A file on a read-only disk is read as it is.
    pub fn reader(database: &Database) -> Result<Self> {
        let driver = match database {
            Database::File(file) => Driver::Sqlite(Box::new(sqlite::Driver::reader(file)?)),
            Database::Postgres(server) => Driver::Postgres(Box::new(postgres::Driver::open(server)?)),
        };
        Ok(Self::of(driver))
    }

    /// Will connect to a replica when it is first asked.
    pub fn replica(database: &Database) -> Result<Self> {
        match database {
            Database::Postgres(server) => Ok(Self::of(Driver::Postgres(Box::new(postgres::Driver::new(
                server,
            ))))),
            Database::File(_) => Self::reader(database),
        }
    }

    /// A store that is gone with its connection.
    pub fn in_memory() -> Result<Self> {
        Ok(Self::of(Driver::Sqlite(Box::new(sqlite::Driver::in_memory()?))))
    }

    fn of(driver: Driver) -> Self {
        Self {
            driver,
            statements: Arc::default(),
            steps: Cell::default(),
        }
    }

    /// Whether a query of it is a call within this process, and so can be made where nothing may wait.
    pub fn is_embedded(&self) -> bool {
        matches!(self.driver, Driver::Sqlite(_))
    }

    /// How far the database has come; none for a file, which has no replicas.
    pub fn position(&self) -> Result<Option<Position>> {
        match &self.driver {
            Driver::Sqlite(_) => Ok(None),
            Driver::Postgres(driver) => driver.position().map(Some),
        }
    }

    /// Whether the last transaction failed because the database could not do its work.
    pub fn was_lost(&self) -> bool {
        match &self.driver {
            Driver::Sqlite(_) => false,
            Driver::Postgres(driver) => driver.was_lost(),
        }
    }

    /// Whether the last transaction was not begun because the database had not come far enough.
    pub fn was_behind(&self) -> bool {
        match &self.driver {
            Driver::Sqlite(_) => false,
            Driver::Postgres(driver) => driver.was_behind(),
        }
    }

    /// Whether the database chooses by its own statistics how it finds rows. Else `plan.rs` does.
    pub fn plans_itself(&self) -> bool {
        matches!(self.driver, Driver::Postgres(_))
    }

    /// Says what a commit waits for from now on.
    pub fn set_durability(&self, durability: Durability) -> Result<()> {
        driver!(self, driver => driver.set_durability(durability))
    }

    /// How many statements it has run, counted on while it lives.
    pub fn statements(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.statements)
    }

    /// How many steps its queries have taken: a measure of their work that does not depend on the machine. Always 0 where
    /// the database does not tell.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    fn count_statement(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }

    /// The text of a statement in the words of this database.
    pub fn spelled(&self, sql: &Sql) -> String {
        driver!(self, driver => driver.spelled(sql.text())).into_owned()
    }

    /// Runs a query, reading each row.
    pub fn query<T>(
        &self,
        sql: &Sql,
        mut read: impl FnMut(&mut Cells<'_, '_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut read_rows = Vec::new();
        self.visit(sql, |cells| {
            read_rows.push(read(cells)?);
            Ok(true)
        })?;
        Ok(read_rows)
    }

    /// Runs a query and looks at each row until one says that it is the last one to look at.
    pub fn visit(&self, sql: &Sql, mut look: impl FnMut(&mut Cells<'_, '_>) -> Result<bool>) -> Result<()> {
        self.count_statement();
        match &self.driver {
            Driver::Sqlite(driver) => {
                let steps = driver.visit(sql, |row| look(&mut Cells::of(Row::Sqlite(row))))?;
                self.steps.update(|before| before + steps);
                Ok(())
            }
            Driver::Postgres(driver) => driver.visit(sql, |row| look(&mut Cells::of(Row::Postgres(row)))),
        }
    }

    /// The first row, if there is one.
    pub fn first<T>(
        &self,
        sql: &Sql,
        mut read: impl FnMut(&mut Cells<'_, '_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut first = None;
        self.visit(sql, |cells| {
            first = Some(read(cells)?);
            Ok(false)
        })?;
        Ok(first)
    }

    /// Runs a statement; gives the number of rows it changed.
    pub fn execute(&self, sql: &Sql) -> Result<usize> {
        self.count_statement();
        driver!(self, driver => driver.execute(sql))
    }

    /// Adds a row, at the latest before the next statement is run. For loading many.
    pub fn load(&self, table: &'static str, columns: &[Name], row: Vec<Value>) -> Result<()> {
        match &self.driver {
            Driver::Postgres(driver) => driver.load(table, columns, row),
            Driver::Sqlite(_) => self.insert(table, columns, row),
        }
    }

    /// Adds a row.
    pub fn insert(&self, table: &'static str, columns: &[Name], row: Vec<Value>) -> Result<()> {
        let mut sql = Sql::new(["INSERT INTO ", table, " ("]);
        sql.push_list(columns.iter().copied())
            .push(") VALUES ")
            .bind_all(row);
        self.execute(&sql).map(drop)
    }

    /// Runs several statements, each ended by a semicolon.
    pub fn script(&self, text: &'static str) -> Result<()> {
        driver!(self, driver => driver.script(text))
    }

    /// Whether there is anything in the database, ours or not.
    pub fn has_tables(&self) -> Result<bool> {
        let sql = driver!(self, driver => driver.any_table());
        Ok(self.first(&Sql::new(sql), |_| Ok(()))?.is_some())
    }

    /// The columns of a table in the order of its definition.
    pub fn columns(&self, table: &str) -> Result<Vec<String>> {
        let mut sql = Sql::new(driver!(self, driver => driver.columns_of()));
        sql.bind(table).push(") ORDER BY 2");
        self.query(&sql, |cells| cells.string())
    }

    /// Version of the schema, 0 for a new database.
    pub fn schema_version(&self) -> Result<i64> {
        driver!(self, driver => driver.schema_version())
    }

    /// Makes a change that changes nothing.
    ///
    /// # Errors
    /// Why no change can be stored.
    pub fn touch(&self) -> Result<()> {
        match &self.driver {
            // It writes the first page anew.
            Driver::Sqlite(driver) => driver.set_schema_version(driver.schema_version()?),
            Driver::Postgres(driver) => driver.run("UPDATE rollcall_schema SET version = version"),
        }
    }

    /// Whether the tables can be made, or brought to the present schema.
    ///
    /// # Errors
    /// What is missing, in words for an operator.
    pub fn check_migration(&self) -> Result<()> {
        match &self.driver {
            // The first statement that writes says what is wrong about a file.
            Driver::Sqlite(_) => Ok(()),
            Driver::Postgres(driver) => driver.check_migration(),
        }
    }

    /// Sets the version of the schema.
    pub fn set_schema_version(&self, version: i64) -> Result<()> {
        driver!(self, driver => driver.set_schema_version(version))
    }

    /// Builds the search index of a table over folded columns and keeps it up to date from now on.
    pub fn create_search(&self, table: &'static str, columns: &[Name]) -> Result<()> {
        driver!(self, driver => driver.create_search(table, columns))
    }

    /// Whether a table has a search index over these columns.
    pub fn has_search(&self, table: &'static str, columns: &[Name]) -> Result<bool> {
        let sql = driver!(self, driver => driver.search_index(table, columns));
        Ok(self.first(&sql, |_| Ok(()))?.is_some())
    }

    /// Drops the search index of a table, for loading many rows at once.
    pub fn drop_search(&self, table: &'static str, columns: &[Name]) -> Result<()> {
        driver!(self, driver => driver.drop_search(table, columns))
    }

    /// Fills a new database that nobody else has open: a third faster, and without a log as long as the file. Should the
    /// program die meanwhile, a file is of no use.
    pub fn loading<T>(&self, work: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        driver!(self, driver => driver.begin_loading())?;
        let done = work(self);
        driver!(self, driver => driver.end_loading()).and(done)
    }

    /// Prepares for a transaction that writes a large part of the database.
    pub fn expect_large_write(&self) -> Result<()> {
        match &self.driver {
            Driver::Postgres(_) => Ok(()),
            Driver::Sqlite(driver) => driver.hold_more_pages(),
        }
    }

    /// Lets the database learn how its values are distributed. Cheap where little has changed.
    pub fn analyze(&self) -> Result<()> {
        driver!(self, driver => driver.analyze())
    }
}
