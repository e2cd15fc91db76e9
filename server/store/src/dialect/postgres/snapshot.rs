//! What a transaction sees: a number for its state of the database, which caches are valid for, and how far the server had come
//! before.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use postgres::SimpleQueryMessage;

use crate::position::Position;

/// How far a server has come: what it has written, or what a replica has replayed.
macro_rules! position {
    () => {
        "SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END
         - '0/0'::pg_lsn)::bigint"
    };
}

/// Begins a transaction that reads one state.
macro_rules! begin {
    () => {
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
         SELECT pg_current_snapshot(), pg_is_in_recovery(), pg_postmaster_start_time()"
    };
}

/// Asks how far a server has come.
pub(super) const POSITION: &str = position!();

/// Asks whether the server takes changes. It is one of two columns.
pub(super) const CHANGES: &str =
    "CASE WHEN pg_is_in_recovery() THEN 'replica' ELSE current_setting('default_transaction_read_only') END";

/// Whether a server takes changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Changes {
    /// It does.
    #[default]
    Taken,
    /// `default_transaction_read_only` is on.
    ReadOnly,
    /// Its primary does: it is a replica.
    OnPrimary,
}

/// Begins a transaction that reads one state.
pub(super) const BEGIN: &str = begin!();

/// The same; the first row is the position before. It is asked before the state is taken: afterwards, the server might have
/// come farther than the state. All of it is one message, so one server answers all of it, whatever stands in between.
pub(super) const BEGIN_WITH_POSITION: &str = concat!("BEGIN;", position!(), "; COMMIT;", begin!());

/// What a transaction sees.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Snapshot {
    /// Another number for each other state.
    pub(super) version: i64,
    /// How far the server had come before, if it was asked.
    pub(super) position: Option<Position>,
    /// Whether the server takes changes, if it was asked.
    pub(super) changes: Changes,
}

impl Snapshot {
    /// Reads the answer to [`BEGIN`], [`BEGIN_WITH_POSITION`] or [`CHANGES`]. Two sessions of this process never see the same number: the
    /// server behind an address can be another one than before, with other transactions under the same numbers.
    pub(super) fn of(messages: &[SimpleQueryMessage], session: u64, transaction: u64) -> Self {
        let rows = messages.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let mut snapshot = Self::default();
        for row in rows {
            let cells = || (0..row.len()).map(|place| row.get(place));
            match row.len() {
                1 => snapshot.position = position(row.get(0)),
                2 => {
                    snapshot.changes = match row.get(0) {
                        Some("replica") => Changes::OnPrimary,
                        Some("on") => Changes::ReadOnly,
                        _ => Changes::Taken,
                    }
                }
                _ => snapshot.version = version(cells(), session, transaction),
            }
        }
        snapshot
    }
}

/// The position in the answer to [`POSITION`].
pub(super) fn position(cell: Option<&str>) -> Option<Position> {
    cell?.parse().ok().map(Position::new)
}

/// A number for what is seen: a snapshot `xmin:xmax:others`, whether the server is a replica, and when it was started.
fn version<'c>(cells: impl Iterator<Item = Option<&'c str>> + Clone, session: u64, transaction: u64) -> i64 {
    let mut hasher = DefaultHasher::new();
    session.hash(&mut hasher);
    for cell in cells.clone() {
        cell.hash(&mut hasher);
    }
    let mut cells = cells.map(Option::unwrap_or_default);
    let (seen, is_replica) = (cells.next().unwrap_or_default(), cells.next() == Some("t"));
    let mut ends = seen.split(':');
    // A replica does not tell which transactions between the two are under way, so the text can stay while one of them ends.
    if is_replica && ends.next() != ends.next() {
        transaction.hash(&mut hasher);
    }
    hasher.finish().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: [&str; 3], session: u64, transaction: u64) -> i64 {
        version(cells.into_iter().map(Some), session, transaction)
    }

    #[test]
    fn the_same_state_of_the_same_server_has_the_same_number() {
        for state in [
            ["10:10:", "f", "today"],
            ["10:12:10,11", "f", "today"],
            ["10:10:", "t", "today"],
        ] {
            assert_eq!(of(state, 1, 1), of(state, 1, 2), "{state:?}");
            assert_ne!(of(state, 1, 1), of(state, 2, 1), "another session");
        }
    }

    #[test]
    fn what_can_be_another_state_has_another_number() {
        let known = of(["10:10:", "t", "today"], 1, 1);
        for other in [
            ["10:11:", "t", "today"],
            ["10:10:", "f", "today"],
            ["10:10:", "t", "tomorrow"],
        ] {
            assert_ne!(of(other, 1, 1), known, "{other:?}");
        }
        let hidden = ["10:12:", "t", "today"];
        assert_ne!(of(hidden, 1, 1), of(hidden, 1, 2));
    }
}
