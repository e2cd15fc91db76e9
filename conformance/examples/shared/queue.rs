//! Work that is done side by side, each piece on a thread of its own.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::{Mutex, PoisonError, mpsc};

/// Works through tasks, so many at once. Each result is handed to `keep` as it comes, with its number and the number of tasks.
pub(crate) fn through<T: Send, R: Send>(
    tasks: VecDeque<T>,
    at_once: usize,
    work: impl Fn(&T) -> R + Sync,
    mut keep: impl FnMut((usize, usize), T, R) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let count = tasks.len();
    let open = Mutex::new(tasks);
    let next = || open.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..at_once.max(1) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some(task) = next() {
                    let result = work(&task);
                    if sender.send((task, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (number, (task, result)) in receiver.into_iter().enumerate() {
            keep((number + 1, count), task, result)?;
        }
        Ok(())
    })
}
