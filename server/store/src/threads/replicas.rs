//! Replicas of the database: they answer what is only read, as far as they have come. Where none can, the primary does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::clock::Clock;
use crate::dialect::{Connection, Database, Span};
use crate::error::{Error, Result};
use crate::position::Position;
use crate::threads::CONNECTIONS;
use crate::threads::reader::{Reader, Snapshot};
use crate::threads::workers::Workers;

/// How long a replica that is behind is waited for.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long to wait before it is asked again.
const PAUSE: Duration = Duration::from_millis(5);
/// How often a replica that was lost is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// The replicas of a store, each asked in its turn.
pub(crate) struct Replicas {
    replicas: Vec<Arc<Replica>>,
    turn: AtomicUsize,
}

struct Replica {
    readers: Workers<Reader>,
    name: String,
    is_lost: AtomicBool,
}

/// What came of asking a replica.
enum Attempt<T> {
    Done(T),
    /// It does not have the change yet that the client has made.
    Behind,
    /// It does not answer.
    Lost,
}

impl Replicas {
    /// Connects to no replica yet: one that is down at first is used when it is up.
    pub(crate) fn of(databases: &[Database]) -> Result<Self> {
        let replica = |database: &Database| {
            let readers = (0..CONNECTIONS).map(|_| Ok(Reader::of(Connection::replica(database)?)));
            Ok(Arc::new(Replica {
                readers: Workers::start("replica", readers.collect::<Result<_>>()?),
                name: database.to_string(),
                is_lost: AtomicBool::new(false),
            }))
        };
        Ok(Self {
            replicas: databases.iter().map(replica).collect::<Result<_>>()?,
            turn: AtomicUsize::new(0),
        })
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.replicas.is_empty()
    }

    /// How many jobs were handed to them.
    pub(crate) fn jobs(&self) -> u64 {
        self.replicas.iter().map(|replica| replica.readers.jobs()).sum()
    }

    /// How many there are, and how many of them answer, as far as is known.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.replicas.len(), self.in_use().count())
    }

    /// Whether one of them answers, as far as is known.
    pub(crate) fn any_answers(&self) -> bool {
        self.in_use().next().is_some()
    }

    fn in_use(&self) -> impl Iterator<Item = &Arc<Replica>> {
        let in_use = |replica: &&Arc<Replica>| !replica.is_lost.load(Ordering::Relaxed);
        self.replicas.iter().filter(in_use)
    }

    /// Reads on the next replica that has come as far as `position`; `None` if it cannot be read there.
    pub(crate) async fn read<T, E, W>(
        &self,
        position: Option<Position>,
        clock: &Clock,
        base: &Arc<str>,
        work: &Arc<W>,
    ) -> Option<std::result::Result<T, E>>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        W: Fn(&mut Snapshot<'_>) -> std::result::Result<T, E> + Send + Sync + 'static,
    {
        let in_use: Vec<_> = self.in_use().collect();
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let replica = *in_use.get(turn.checked_rem(in_use.len())?)?;
        let begun = Instant::now();
        loop {
            let (clock, base, work) = (clock.clone(), Arc::clone(base), Arc::clone(work));
            let attempt = replica.readers.run(move |reader, abandoned| {
                let done = reader.read(Span::Until(abandoned), position, &clock, &base, &*work);
                Ok::<_, Error>(match done {
                    Err(_) if reader.connection.was_behind() => Attempt::Behind,
                    Err(_) if reader.connection.was_lost() => Attempt::Lost,
                    done => Attempt::Done(done),
                })
            });
            match attempt.await {
                Ok(Attempt::Done(done)) => return Some(done),
                Ok(Attempt::Behind) if begun.elapsed() < PATIENCE => sleep(PAUSE).await,
                Ok(Attempt::Behind) => return None,
                Ok(Attempt::Lost) | Err(_) => {
                    replica.lose();
                    return None;
                }
            }
        }
    }
}

impl Replica {
    /// Asks it no more until it answers again.
    fn lose(self: &Arc<Self>) {
        if self.is_lost.swap(true, Ordering::Relaxed) {
            return;
        }
        tracing::debug!(replica = self.name, "a replica is left out until it answers");
        let replica = Arc::clone(self);
        tokio::spawn(async move {
            loop {
                sleep(RETRY).await;
                let asked = replica.readers.run(|reader, _| reader.connection.position());
                if asked.await.is_ok() {
                    break;
                }
            }
            replica.is_lost.store(false, Ordering::Relaxed);
            tracing::debug!(replica = replica.name, "the replica is read from again");
        });
    }
}
