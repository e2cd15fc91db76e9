//! Threads that each own a connection and do one job after the other: a database call blocks, a server must not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, panicked};
use crate::job::{Abandoned, hand_over, start_thread};

type Job<C> = Box<dyn FnOnce(&mut C) + Send>;

/// A few threads behind one queue. Its length is bounded by the requests that the server takes at once.
pub(crate) struct Workers<C> {
    queue: Sender<Job<C>>,
    jobs: AtomicU64,
}

impl<C: Send + 'static> Workers<C> {
    /// A thread for each connection. They end when the last handle on the queue is gone.
    pub(crate) fn start(name: &str, connections: Vec<C>) -> Self {
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
    pub(crate) fn jobs(&self) -> u64 {
        self.jobs.load(Ordering::Relaxed)
    }

    /// Runs a job on the next free thread. A job that nobody waits for any more is not begun, and is told so while it runs.
    pub(crate) async fn run<T, E>(
        &self,
        job: impl FnOnce(&mut C, Abandoned) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        let handed = hand_over(&self.queue, |done, abandoned| -> Job<C> {
            Box::new(move |connection| {
                if abandoned.is_set() {
                    return;
                }
                let job = AssertUnwindSafe(|| job(connection, abandoned));
                let result = catch_unwind(job).unwrap_or_else(|_| Err(panicked().into()));
                // Nobody waits for the answer of a request that was given up.
                let _ = done.send(result);
            })
        });
        handed.await
    }
}

fn work<C>(jobs: &Mutex<Receiver<Job<C>>>, mut connection: C) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        job(&mut connection);
    }
}
