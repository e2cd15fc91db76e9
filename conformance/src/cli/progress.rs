//! Tells on standard error how far a run is.

use std::io::{self, Write};

use crate::events::Event;

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Nothing.
    None,
    /// What is done.
    Done,
    /// What begins, too.
    All,
}

impl Detail {
    pub(super) fn of(quiet: bool, verbose: bool) -> Self {
        match (quiet, verbose) {
            (true, _) => Self::None,
            (false, true) => Self::All,
            (false, false) => Self::Done,
        }
    }
}

/// Tells an event.
pub(super) fn tell(event: &Event<'_>, detail: Detail) {
    let line = match event {
        _ if detail == Detail::None => return,
        Event::Surveyed {
            list,
            records: Some(records),
        } => format!("read {list}: {records} records"),
        Event::Surveyed { list, records: None } => format!("read {list}: no list"),
        Event::Checked(check) => format!("{:<4} {}", check.id, check.outcome.word()),
        Event::Started { checks } if detail == Detail::All => format!("{checks} checks"),
        Event::Checking { id } if detail == Detail::All => format!("{id:<4} …"),
        Event::Started { .. } | Event::Checking { .. } | Event::Finished(_) => return,
    };
    say(&line);
}

/// Says something on standard error.
pub(super) fn say(line: &str) {
    // Nobody is helped if a closed standard error ends the run.
    _ = writeln!(io::stderr(), "{line}");
}
