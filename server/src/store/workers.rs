//! Threads that each own a connection and do one job after the other: a database call blocks, a server must not.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::store::{Error, panicked};

type Job<C> = Box<dyn FnOnce(&mut C) + Send>;

/// A few threads behind one queue. Its length is bounded by the requests that the server takes at once.
pub(super) struct Workers<C> {
    queue: Sender<Job<C>>,
    jobs: AtomicU64,
}

/// Whether somebody still waits for the end of a job.
#[derive(Clone, Default)]
pub struct Abandoned(Arc<Mark>);

#[derive(Default)]
struct Mark {
    is_set: AtomicBool,
    /// Ends a statement that runs on a server.
    cancel: Mutex<Option<Cancel>>,
}

type Cancel = Box<dyn FnOnce() + Send>;

impl Abandoned {
    /// Whether nobody does.
    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// Calls this on a thread of its own when nobody waits any more.
    pub(super) fn on_set(&self, cancel: impl FnOnce() + Send + 'static) {
        *self.cancel() = Some(Box::new(cancel));
    }

    /// Calls nothing from here on.
    pub(super) fn forget_cancel(&self) {
        self.cancel().take();
    }

    fn cancel(&self) -> MutexGuard<'_, Option<Cancel>> {
        self.0.cancel.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Abandoned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Abandoned({})", self.is_set())
    }
}

/// Sets the mark when the waiting request is given up.
#[derive(Debug, Default)]
pub(super) struct Waiting(Abandoned);

impl Waiting {
    /// The mark.
    pub(super) fn mark(&self) -> Abandoned {
        self.0.clone()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let Self(abandoned) = self;
        abandoned.0.is_set.store(true, Ordering::Relaxed);
        let cancel = abandoned.cancel().take();
        if let Some(cancel) = cancel {
            start_thread("cancel", cancel);
        }
    }
}

impl<C: Send + 'static> Workers<C> {
    /// A thread for each connection. They end when the last handle on the queue is gone.
    pub(super) fn start(name: &str, connections: Vec<C>) -> Self {
        let (queue, jobs) = channel::<Job<C>>();
        let jobs = Arc::new(Mutex::new(jobs));
        for (number, connection) in connections.into_iter().enumerate() {
            let jobs = Arc::clone(&jobs);
            start_thread(&format!("{name}-{number}"), move || work(&jobs, connection));
        }
        Self {
            queue,
            jobs: AtomicU64::new(0),
        }
    }

    /// How many jobs were handed over.
    pub(super) fn jobs(&self) -> u64 {
        self.jobs.load(Ordering::Relaxed)
    }

    /// Runs a job on the next free thread. A job that nobody waits for any more is not begun, and is told so while it runs.
    pub(super) async fn run<T, E>(
        &self,
        job: impl FnOnce(&mut C, Abandoned) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (done, answer) = oneshot::channel();
        let waiting = Waiting::default();
        let abandoned = waiting.mark();
        let job: Job<C> = Box::new(move |connection| {
            if abandoned.is_set() {
                return;
            }
            let job = AssertUnwindSafe(|| job(connection, abandoned));
            let result = catch_unwind(job).unwrap_or_else(|_| Err(panicked().into()));
            // Nobody waits for the answer of a request that was given up.
            let _ = done.send(result);
        });
        let stopped = || E::from(Error::Unavailable("a thread of the store has stopped".to_owned()));
        self.jobs.fetch_add(1, Ordering::Relaxed);
        self.queue.send(job).map_err(|_| stopped())?;
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }
}

/// How many threads of stores there are, and a signal when one has ended.
static THREADS: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Counts a thread as long as it is there, and its connection with it.
struct Counted;

impl Counted {
    fn begin() -> Self {
        *THREADS.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        *THREADS.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        THREADS.1.notify_all();
    }
}

/// Waits until all threads of all stores have closed their connections, at most so long.
pub fn wait_for_threads(patience: Duration) {
    let running = THREADS.0.lock().unwrap_or_else(PoisonError::into_inner);
    drop(
        THREADS
            .1
            .wait_timeout_while(running, patience, |running| *running > 0),
    );
}

/// Starts a thread of the store.
pub(super) fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let counted = Counted::begin();
    let work = move || {
        let _counted = counted;
        work();
    };
    if let Err(why) = thread::Builder::new().name(name.to_owned()).spawn(work) {
        tracing::error!(%why, "a thread of the store could not be started");
    }
}

fn work<C>(jobs: &Mutex<Receiver<Job<C>>>, mut connection: C) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        job(&mut connection);
    }
}
