//! How the rows of a page are found: by walking the order of the list, or by looking up what few rows pass a filter.
//!
//! A filter that most records pass is tested while the order is walked; rows that pass a rare one are looked up first, and
//! sorted. Which it is, is asked of the indexes, and a walk that finds too little ends after so many rows.

use rollcall::Timestamp;
use rollcall::list::{Condition, ListQuery, Match, Trashed};

use crate::store::Result;
use crate::store::column::Column;
use crate::store::dialect::Connection;
use crate::store::filter::{Contains, push_condition, push_hits, push_trashed};
use crate::store::sql::Sql;
use crate::store::table::{Resource, Stored};

/// How rows are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// As the database chooses by its own statistics.
    Database,
    /// As the database thinks best: one index serves the conditions and the order, or there is nothing to choose.
    Any,
    /// By walking the order, a bounded number of rows, and testing each.
    Walk,
    /// By looking up the rows that pass, and sorting them.
    LookUp,
    /// The same among these rows, which the search index has found.
    Among(Vec<i64>),
}

/// Rows that a walk visits before it is given up.
pub(super) const MOST_WALKED: i64 = 4_000;

/// Rows up to which looking them up is no question.
const FEW: i64 = 500;

/// Hits of the search index up to which looking them up is no question: to find one costs more than a step in an index.
const FEW_HITS: i64 = 200;

/// Chooses a plan for a query.
pub(super) fn choose<R: Resource>(
    connection: &Connection,
    query: &ListQuery<R>,
    now: Timestamp,
) -> Result<Plan> {
    if connection.plans_itself() {
        return Ok(Plan::Database);
    }
    if !is_open(query) {
        return Ok(Plan::Any);
    }
    for condition in &query.conditions {
        if condition.filter.matching == Match::Contains {
            let mut sql = Sql::default();
            if push_hits::<R>(&mut sql, condition) {
                sql.push(" LIMIT ").bind(FEW_HITS + 1);
                let hits = connection.query(&sql, |cells| cells.int())?;
                if (hits.len() as i64) <= FEW_HITS {
                    return Ok(Plan::Among(hits));
                }
            }
            continue;
        }
        let mut sql = Sql::new("SELECT count(*) FROM (SELECT 1 FROM ");
        sql.push(R::Record::TABLE).push(" t WHERE ");
        push_condition::<R>(&mut sql, condition, now, Contains::Scan);
        if is_few(connection, sql, FEW)? {
            return Ok(Plan::LookUp);
        }
    }
    if query.trashed == Trashed::Only {
        let mut sql = Sql::new("SELECT count(*) FROM (SELECT 1 FROM ");
        sql.push(R::Record::TABLE).push(" t WHERE ");
        push_trashed(&mut sql, query.trashed);
        if is_few(connection, sql, FEW)? {
            return Ok(Plan::LookUp);
        }
    }
    Ok(Plan::Walk)
}

/// How a condition on a part of a text is tested where all rows that pass are wanted.
pub(super) fn search(connection: &Connection) -> Contains {
    match connection.plans_itself() {
        true => Contains::Scan,
        false => Contains::Search,
    }
}

/// Whether there is something to choose: a text to search, or a filter under the order of another field.
fn is_open<R: Resource>(query: &ListQuery<R>) -> bool {
    let searches = |condition: &Condition<R::Field>| condition.filter.matching == Match::Contains;
    if query.conditions.iter().any(searches) {
        return true;
    }
    let Some(first) = query.sort.first() else {
        return query.conditions.iter().any(has_no_index_by_id::<R>);
    };
    let orders = |condition: &Condition<R::Field>| condition.filter.any_of.contains(&first.field);
    let is_filtered = !query.conditions.is_empty() || query.trashed == Trashed::Only;
    is_filtered && !query.conditions.iter().any(orders)
}

/// Whether the rows that pass are not in an index one after the other by id.
fn has_no_index_by_id<R: Resource>(condition: &Condition<R::Field>) -> bool {
    let fields = condition.filter.any_of.iter();
    let is_one_value = matches!(condition.filter.matching, Match::Exact | Match::Flag);
    let mut columns = fields.map(|field| R::column(*field));
    condition.filter.any_of.is_empty()
        || !is_one_value
        || columns.any(|column| matches!(column, Column::Joined(_)))
}

fn is_few(connection: &Connection, mut sql: Sql, few: i64) -> Result<bool> {
    sql.push(" LIMIT ").bind(few + 1).push(")");
    let found = connection.first(&sql, |cells| cells.int())?.unwrap_or_default();
    Ok(found <= few)
}
