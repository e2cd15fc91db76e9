//! The thread that writes. Changes that wait at the same time are committed together: the disk is waited for once. Each is
//! undone alone if it fails.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use crate::change::evaluation_queue;
use crate::change::unit::{Unit, WriteContext};
use crate::clock::Clock;
use crate::dialect::Connection;
use crate::error::{Error, NotStored, Result, panicked};
use crate::ids::Ids;
use crate::job::{Abandoned, hand_over, start_thread};
use crate::position::Position;

/// How long changes are gathered before they are committed, if so many wait.
const GATHER: Duration = Duration::from_millis(20);

/// Of how many users the policy is evaluated within a change: for whom it would be odd not to see it at once.
const EVALUATED_AT_ONCE: usize = 1_000;
/// The same while other changes wait.
const EVALUATED_IN_A_CROWD: usize = 20;

/// Of how many users that were left to the queue the policy is evaluated in one transaction; and while changes wait.
const STEP: usize = 200;
const STEP_IN_A_CROWD: usize = 20;

/// What a change works with, or why it cannot.
type Turn<'t> = std::result::Result<Desk<'t>, &'t Error>;

/// A change in the queue. It gives what tells its sender, once it is known whether it was committed.
type Change = Box<dyn FnOnce(Turn<'_>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(&Result<Option<Position>>)>;

/// What a change works with.
pub(crate) struct Desk<'t> {
    pub(crate) connection: &'t Connection,
    pub(crate) ids: &'t mut Ids,
    /// Of how many users the policy is evaluated within the change.
    pub(crate) most_evaluated: usize,
}

/// The queue of the thread.
pub(crate) struct Writer {
    queue: Sender<Change>,
    counts: Arc<ChangeCounts>,
}

/// How many changes there were.
#[derive(Debug, Default)]
pub(crate) struct ChangeCounts {
    /// Handed over.
    pub(crate) sent: AtomicU64,
    /// Answered with a commit, a refusal among them.
    pub(crate) committed: AtomicU64,
    /// Not stored, because a transaction failed.
    pub(crate) failed: AtomicU64,
    /// Whether the last change could not be stored, or there was none yet.
    fail: AtomicBool,
}

impl Writer {
    /// Starts the thread. It ends when the last handle on the queue is gone.
    pub(crate) fn start(connection: Connection, ids: Ids, clock: Clock) -> Self {
        let (queue, changes) = channel();
        let counts = Arc::<ChangeCounts>::default();
        counts.fail.store(true, Ordering::Relaxed);
        let own = Arc::clone(&counts);
        start_thread("writer", move || {
            WriterThread {
                changes,
                connection,
                ids,
                clock,
                not_stored: None,
                counts: own,
            }
            .work();
        });
        Self { queue, counts }
    }

    /// Whether the last change could not be stored, or there was none yet.
    pub(crate) fn changes_fail(&self) -> bool {
        self.counts.fail.load(Ordering::Relaxed)
    }

    /// A change could be stored.
    pub(crate) fn changes_succeed(&self) {
        self.counts.fail.store(false, Ordering::Relaxed);
    }

    /// How many changes there were.
    pub(crate) fn counts(&self) -> &ChangeCounts {
        &self.counts
    }

    /// Makes a change in its turn. One that nobody waits for any more is not made, or undone. Gives also a position that has
    /// the change, where the database has replicas that can be behind, and can tell.
    pub(crate) async fn run<T, E>(
        &self,
        change: impl FnOnce(Desk<'_>) -> std::result::Result<T, E> + Send + 'static,
    ) -> std::result::Result<(T, Option<Position>), E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.counts.sent.fetch_add(1, Ordering::Relaxed);
        let handed = hand_over(&self.queue, |done, abandoned| -> Change {
            Box::new(move |turn| {
                let result = match turn {
                    Ok(desk) => make(desk, &abandoned, change),
                    Err(why) => Err(why.repeated().into()),
                };
                Box::new(move |committed| {
                    let result = result.and_then(|value| match committed {
                        Ok(position) => Ok((value, *position)),
                        Err(why) => Err(why.repeated().into()),
                    });
                    // Nobody waits for the answer of a request that was given up.
                    let _ = done.send(result);
                })
            })
        });
        handed.await
    }
}

/// Makes one change, and undoes it if it fails, panics, or nobody waits for it any more.
fn make<T, E: From<Error>>(
    desk: Desk<'_>,
    abandoned: &Abandoned,
    change: impl FnOnce(Desk<'_>) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    if abandoned.is_set() {
        return Err(Error::Abandoned.into());
    }
    let made = AssertUnwindSafe(|| {
        desk.connection.part(|connection| {
            let done = change(Desk { connection, ..desk })?;
            match abandoned.is_set() {
                true => Err(Error::Abandoned.into()),
                false => Ok(done),
            }
        })
    });
    catch_unwind(made).unwrap_or_else(|_| Err(panicked().into()))
}

struct WriterThread {
    changes: Receiver<Change>,
    connection: Connection,
    ids: Ids,
    clock: Clock,
    /// Why nothing was stored the last time.
    not_stored: Option<NotStored>,
    counts: Arc<ChangeCounts>,
}

impl WriterThread {
    fn work(mut self) {
        // A server that has ended may have left something in the queue of evaluations.
        let mut is_behind = true;
        let mut waiting = VecDeque::new();
        while self.gather(&mut waiting, is_behind) {
            let mut answers = Vec::new();
            let transaction = AssertUnwindSafe(|| self.transaction(&mut waiting, &mut answers));
            let done = catch_unwind(transaction).unwrap_or_else(|_| Err(panicked()));
            let committed = match &done {
                // Without a position the changes are made all the same.
                Ok(_) => Ok(self.position(&answers)),
                Err(why) => Err(why.repeated()),
            };
            if let Err(why) = &committed {
                // An outage is logged once, and so is a reason for which nothing is stored.
                let is_known = match why {
                    Error::Unreachable(_) | Error::Full(_) => true,
                    Error::NotStored(why) => self.not_stored.replace(*why) == Some(*why),
                    _ => false,
                };
                if !is_known {
                    tracing::error!(%why, "a transaction failed");
                }
                if answers.is_empty() {
                    // It could not be begun, and the next one will not be either.
                    answers.extend(waiting.drain(..).map(|change| change(Err(why))));
                }
            }
            if committed.is_ok() {
                self.not_stored = None;
            } else {
                self.counts.fail.store(true, Ordering::Relaxed);
            }
            let counted = match &committed {
                Ok(_) => &self.counts.committed,
                Err(_) => &self.counts.failed,
            };
            counted.fetch_add(answers.len() as u64, Ordering::Relaxed);
            for answer in answers {
                answer(&committed);
            }
            is_behind = done.unwrap_or(false);
        }
    }

    /// A position that has all that this connection has committed.
    fn position(&self, answers: &[Answer]) -> Option<Position> {
        let is_wanted = !answers.is_empty();
        is_wanted
            .then(|| self.connection.position().ok())
            .flatten()
            .flatten()
    }

    /// Adds the changes that wait. Waits for one if there is nothing to do; false when there will be none.
    fn gather(&self, waiting: &mut VecDeque<Change>, is_behind: bool) -> bool {
        if waiting.is_empty() {
            let first = match is_behind {
                false => self.changes.recv().map_err(TryRecvError::from),
                true => self.changes.try_recv(),
            };
            match first {
                Ok(change) => waiting.push_back(change),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return false,
            }
        }
        waiting.extend(self.changes.try_iter());
        true
    }

    /// Makes changes, and a step of the queue of evaluations, and commits all of it; whether there is more in that queue.
    fn transaction(&mut self, waiting: &mut VecDeque<Change>, answers: &mut Vec<Answer>) -> Result<bool> {
        let Self {
            connection,
            ids,
            clock,
            ..
        } = self;
        let is_crowd = waiting.len() > 1;
        let (most_evaluated, step) = match (is_crowd, waiting.is_empty()) {
            (true, _) => (EVALUATED_IN_A_CROWD, STEP_IN_A_CROWD),
            (false, false) => (EVALUATED_AT_ONCE, STEP_IN_A_CROWD),
            (false, true) => (EVALUATED_AT_ONCE, STEP),
        };
        connection.transaction(true, |connection| {
            let begun = Instant::now();
            while let Some(change) = waiting.pop_front() {
                answers.push(change(Ok(Desk {
                    connection,
                    ids,
                    most_evaluated,
                })));
                // A full disk, say, undoes all of a transaction.
                if !connection.is_in_transaction() {
                    return Err(undone());
                }
                if begun.elapsed() > GATHER {
                    break;
                }
            }
            let evaluate = AssertUnwindSafe(|| {
                connection.part(|connection| {
                    let context = WriteContext::of_nobody(clock.now());
                    Unit::run_within(connection, ids, context, usize::MAX, |unit| {
                        evaluation_queue::step(unit, step)
                    })
                })
            });
            let evaluated = catch_unwind(evaluate).unwrap_or_else(|_| Err(panicked()));
            if !connection.is_in_transaction() {
                return Err(undone());
            }
            // A fault of the queue is no fault of the changes.
            Ok(evaluated.unwrap_or_else(|why: Error| {
                tracing::error!(%why, "users in the queue of evaluations could not be evaluated");
                false
            }))
        })
    }
}

fn undone() -> Error {
    Error::Unavailable("the transaction was undone".to_owned())
}
