//! The rules whose users are still to be evaluated: a change concerned more users than it evaluates itself. The writer evaluates
//! some of them in each step, so that no other change waits long. The queue is a table, so a server that starts finds what the
//! last one left.

use crate::change::fields::Fields;
use crate::change::policy;
use crate::change::unit::Unit;
use crate::error::Result;
use crate::sql::Sql;

const TABLE: &str = "pending_evaluations";

/// Adds a rule at the end of the queue. If it is in the queue, it is begun anew. If it is not live any more, what it granted
/// ends now (P5).
pub fn add(unit: &mut Unit<'_>, rule: &str) -> Result<()> {
    let is_live = policy::is_live(unit.connection(), rule, unit.now())?;
    unit.delete(TABLE, &Fields::new().set("rule_id", rule))?;
    let fields = Fields::new()
        .set("rule_id", rule)
        .set("is_live", is_live)
        .set("after_user", "");
    unit.insert(TABLE, &fields)
}

/// Evaluates the next so many users; whether there were any in the queue.
pub fn step(unit: &mut Unit<'_>, most: usize) -> Result<bool> {
    let first = Sql::new("SELECT rule_id, after_user FROM pending_evaluations ORDER BY number LIMIT 1");
    let first = unit
        .connection()
        .first(&first, |cells| Ok((cells.string()?, cells.string()?)))?;
    let Some((rule, after)) = first else {
        return Ok(false);
    };
    let users = policy::users_of(unit.connection(), &rule, &after, most)?;
    match users.last().filter(|_| users.len() == most) {
        Some(last) => {
            let mut sql = Sql::new("UPDATE pending_evaluations SET after_user = ");
            sql.bind(last.as_str()).push(" WHERE rule_id = ").bind(rule);
            unit.execute(&sql)?;
        }
        None => unit.delete(TABLE, &Fields::new().set("rule_id", rule))?,
    }
    policy::evaluate(unit, &users)?;
    Ok(true)
}
