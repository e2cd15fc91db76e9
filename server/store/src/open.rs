//! An open store: its threads, and the ways to read and to change it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::change::unit::{Unit, WriteContext};
use crate::clock::Clock;
use crate::dialect::{Connection, Database, Durability, Span};
use crate::error::{Error, NotStored, Result, panicked};
use crate::grant::Grant;
use crate::ids::Ids;
use crate::migrate::migrate;
use crate::position::Position;
use crate::threads::CONNECTIONS;
use crate::threads::per_thread::PerThread;
use crate::threads::reader::{Reader, Snapshot};
use crate::threads::readiness::{self, Readiness, Ready, Unready};
use crate::threads::replicas::Replicas;
use crate::threads::shared_reads::{ReadQueue, SharedRead};
use crate::threads::workers::Workers;
use crate::threads::writer::{Desk, Writer};

/// An open store: one writer, several readers.
#[derive(Clone)]
pub struct Store(Arc<Parts>);

struct Parts {
    /// Readers for what is done at once, on the thread that asks for it.
    at_once: PerThread<ReadQueue>,
    readers: Workers<Reader>,
    replicas: Replicas,
    writer: Writer,
    readiness: Readiness,
    clock: Clock,
    base: Arc<str>,
    statements: Vec<Arc<AtomicU64>>,
}

/// What a store is opened with.
#[derive(Debug)]
pub struct Opening<'s> {
    /// The database.
    pub database: &'s Database,
    /// Replicas of it. What is only read is read on them, as far as they have come.
    pub replicas: &'s [Database],
    /// What an acknowledged change survives.
    pub durability: Durability,
    /// The public base address that links begin with.
    pub base: &'s str,
    /// Where the time comes from.
    pub clock: Clock,
    /// Where new identifiers come from.
    pub ids: Ids,
}

impl<'s> Opening<'s> {
    /// Without replicas, as durable as can be, at the system's time and with identifiers that nobody can guess.
    pub fn of(database: &'s Database, base: &'s str) -> Self {
        Self {
            database,
            replicas: &[],
            durability: Durability::default(),
            base,
            clock: Clock::System,
            ids: Ids::new(),
        }
    }
}

/// What a store has done since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkDone {
    /// Jobs handed to its threads.
    pub jobs: u64,
    /// Statements run, those that begin and end transactions among them.
    pub statements: u64,
}

/// How much a store has to do, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Changes that wait to be made, or are being made.
    pub changes_waiting: u64,
    /// Changes that were committed, and refusals.
    pub changes_committed: u64,
    /// Changes that were not stored because the database failed.
    pub changes_failed: u64,
    /// Replicas that are configured.
    pub replicas: usize,
    /// Replicas that answer, as far as is known.
    pub replicas_answering: usize,
}

impl Store {
    /// Opens a database, creating or migrating it.
    pub fn open(opening: Opening<'_>) -> Result<Self> {
        // A server is waited for: not on a thread that serves others.
        let opened = thread::scope(|scope| scope.spawn(|| Self::open_here(opening)).join());
        opened.unwrap_or_else(|_| Err(panicked()))
    }

    fn open_here(opening: Opening<'_>) -> Result<Self> {
        let Opening {
            database,
            replicas,
            durability,
            base,
            clock,
            ids,
        } = opening;
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
                .map(|_| Ok(Reader::of(Connection::reader(database)?)))
                .collect::<Result<Vec<_>>>()
        };
        let (at_once, readers) = (readers(at_once)?, readers(in_jobs)?);
        let connections = at_once
            .iter()
            .chain(&readers)
            .map(|reader| &reader.connection)
            .chain([&writer]);
        let statements = connections.map(Connection::statements).collect();
        Ok(Self(Arc::new(Parts {
            statements,
            at_once: PerThread::of(at_once.into_iter().map(ReadQueue::of).collect()),
            readers: Workers::start("reader", readers),
            replicas: Replicas::of(replicas)?,
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
            jobs: self.0.readers.jobs()
                + self.0.replicas.jobs()
                + self.0.writer.counts().sent.load(Ordering::Relaxed),
            statements: statements.map(|counter| counter.load(Ordering::Relaxed)).sum(),
        }
    }

    /// How much it has to do now.
    pub fn workload(&self) -> Workload {
        let counts = self.0.writer.counts();
        let (replicas, replicas_answering) = self.0.replicas.counts();
        // Read in this order, what is answered was sent.
        let changes_committed = counts.committed.load(Ordering::Relaxed);
        let changes_failed = counts.failed.load(Ordering::Relaxed);
        let sent = counts.sent.load(Ordering::Relaxed);
        Workload {
            changes_waiting: sent.saturating_sub(changes_committed + changes_failed),
            changes_committed,
            changes_failed,
            replicas,
            replicas_answering,
        }
    }

    /// Whether it can do its work. Waits for no request that is under way.
    pub async fn ready(&self) -> std::result::Result<Ready, Unready> {
        let ready = match self.0.readiness.check().await {
            Ok(()) => readiness::try_change(&self.0.writer).await,
            Err(why) => Err(why),
        };
        match ready {
            Ok(()) => Ok(Ready::Whole),
            // The replicas are read.
            Err(why @ Unready::NoAnswer) if self.0.replicas.any_answers() => Ok(Ready::ReadsOnly(why)),
            // An operator has set it so.
            Err(why @ Unready::NotStored(NotStored::ReadOnly)) => Ok(Ready::ReadsOnly(why)),
            Err(why @ Unready::ChangesFail) => Ok(Ready::ReadsOnly(why)),
            Err(why) => Err(why),
        }
    }

    /// The clock everything is told the time by.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// Reads one state of the store. The work begins on this thread, in one transaction with that of other reads that are
    /// received at the same time. If its statements take more than a few milliseconds, it is begun anew as a job of a reader
    /// thread, so that this thread can serve others. Where the database is a server, it is such a job from the beginning.
    pub async fn read<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        work: impl Fn(&mut Snapshot<'_>) -> std::result::Result<T, E> + Send + Sync + 'static,
    ) -> std::result::Result<T, E> {
        let read = SharedRead::of(work);
        let Parts {
            at_once,
            readers,
            clock,
            base,
            ..
        } = &*self.0;
        if let Some(done) = read.run_with_others(at_once, clock, base).await {
            return done;
        }
        let (clock, base) = (clock.clone(), Arc::clone(base));
        let done = readers.run(move |reader, abandoned| {
            let span = Span::Until(abandoned);
            reader.read(span, None, &clock, &base, |snapshot| read.work(snapshot))
        });
        done.await
    }

    /// The same, on a replica if there is one: a state that is at least as late as this position.
    pub async fn read_since<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        position: Option<Position>,
        work: impl Fn(&mut Snapshot<'_>) -> std::result::Result<T, E> + Send + Sync + 'static,
    ) -> std::result::Result<T, E> {
        let Parts {
            replicas,
            clock,
            base,
            ..
        } = &*self.0;
        if replicas.is_empty() {
            return self.read(work).await;
        }
        let work = Arc::new(work);
        if let Some(done) = replicas.read(position, clock, base, &work).await {
            return done;
        }
        self.read(move |snapshot| work(snapshot)).await
    }

    /// Changes the store in the name of a workspace user or of nobody: all of it or nothing.
    pub async fn write<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        actor: Option<String>,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<T, E> {
        self.change(actor, None, work).await.map(|(done, _)| done)
    }

    /// Changes the store with a token. Gives also a position that has the change, where the database has replicas that can be
    /// behind.
    pub async fn write_as<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        grant: Grant,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<(T, Option<Position>), E> {
        self.change(Some(grant.owner), Some(grant.token), work).await
    }

    async fn change<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        actor: Option<String>,
        token: Option<String>,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<(T, Option<Position>), E> {
        let (clock, base) = (self.0.clock.clone(), Arc::clone(&self.0.base));
        let written = self.0.writer.run(move |desk| {
            let context = WriteContext {
                now: clock.now(),
                actor,
                token,
                base: &base,
            };
            let Desk {
                connection,
                ids,
                most_evaluated,
            } = desk;
            Unit::run_within(connection, ids, context, most_evaluated, |unit| {
                let done = work(unit);
                match unit.is_refusal_kept() {
                    true => Ok(done),
                    false => done.map(Ok),
                }
            })
        });
        let (done, position) = written.await?;
        Ok((done?, position))
    }
}
