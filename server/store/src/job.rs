//! What a job of the store needs besides its connection: a thread that is counted, the way to it and back, and a mark that nobody
//! waits for it any more.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::error::Error;

/// Whether the sender of a job still waits for its answer.
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
    pub(crate) fn on_set(&self, cancel: impl FnOnce() + Send + 'static) {
        *self.cancel() = Some(Box::new(cancel));
    }

    /// Calls nothing from here on.
    pub(crate) fn forget_cancel(&self) {
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
struct Waiting(Abandoned);

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

/// Hands a job to the thread behind a queue, and waits for what it sends back. A job that nobody waits for any more is told so.
pub(crate) async fn hand_over<J, T, E: From<Error>>(
    queue: &Sender<J>,
    job: impl FnOnce(oneshot::Sender<Result<T, E>>, Abandoned) -> J,
) -> Result<T, E> {
    let (done, answer) = oneshot::channel();
    let waiting = Waiting::default();
    let stopped = || E::from(Error::Unavailable("a thread of the store has stopped".to_owned()));
    queue.send(job(done, waiting.0.clone())).map_err(|_| stopped())?;
    answer.await.unwrap_or_else(|_| Err(stopped()))
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
pub(crate) fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let counted = Counted::begin();
    let work = move || {
        let _counted = counted;
        work();
    };
    if let Err(why) = thread::Builder::new().name(name.to_owned()).spawn(work) {
        tracing::error!(%why, "a thread of the store could not be started");
    }
}
