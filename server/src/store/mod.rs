//! The store: records in, pages out. The only place with SQL; `dialect/` is the only folder that names a database.
//!
//! `tables/` says where members are stored. `filter.rs`, `order.rs` and `list.rs` make the SQL of a page, `render.rs` its JSON,
//! `related.rs` what it includes; `counts.rs` has the kept counts. `unit.rs` is the one way to write: the consequences of a
//! change (org, policy, counts, log) follow before it commits.

pub mod column;
pub mod copy;
mod count_changes;
pub mod counts;
pub mod cursor;
pub mod dialect;
pub mod directory_sync;
mod error;
pub mod evaluation_queue;
pub mod expiry;
pub mod filter;
pub mod fold;
pub mod list;
pub mod log;
pub mod name_resolution;
pub mod operations;
pub mod order;
pub mod org;
pub mod owners;
pub mod page;
pub mod page_starts;
mod plan;
pub mod policy;
mod readiness;
pub mod related;
mod render;
pub mod sql;
pub mod table;
pub mod tables;
pub mod tokens;
pub mod unit;
mod version_cache;
mod workers;
mod writer;

pub use error::{Error, Result};
pub use readiness::Unready;
pub use workers::Abandoned;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rollcall::Timestamp;

use crate::clock::Clock;
use crate::ids::Ids;
use dialect::{Connection, Database, Durability, Span};
use page_starts::PageStarts;
use readiness::Readiness;
use table::ReadContext;
use tokens::Grant;
use unit::Unit;
use version_cache::VersionCache;
use workers::Workers;
use writer::Writer;

/// The steps from an empty file to the present schema, in order; never changed, only added to.
const SCHEMAS: [&str; 3] = [
    include_str!("schema/0001_directory.sql"),
    include_str!("schema/0002_idempotency.sql"),
    include_str!("schema/0003_evaluations_and_orders.sql"),
];

/// The tables of the schema, each behind those that it refers to.
pub fn schema_tables() -> impl Iterator<Item = &'static str> {
    let tables = SCHEMAS
        .iter()
        .flat_map(|schema| schema.split("\nCREATE TABLE ").skip(1));
    tables.filter_map(|table| table.split_once(" (").map(|(name, _)| name))
}

/// The columns of a table that refer to rows of the same table.
pub fn self_references(table: &str) -> impl Iterator<Item = &'static str> {
    columns_with(table, format!("REFERENCES {table} ("))
}

/// The columns that a database numbers the rows of a table by.
pub fn numbering(table: &str) -> impl Iterator<Item = &'static str> {
    columns_with(table, "{serial}".to_owned())
}

/// The columns of a table whose definition has these words.
fn columns_with(table: &str, words: String) -> impl Iterator<Item = &'static str> {
    let begin = format!("\nCREATE TABLE {table} (");
    let schema = SCHEMAS.iter().find_map(|schema| schema.split_once(&begin));
    let columns = schema.map_or("", |(_, table)| table.split("\n);").next().unwrap_or_default());
    let columns = columns.lines().filter(move |column| column.contains(&words));
    columns.filter_map(|column| column.split_whitespace().next())
}

/// How many connections to a server read at once.
const CONNECTIONS: usize = 8;

/// How many steps a file is behind the present schema.
///
/// # Errors
/// When a newer version or another program made the file.
pub fn missing_schemas(connection: &Connection) -> Result<i64> {
    let known = i64::try_from(SCHEMAS.len()).unwrap_or(i64::MAX);
    let found = connection.schema_version()?;
    if found > known {
        return Err(Error::TooNew { found, known });
    }
    if found == 0 && connection.has_tables()? {
        return Err(Error::Corrupt("it holds tables of another program".to_owned()));
    }
    Ok(known - found)
}

/// Brings a file to the present schema.
pub fn migrate(connection: &Connection) -> Result<()> {
    if missing_schemas(connection)? == 0 {
        return Ok(());
    }
    connection.transaction(true, |connection| {
        // Another process may have been faster.
        let found = connection.schema_version()?;
        for (version, schema) in (1..)
            .zip(SCHEMAS)
            .skip(usize::try_from(found).unwrap_or_default())
        {
            connection.script(schema)?;
            connection.set_schema_version(version)?;
        }
        for table in tables::searched() {
            if !connection.has_search(table.name, table.searched)? {
                connection.create_search(table.name, table.searched)?;
            }
        }
        Ok(())
    })
}

/// An open store: one writer, several readers.
#[derive(Clone)]
pub struct Store(Arc<Parts>);

struct Parts {
    /// Readers for what is done at once, on the thread that asks for it.
    idle: Mutex<Vec<Reader>>,
    readers: Workers<Reader>,
    writer: Writer,
    readiness: Readiness,
    clock: Clock,
    base: Arc<str>,
    statements: Vec<Arc<AtomicU64>>,
}

/// A connection that reads, and what it remembers.
struct Reader {
    connection: Connection,
    cache: VersionCache,
    page_starts: RefCell<PageStarts>,
}

/// What a store has done since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkDone {
    /// Jobs handed to its threads.
    pub jobs: u64,
    /// Statements run, those that begin and end transactions among them.
    pub statements: u64,
}

/// One state of the store, as one reader sees it.
pub struct Snapshot<'s> {
    /// Reads it.
    pub connection: &'s Connection,
    /// What reading depends on besides the rows.
    pub reading: ReadContext<'s>,
    cache: &'s mut VersionCache,
}

impl Reader {
    fn open(database: &Database) -> Result<Self> {
        Ok(Self {
            connection: Connection::reader(database)?,
            cache: VersionCache::default(),
            page_starts: RefCell::default(),
        })
    }

    fn read<T, E: From<Error>>(
        &mut self,
        span: Span,
        clock: &Clock,
        base: &str,
        work: &impl Fn(&mut Snapshot<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let Self {
            connection,
            cache,
            page_starts,
        } = self;
        connection.transaction_within(span, false, |connection| {
            if cache.refresh(connection)? {
                page_starts.take();
            }
            let now = clock.now();
            work(&mut Snapshot {
                connection,
                reading: ReadContext {
                    now,
                    base,
                    lapsed: cache.has_lapsed(now),
                    page_starts: Some(page_starts),
                },
                cache,
            })
        })
    }
}

/// The error of work that panicked.
fn panicked() -> Error {
    let why = "work of the store panicked";
    tracing::error!(why);
    Error::Failed(why.to_owned())
}

impl Snapshot<'_> {
    /// Whose token this is, if it is one that is in use.
    pub fn grant(&mut self, secret: &str) -> Result<Option<Grant>> {
        self.cache.grant(self.connection, secret, self.reading.now)
    }
}

impl Store {
    /// Opens a database, creating or migrating it. `base` is the public base address that links begin with.
    pub fn open(
        database: &Database,
        durability: Durability,
        base: &str,
        clock: Clock,
        ids: Ids,
    ) -> Result<Self> {
        let open = || Self::open_here(database, durability, base, clock, ids);
        // A server is waited for: not on a thread that serves others.
        let opened = thread::scope(|scope| scope.spawn(open).join());
        opened.unwrap_or_else(|_| Err(panicked()))
    }

    fn open_here(
        database: &Database,
        durability: Durability,
        base: &str,
        clock: Clock,
        ids: Ids,
    ) -> Result<Self> {
        let writer = Connection::writer(database)?;
        writer.set_durability(durability)?;
        migrate(&writer)?;
        let cores = thread::available_parallelism().map_or(2, usize::from).max(2);
        let (at_once, in_jobs) = match writer.is_embedded() {
            true => (cores, cores),
            false => (0, CONNECTIONS),
        };
        let readers = |count| {
            (0..count)
                .map(|_| Reader::open(database))
                .collect::<Result<Vec<_>>>()
        };
        let (idle, readers) = (readers(at_once)?, readers(in_jobs)?);
        let connections = idle
            .iter()
            .chain(&readers)
            .map(|reader| &reader.connection)
            .chain([&writer]);
        let statements = connections.map(Connection::statements).collect();
        Ok(Self(Arc::new(Parts {
            statements,
            idle: Mutex::new(idle),
            readers: Workers::start("reader", readers),
            readiness: Readiness::of(database)?,
            writer: Writer::start(writer, ids, clock.clone()),
            clock,
            base: base.into(),
        })))
    }

    /// What it has done so far.
    pub fn work_done(&self) -> WorkDone {
        let statements = self.0.statements.iter();
        WorkDone {
            jobs: self.0.readers.jobs() + self.0.writer.changes(),
            statements: statements.map(|counter| counter.load(Ordering::Relaxed)).sum(),
        }
    }

    /// Whether it can do its work. Waits for no request that is under way.
    pub async fn ready(&self) -> std::result::Result<(), Unready> {
        self.0.readiness.check().await
    }

    /// The clock everything is told the time by.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// Reads one state of the store. The work begins on this thread. If its statements take more than a few milliseconds, it
    /// is begun anew as a job of a reader thread, so that this thread can serve others.
    pub async fn read<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        work: impl Fn(&mut Snapshot<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<T, E> {
        if let Some(done) = self.read_at_once(&work) {
            return done;
        }
        let (clock, base) = (self.0.clock.clone(), Arc::clone(&self.0.base));
        let read = self
            .0
            .readers
            .run(move |reader, abandoned| reader.read(Span::Until(abandoned), &clock, &base, &work));
        read.await
    }

    fn read_at_once<T, E: From<Error>>(
        &self,
        work: &impl Fn(&mut Snapshot<'_>) -> std::result::Result<T, E>,
    ) -> Option<std::result::Result<T, E>> {
        let mut reader = self.idle().pop()?;
        let read = AssertUnwindSafe(|| reader.read(Span::Short, &self.0.clock, &self.0.base, work));
        let done = catch_unwind(read).unwrap_or_else(|_| Err(panicked().into()));
        let was_too_long = reader.connection.was_too_long();
        self.idle().push(reader);
        (!was_too_long).then_some(done)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the store in the name of a workspace user or of nobody: all of it or nothing.
    pub async fn write<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        actor: Option<String>,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<T, E> {
        self.change(actor, None, work).await
    }

    /// Changes the store with a token.
    pub async fn write_as<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        grant: Grant,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<T, E> {
        self.change(Some(grant.owner), Some(grant.token), work).await
    }

    async fn change<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        actor: Option<String>,
        token: Option<String>,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<T, E> {
        let (clock, base) = (self.0.clock.clone(), Arc::clone(&self.0.base));
        let written = self.0.writer.run(move |desk| {
            let context = WriteContext {
                now: clock.now(),
                actor,
                token,
                base: &base,
            };
            Unit::run_within(desk.connection, desk.ids, context, desk.most_evaluated, work)
        });
        written.await
    }
}

/// When, by whom and under which address something is written.
#[derive(Clone, Debug)]
pub struct WriteContext<'w> {
    /// The moment of the change.
    pub now: Timestamp,
    /// The workspace user who makes it; `None` for time and the command line.
    pub actor: Option<String>,
    /// The id of the token it is made with, if it is.
    pub token: Option<String>,
    /// The public base address.
    pub base: &'w str,
}

impl WriteContext<'_> {
    /// In the name of nobody, for nobody to read.
    pub fn of_the_server(now: Timestamp) -> Self {
        Self {
            now,
            actor: None,
            token: None,
            base: "",
        }
    }
}
