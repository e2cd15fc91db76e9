//! Reads that were received together share one transaction.
//!
//! A read waits until its thread has received the other requests that are ready. Then the first of them begins a transaction
//! and does the work of all. So a transaction begins after each of its reads was received, and each read sees every change
//! whose answer its sender has. The transaction ends before the thread does anything else.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::result::Result as StdResult;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Poll;

use crate::clock::Clock;
use crate::dialect::Span;
use crate::error::{Error, Result, panicked};
use crate::threads::per_thread::PerThread;
use crate::threads::reader::{Reader, Snapshot};

/// The most reads in one transaction: their answers are in memory at the same time.
const MOST_READS: usize = 16;

/// The steps of the database after which a transaction does no more reads. A page of 100 records takes more, so it is sent
/// before the next one is read.
const ENOUGH_STEPS: u64 = 4_096;

/// A reader, and the reads that wait for its next transaction, the first one first.
pub(crate) struct ReadQueue {
    reader: Reader,
    waiting: VecDeque<Weak<dyn QueuedRead>>,
}

/// A read in the queue, whatever type its work and its answer have.
trait QueuedRead: Send + Sync {
    /// Does its work; whether the transaction can be used for others.
    fn run(&self, snapshot: &mut Snapshot<'_>) -> bool;
}

/// A read: its work, and what came of it.
pub(crate) struct SharedRead<W, T, E> {
    work: W,
    outcome: Mutex<Option<ReadOutcome<T, E>>>,
}

enum ReadOutcome<T, E> {
    Done(StdResult<T, E>),
    /// It is to be begun anew, where it may take its time.
    TakesLong,
}

impl<W, T, E> SharedRead<W, T, E>
where
    W: Fn(&mut Snapshot<'_>) -> StdResult<T, E> + Send + Sync + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    /// A read that is not done yet.
    pub(crate) fn of(work: W) -> Arc<Self> {
        Arc::new(Self {
            work,
            outcome: Mutex::default(),
        })
    }

    /// Does its work with this snapshot alone.
    pub(crate) fn work(&self, snapshot: &mut Snapshot<'_>) -> StdResult<T, E> {
        (self.work)(snapshot)
    }

    /// Does its work with the other reads that are received on this thread in the same turn. `None` if it takes long, or no
    /// reader is free.
    pub(crate) async fn run_with_others(
        self: &Arc<Self>,
        queues: &PerThread<ReadQueue>,
        clock: &Clock,
        base: &str,
    ) -> Option<StdResult<T, E>> {
        let place = self.wait_in(queues)?;
        loop {
            let_others_be_received().await;
            if let Some(outcome) = self.outcome().take() {
                return outcome.done();
            }
            // If another thread has the queue, it may be at work on this read.
            let Some(mut queue) = queues.at(place) else {
                continue;
            };
            while self.outcome().is_none() {
                let run = AssertUnwindSafe(|| queue.run(clock, base));
                let run = catch_unwind(run).unwrap_or_else(|_| Err(panicked()));
                // What was read is from one state of the database, even if the transaction could not be ended.
                if let Err(why) = run
                    && self.outcome().is_none()
                {
                    return Some(Err(why.into()));
                }
            }
        }
    }

    /// Enters the queue of this thread, and gives its place.
    fn wait_in(self: &Arc<Self>, queues: &PerThread<ReadQueue>) -> Option<usize> {
        let (place, mut queue) = queues.free()?;
        let waiting: Weak<Self> = Arc::downgrade(self);
        queue.waiting.push_back(waiting);
        Some(place)
    }

    fn outcome(&self) -> MutexGuard<'_, Option<ReadOutcome<T, E>>> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W, T, E> QueuedRead for SharedRead<W, T, E>
where
    W: Fn(&mut Snapshot<'_>) -> StdResult<T, E> + Send + Sync + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    fn run(&self, snapshot: &mut Snapshot<'_>) -> bool {
        let connection = snapshot.connection;
        connection.renew_span();
        let work = AssertUnwindSafe(|| self.work(snapshot));
        let done = catch_unwind(work);
        let (has_panicked, was_too_long) = (done.is_err(), connection.was_too_long());
        *self.outcome() = Some(match was_too_long {
            true => ReadOutcome::TakesLong,
            false => ReadOutcome::Done(done.unwrap_or_else(|_| Err(panicked().into()))),
        });
        // A fault of the disk ends the transaction.
        !has_panicked && !was_too_long && connection.is_in_transaction()
    }
}

impl<T, E> ReadOutcome<T, E> {
    fn done(self) -> Option<StdResult<T, E>> {
        match self {
            Self::Done(done) => Some(done),
            Self::TakesLong => None,
        }
    }
}

impl ReadQueue {
    pub(crate) fn of(reader: Reader) -> Self {
        Self {
            reader,
            waiting: VecDeque::new(),
        }
    }

    /// Does the first reads that wait, in one transaction.
    fn run(&mut self, clock: &Clock, base: &str) -> Result<()> {
        let Self { reader, waiting } = self;
        reader.read(Span::Short, None, clock, base, |snapshot| {
            let connection = snapshot.connection;
            let steps = connection.steps();
            let mut reads = 0;
            while let Some(next) = waiting.pop_front() {
                // A request that was given up has taken its read with it.
                let Some(next) = next.upgrade() else { continue };
                reads += 1;
                let can_go_on = next.run(snapshot);
                if !can_go_on || reads == MOST_READS || connection.steps() - steps > ENOUGH_STEPS {
                    break;
                }
            }
            Ok(())
        })
    }
}

/// Lets the tasks run that are ready now, once: they receive the requests that have come.
async fn let_others_be_received() {
    let mut has_waited = false;
    let turn = poll_fn(|context| {
        if has_waited {
            return Poll::Ready(());
        }
        has_waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    });
    turn.await;
}
