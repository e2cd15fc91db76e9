//! States and standings in SQL: the one place that writes their words, and the state that time has changed since (O1).

use rollcall::Timestamp;

use crate::lifecycle::{EXPIRED, EXPIRING};
use crate::sql::{Sql, Word};

/// A policy user in a manifest (P1).
pub(crate) const MANIFEST: &str = "manifest";
/// A policy user, or anything else, that is staged (P1).
pub(crate) const STAGED: &str = "staged";
/// A policy user who only qualifies (P1).
pub(crate) const QUALIFIED: &str = "qualified";

/// The tables whose records are recorded as expired once their expiry has passed.
pub const EXPIRY_IS_RECORDED: [&str; 4] = [
    "directory_users",
    "workspace_users",
    "directory_attributes",
    "policy_rules",
];

/// Adds the condition that `t` shows this state, written so that an index on the stored one helps (O1). If `is_behind`, a record
/// may have expired that is not recorded as expired yet.
pub fn push_is_state(sql: &mut Sql, state: &str, now: Timestamp, is_behind: bool) {
    sql.push("(t.state = ").bind(state);
    match state {
        EXPIRING if is_behind => {
            sql.push(" AND t.expires_at > ").bind(now);
        }
        EXPIRED if is_behind => {
            sql.push(" OR (");
            push_due(sql, now);
            sql.push(")");
        }
        _ => {}
    }
    sql.push(")");
}

/// Adds the state that `t` shows now (O1).
pub fn push_state(sql: &mut Sql, now: Timestamp) {
    push_due(sql.push("CASE WHEN "), now);
    sql.push(" THEN ").push(Word(EXPIRED)).push(" ELSE t.state END");
}

/// Adds the timestamp at which `t` expired, where the store has not recorded it yet too.
pub fn push_expired_at(sql: &mut Sql, now: Timestamp) {
    push_due(sql.push("CASE WHEN "), now);
    sql.push(" THEN t.expires_at ELSE t.expired_at END");
}

/// Adds the condition that `t` has expired and is not recorded as expired.
pub(crate) fn push_due(sql: &mut Sql, now: Timestamp) {
    sql.push("t.state = ")
        .push(Word(EXPIRING))
        .push(" AND t.expires_at <= ")
        .bind(now);
}
