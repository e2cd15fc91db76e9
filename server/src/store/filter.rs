//! Conditions of a list query as SQL: the one place where a filter becomes a predicate.

use rollcall::Timestamp;
use rollcall::list::{Condition, ListQuery, Match, Test, Trashed, Value as Wanted};
use rollcall::record::Record;

use crate::lifecycle;
use crate::store::Result;
use crate::store::column::{Column, push_expired_at, push_state};
use crate::store::dialect::{Connection, SEARCH_CHARS, SEARCH_LIMIT, push_scan, push_search};
use crate::store::fold::{SEPARATOR, fold};
use crate::store::sql::{Sql, Value};
use crate::store::table::{Resource, Stored, Table as _};

/// Adds ` WHERE …` for all that a query asks for, pages aside.
pub fn push_where<R: Resource>(
    connection: &Connection,
    sql: &mut Sql,
    query: &ListQuery<R>,
    now: Timestamp,
) -> Result<()> {
    // The plus keeps the database from thinking that few records are not deleted, and from sorting what it finds so.
    sql.push(match query.trashed {
        Trashed::Without => " WHERE +t.deleted_at IS NULL",
        Trashed::Only => " WHERE t.deleted_at IS NOT NULL",
        Trashed::With => " WHERE TRUE",
    });
    R::SCOPE.push(sql, "t", now);
    for condition in &query.conditions {
        sql.push(" AND ");
        push_condition::<R>(connection, sql, condition, now)?;
    }
    Ok(())
}

fn push_condition<R: Resource>(
    connection: &Connection,
    sql: &mut Sql,
    condition: &Condition<R::Field>,
    now: Timestamp,
) -> Result<()> {
    let filter = condition.filter;
    if !filter.all.is_empty() {
        let wanted = condition.value == Wanted::Flag(true);
        sql.push(if wanted { "(" } else { "NOT (" });
        for (place, (field, test)) in filter.all.iter().enumerate() {
            sql.push(if place == 0 { "" } else { " AND " });
            push_test(sql, R::column(*field), *test, now);
        }
        sql.push(")");
        return Ok(());
    }
    match (filter.matching, &condition.value) {
        (Match::Contains, Wanted::Text(needle)) => {
            let columns: Vec<_> = filter
                .any_of
                .iter()
                .filter_map(|field| folded(R::column(*field)))
                .collect();
            return push_contains::<R>(connection, sql, &columns, &fold(needle));
        }
        (Match::Before, Wanted::Moment(moment)) => {
            push_compared::<R>(sql, filter.any_of, " < ", *moment, now)
        }
        (Match::After, Wanted::Moment(moment)) => push_compared::<R>(sql, filter.any_of, " > ", *moment, now),
        (_, Wanted::Text(text)) => push_equal::<R>(sql, filter.any_of, Value::from(text.as_str()), now),
        (_, Wanted::Flag(flag)) => push_equal::<R>(sql, filter.any_of, Value::from(*flag), now),
        (_, Wanted::Moment(moment)) => push_equal::<R>(sql, filter.any_of, Value::from(*moment), now),
    }
    Ok(())
}

fn push_any<F: Copy>(sql: &mut Sql, fields: &[F], mut push: impl FnMut(&mut Sql, F)) {
    sql.push("(");
    for (place, field) in fields.iter().enumerate() {
        sql.push(if place == 0 { "" } else { " OR " });
        push(sql, *field);
    }
    sql.push(")");
}

fn push_equal<R: Resource>(sql: &mut Sql, fields: &[R::Field], wanted: Value, now: Timestamp) {
    push_any(sql, fields, |sql, field| match (R::column(field), &wanted) {
        (Column::State, Value::Text(state)) => push_is_state(sql, state, now),
        // The folded twin leads the index; the value itself decides (L9).
        (Column::Text(column), Value::Text(text)) => {
            sql.push(&format!("t.{column}_folded = "))
                .bind(fold(text))
                .push(&format!(" AND t.{column} = "));
            sql.bind(text.as_str());
        }
        _ => R::row_set(field).push_matches(sql, now, |sql| {
            sql.push(" = ").bind(wanted.clone());
        }),
    });
}

fn push_compared<R: Resource>(
    sql: &mut Sql,
    fields: &[R::Field],
    operator: &str,
    moment: Timestamp,
    now: Timestamp,
) {
    push_any(sql, fields, |sql, field| match R::column(field) {
        // Either recorded, or passed and not yet recorded; each part has an index.
        Column::ExpiredAt => {
            sql.push("t.expired_at").push(operator).bind(moment);
            sql.push(" OR (t.state = 'expiring' AND t.expires_at <= ")
                .bind(now)
                .push(" AND t.expires_at")
                .push(operator);
            sql.bind(moment).push(")");
        }
        _ => R::row_set(field).push_matches(sql, now, |sql| {
            sql.push(operator).bind(moment);
        }),
    });
}

/// Adds the condition that `t` shows this state, written so that an index on the stored one helps (O1).
pub fn push_is_state(sql: &mut Sql, state: &str, now: Timestamp) {
    sql.push("(t.state = ").bind(state);
    match state {
        lifecycle::EXPIRING => {
            sql.push(" AND t.expires_at > ").bind(now);
        }
        lifecycle::EXPIRED => {
            sql.push(" OR (t.state = 'expiring' AND t.expires_at <= ")
                .bind(now)
                .push(")");
        }
        _ => {}
    }
    sql.push(")");
}

fn push_test(sql: &mut Sql, column: Column, test: Test, now: Timestamp) {
    match (column, test) {
        (Column::State, Test::Is(state)) => push_is_state(sql, state, now),
        (Column::State, Test::Present(_)) => push_state(sql, now),
        (Column::Plain(column) | Column::Text(column) | Column::Json(column), test) => {
            push_plain(sql, column, test)
        }
        (Column::ExpiredAt, test) => {
            push_expired_at(sql, now);
            push_presence(sql, test);
        }
        (Column::Joined(path), test) => push_plain(sql, path.key, test),
    }
}

fn push_plain(sql: &mut Sql, column: &str, test: Test) {
    sql.push("t.").push(column);
    push_presence(sql, test);
}

fn push_presence(sql: &mut Sql, test: Test) {
    match test {
        Test::Is(word) => {
            sql.push(" = ").bind(word);
        }
        Test::Present(true) => {
            sql.push(" IS NOT NULL");
        }
        Test::Present(false) => {
            sql.push(" IS NULL");
        }
    }
}

/// The column that is searched: an id is its own folded twin.
fn folded(column: Column) -> Option<String> {
    match column {
        Column::Plain(column) => Some(column.to_owned()),
        Column::Text(column) | Column::Json(column) => Some(format!("{column}_folded")),
        Column::State | Column::ExpiredAt | Column::Joined(_) => None,
    }
}

/// Few hits come from the search index. Many are found sooner by walking the order of the list, and a needle too short for
/// the index can only be found so.
fn push_contains<R: Resource>(
    connection: &Connection,
    sql: &mut Sql,
    columns: &[String],
    needle: &str,
) -> Result<()> {
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    if needle.contains([SEPARATOR, '\0']) {
        // No value has these characters: import refuses them.
        sql.push("FALSE");
        return Ok(());
    }
    let searched = <R::Record as Record>::Member::SEARCHED;
    let indexed =
        needle.chars().count() >= SEARCH_CHARS && columns.iter().all(|column| searched.contains(column));
    let table = R::Record::TABLE;
    if indexed && connection.search_hits(table, &columns, needle)? < SEARCH_LIMIT {
        push_search(sql, table, &columns, needle);
    } else {
        push_scan(sql, &columns, needle);
    }
    Ok(())
}
