//! Errors of the server as those of the store. No text of ours has an address with a password in it, and none of the
//! server's has.

use postgres::error::SqlState;

use crate::error::Error;

/// That the connection was lost while it was used. Whether a transaction was committed is not known then.
pub(super) fn lost() -> Error {
    Error::Unavailable("the connection to PostgreSQL was lost".to_owned())
}

/// Why no connection could be made.
pub(super) fn unreachable(why: &postgres::Error) -> Error {
    match why.code() {
        Some(&SqlState::TOO_MANY_CONNECTIONS) => Error::Full(told(why)),
        _ => Error::Unreachable(told(why)),
    }
}

/// States after which the server may do the same again later.
const UNAVAILABLE: [SqlState; 13] = [
    SqlState::INSUFFICIENT_PRIVILEGE,
    SqlState::QUERY_CANCELED,
    SqlState::READ_ONLY_SQL_TRANSACTION,
    SqlState::FEATURE_NOT_SUPPORTED,
    SqlState::TOO_MANY_CONNECTIONS,
    SqlState::DISK_FULL,
    SqlState::OUT_OF_MEMORY,
    SqlState::T_R_SERIALIZATION_FAILURE,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::LOCK_NOT_AVAILABLE,
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
];

/// States in which the database is not the one we were told of.
const WRONG_DATABASE: [SqlState; 3] = [
    SqlState::UNDEFINED_TABLE,
    SqlState::UNDEFINED_COLUMN,
    SqlState::UNDEFINED_FILE,
];

/// The error of the store.
pub(super) fn error(why: &postgres::Error) -> Error {
    let Some(state) = why.code() else {
        return match why.is_closed() {
            true => lost(),
            false => Error::Unavailable(told(why)),
        };
    };
    let class = &state.code()[..2];
    if UNAVAILABLE.contains(state) || ["08", "28", "53", "57", "58"].contains(&class) {
        return Error::Unavailable(told(why));
    }
    if WRONG_DATABASE.contains(state) || class == "XX" {
        return Error::Corrupt(told(why));
    }
    Error::Failed(told(why))
}

/// Whether the session is of no use any more: lost, or with a server that has become a replica. A replica calls `BEGIN READ
/// WRITE` a feature that is not supported, as every server does a prepared statement whose table was changed meanwhile.
pub(super) fn ends_session(why: &postgres::Error) -> bool {
    let ends = |state: &SqlState| {
        [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::READ_ONLY_SQL_TRANSACTION,
            SqlState::FEATURE_NOT_SUPPORTED,
        ]
        .contains(state)
    };
    why.is_closed() || why.code().is_some_and(ends)
}

/// What the server or the library says, with its cause.
fn told(why: &postgres::Error) -> String {
    if let Some(told) = why.as_db_error() {
        return format!("PostgreSQL: {}", told.message());
    }
    match std::error::Error::source(why) {
        Some(cause) => format!("PostgreSQL: {why}: {cause}"),
        None => format!("PostgreSQL: {why}"),
    }
}
