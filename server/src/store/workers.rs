//! Threads that each own a connection and do one job after the other: a database call blocks, a server must not.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

type Job<C> = Box<dyn FnOnce(&mut C) + Send>;

/// A few threads behind one queue.
pub(super) struct Workers<C> {
    queue: Sender<Job<C>>,
}

impl<C: Send + 'static> Workers<C> {
    /// A thread for each connection. They end when the last handle on the queue is gone.
    pub(super) fn start(name: &str, connections: Vec<C>) -> Self {
        let (queue, jobs) = channel::<Job<C>>();
        let jobs = Arc::new(Mutex::new(jobs));
        for (number, connection) in connections.into_iter().enumerate() {
            let jobs = Arc::clone(&jobs);
            let thread = thread::Builder::new().name(format!("{name}-{number}"));
            if let Err(why) = thread.spawn(move || work(&jobs, connection)) {
                tracing::error!(%why, "a thread of the store could not be started");
            }
        }
        Self { queue }
    }

    /// Runs a job on the next free thread; `None` if there is none left.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut C) -> T + Send + 'static,
    ) -> Option<T> {
        let (done, answer) = oneshot::channel();
        let job: Job<C> = Box::new(move |connection| {
            // Nobody waits for the answer of a request that was given up.
            let _ = done.send(job(connection));
        });
        self.queue.send(job).ok()?;
        answer.await.ok()
    }
}

fn work<C>(jobs: &Mutex<Receiver<Job<C>>>, mut connection: C) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        let job = std::panic::AssertUnwindSafe(|| job(&mut connection));
        if std::panic::catch_unwind(job).is_err() {
            tracing::error!("a job of the store panicked");
        }
    }
}
