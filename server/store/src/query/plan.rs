//! How the rows of a page are found: by walking the order of the list, or by looking up what few rows pass a filter.
//!
//! A filter that most records pass is tested while the order is walked; rows that pass a rare one are looked up first, and
//! sorted. Which it is, is asked of the indexes. A walk that finds too little ends after so many rows; then both questions are
//! asked again, of more rows. So a page costs a few times as much as the better of both ways, whatever is in the directory.

use std::cell::RefCell;

use rollcall::list::{Condition, ListQuery, Match, Trashed};

use crate::dialect::{Connection, ROW};
use crate::error::Result;
use crate::memory::Memory;
use crate::query::filter::{Contains, push_hits, push_passing, push_trashed};
use crate::render::column_count;
use crate::sql::Sql;
use crate::tables::column::Column;
use crate::tables::resource::Resource;
use crate::tables::table::{ReadContext, RecordType, Stored};

/// How rows are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// As the database chooses by its own statistics.
    Database,
    /// As the database thinks best: one index serves the conditions and the order, or there is nothing to choose.
    Any,
    /// By walking the order, at most so many rows, and testing each.
    Walk(i64),
    /// By looking up the rows that pass, and sorting them.
    LookUp,
    /// The same among these rows, which the search index has found.
    Among(Vec<i64>),
}

/// Rows that a walk visits at least, for each column of a record: as much work as a few pages of 100 records.
const WALKED_PER_COLUMN: i64 = 30;

/// A walk visits so many times the rows that it is expected to need.
const MARGIN: f64 = 1.5;

/// How many times the rows of one walk the next one visits at most: rows that pass may lie closer together further on.
const MOST_GROWTH: i64 = 4;

/// How many rows are walked in the time in which one row is looked up and sorted.
const LOOK_UP: i64 = 3;

/// So many parts of a text find few rows beside those that have all of it, and take less time: the index has a list of rows for
/// each part, and walks through all lists.
const RAREST: usize = 3;

/// Chooses a plan for a query.
///
/// If `k` of `n` rows pass, spread evenly, a page of `p` rows is walked within `p * n / k` rows. That is the same work as to look
/// up `k` rows where `k * LOOK_UP` is as many. So the rows are looked up if `k` is less than that, and walked if it is not.
pub(crate) fn choose<R: Resource>(
    connection: &Connection,
    query: &ListQuery<R>,
    reading: &ReadContext<'_>,
) -> Result<Plan> {
    if connection.plans_itself() {
        return Ok(Plan::Database);
    }
    if !is_open(query) {
        return Ok(Plan::Any);
    }
    let rows = rows_of(connection, R::Record::TABLE, reading)?;
    let even = (f64::from(query.size) * rows as f64 * LOOK_UP as f64).sqrt() as i64;
    let columns = i64::try_from(column_count(RecordType::of::<R::Record>())).unwrap_or_default();
    let walked = even.max(columns * WALKED_PER_COLUMN);
    choose_for(connection, query, reading, even / LOOK_UP, walked)
}

/// About how many rows a table has: the number of its last row.
fn rows_of(connection: &Connection, table: &'static str, reading: &ReadContext<'_>) -> Result<i64> {
    if let Some(rows) = reading.memory.and_then(|memory| memory.borrow().rows(table)) {
        return Ok(rows);
    }
    let sql = Sql::new(["SELECT ", ROW, " FROM ", table, " ORDER BY 1 DESC LIMIT 1"]);
    let rows = connection.first(&sql, |cells| cells.int())?.unwrap_or_default();
    if let Some(memory) = reading.memory {
        memory.borrow_mut().remember_rows(table, rows);
    }
    Ok(rows)
}

/// Chooses a plan after a walk of so many rows has found so many of those that are wanted.
pub(crate) fn choose_after_walk<R: Resource>(
    connection: &Connection,
    query: &ListQuery<R>,
    reading: &ReadContext<'_>,
    walked: i64,
    (found, wanted): (i64, i64),
) -> Result<Plan> {
    // What is found so far says how far apart the rows are.
    let expected = walked as f64 * wanted as f64 / found.max(1) as f64;
    let walked = ((expected * MARGIN) as i64).min(walked * MOST_GROWTH);
    choose_for(connection, query, reading, walked / LOOK_UP, walked)
}

/// Looks up the rows that pass, if they are few; else walks so many rows.
fn choose_for<R: Resource>(
    connection: &Connection,
    query: &ListQuery<R>,
    reading: &ReadContext<'_>,
    few: i64,
    walked: i64,
) -> Result<Plan> {
    for condition in &query.conditions {
        if condition.filter.matching == Match::Contains {
            if let Some(hits) = few_hits::<R>(connection, condition, reading, few)? {
                return Ok(Plan::Among(hits));
            }
            continue;
        }
        let mut sql = Sql::default();
        push_passing::<R>(&mut sql, condition, reading);
        if is_few(connection, sql, few)? {
            return Ok(Plan::LookUp);
        }
    }
    if query.trashed == Trashed::Only {
        let mut sql = Sql::new(["SELECT 1 FROM ", R::Record::TABLE, " t WHERE "]);
        push_trashed(&mut sql, query.trashed);
        if is_few(connection, sql, few)? {
            return Ok(Plan::LookUp);
        }
    }
    Ok(Plan::Walk(walked))
}

/// The rows that the search index finds for a condition, if they are at most so many.
fn few_hits<R: Resource>(
    connection: &Connection,
    condition: &Condition<R::Field>,
    reading: &ReadContext<'_>,
    few: i64,
) -> Result<Option<Vec<i64>>> {
    let text = format!("{} {} {:?}", R::PATH, condition.filter.name, condition.value);
    let is_common = |memory: &RefCell<Memory>| memory.borrow().is_common(&text, few);
    if reading.memory.is_some_and(is_common) {
        return Ok(None);
    }
    let mut parts = RAREST;
    loop {
        let mut sql = Sql::default();
        let Some(all_parts) = push_hits::<R>(&mut sql, condition, parts) else {
            return Ok(None);
        };
        sql.push(" LIMIT ").bind(few + 1);
        let hits = connection.query(&sql, |cells| cells.int())?;
        if (hits.len() as i64) <= few {
            return Ok(Some(hits));
        }
        if all_parts <= parts {
            break;
        }
        parts = all_parts;
    }
    if let Some(memory) = reading.memory {
        memory.borrow_mut().remember_common(text, few);
    }
    Ok(None)
}

/// How a condition on a part of a text is tested where all rows that pass are wanted.
pub(crate) fn search(connection: &Connection) -> Contains {
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

/// Whether a query finds at most so many rows.
fn is_few(connection: &Connection, mut sql: Sql, few: i64) -> Result<bool> {
    sql.push(" LIMIT 1 OFFSET ").bind(few);
    Ok(connection.first(&sql, |_| Ok(()))?.is_none())
}
