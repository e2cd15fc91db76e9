//! What time has done: records whose expiry has passed are recorded as expired, and the log says so. No answer waits for it
//! (the state shown follows the clock by itself, O1); it keeps the recorded state from falling behind.

use std::collections::BTreeSet;

use rollcall::Timestamp;
use rollcall::model::{DirectoryAttribute, DirectoryUser, LogAction, PolicyRule};

use crate::change::fields::Fields;
use crate::change::unit::Unit;
use crate::dialect::Connection;
use crate::error::Result;
use crate::lifecycle::{EXPIRED, EXPIRING};
use crate::sql::{Sql, Word};
use crate::tables::state::{EXPIRY_IS_RECORDED, MANIFEST};
use crate::tables::table::Stored;

/// How many records of a kind are recorded at once: few, so that no change waits long.
const AT_ONCE: i64 = 100;

/// When the next record expires that is not recorded as expired yet.
pub fn next(connection: &Connection) -> Result<Option<Timestamp>> {
    let mut sql = Sql::new("SELECT min(expires_at) FROM (");
    sql.push_each(" UNION ALL ", &EXPIRY_IS_RECORDED, |sql, table| {
        sql.push([
            "SELECT min(expires_at) AS expires_at FROM ",
            table,
            " WHERE state = ",
        ])
        .push(Word(EXPIRING));
    });
    sql.push(") t");
    let found = connection.first(&sql, |cells| cells.timestamp_or_null())?;
    Ok(found.flatten())
}

/// Records some expiries that have passed; gives how many. Called again until there are none.
pub fn expire_due(unit: &mut Unit<'_>) -> Result<usize> {
    let now = unit.now();
    let mut expired = 0;
    for table in EXPIRY_IS_RECORDED {
        for (id, expires_at) in due(unit, table, now)? {
            let fields = Fields::new().set("state", EXPIRED).set("updated_at", now);
            if table == DirectoryUser::TABLE {
                unit.update(table, &id, &fields.set("expired_at", expires_at))?;
                unit.mark_user_dirty(&id);
            } else {
                unit.update(table, &id, &fields)?;
            }
            if table == DirectoryAttribute::TABLE {
                unit.mark_attribute_dirty(&id)?;
            }
            if table == PolicyRule::TABLE {
                unit.mark_rule_dirty(&id);
            }
            unit.log_transition(LogAction::Expired, &id, format!("Expired at {expires_at}."))?;
            expired += 1;
        }
    }
    let mut sql = Sql::new("SELECT directory_user_id FROM policy_users WHERE standing = ");
    sql.push(Word(MANIFEST)).push(" AND expires_at <= ");
    // In the order of the index, so that nothing is read when nothing has lapsed.
    sql.bind(now).push(" ORDER BY expires_at LIMIT ").bind(AT_ONCE);
    let lapsed: BTreeSet<String> = unit
        .connection()
        .query(&sql, |cells| cells.string())?
        .into_iter()
        .collect();
    lapsed.iter().for_each(|user| unit.mark_user_dirty(user));
    Ok(expired + lapsed.len())
}

fn due(unit: &Unit<'_>, table: &'static str, now: Timestamp) -> Result<Vec<(String, Timestamp)>> {
    let mut sql = Sql::new(["SELECT id, expires_at FROM ", table]);
    sql.push(" WHERE state = ")
        .push(Word(EXPIRING))
        .push(" AND expires_at <= ")
        .bind(now)
        .push(" ORDER BY expires_at, id LIMIT ")
        .bind(AT_ONCE);
    unit.connection()
        .query(&sql, |cells| Ok((cells.string()?, cells.timestamp()?)))
}
