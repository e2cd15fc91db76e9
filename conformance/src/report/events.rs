//! What happens while a run goes on, for a display of progress.

use std::time::Duration;

use crate::report::{Checked, Verdict};

/// One step of a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The run begins.
    Started {
        /// How many checks were selected.
        checks: usize,
    },
    /// A list was read.
    ListRead {
        /// The list.
        list: &'e str,
        /// How many records it shows without parameters; none if it did not answer with records.
        records: Option<usize>,
    },
    /// How long the run is expected to take, by the answers so far; told only if that is long.
    Expected {
        /// In seconds.
        seconds: u64,
        /// How long it may take.
        budget: Option<Duration>,
    },
    /// A check begins.
    Checking {
        /// Its number.
        id: &'static str,
    },
    /// A check is done.
    Checked(&'e Checked),
    /// A check that was done has failed by a query that was sent later.
    Revised(&'e Checked),
    /// The run is over.
    Finished(&'e Verdict),
}
