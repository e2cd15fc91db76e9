//! Conditions of a list query as SQL: the one place where a filter becomes a predicate.

use std::collections::BTreeSet;

use rollcall::Timestamp;
use rollcall::list::{Condition, ListQuery, Match, Test, Trashed, Value as Wanted};
use rollcall::record::Record;

use crate::dialect::{SEARCH_CHARS, push_candidates, push_scan, push_search};
use crate::fold::{SEPARATOR, fold};
use crate::sql::{Name, Sql, Value};
use crate::tables::column::Column;
use crate::tables::resource::Resource;
use crate::tables::state::{push_due, push_expired_at, push_is_state, push_state};
use crate::tables::table::{ReadContext, Stored, Table as _};

/// How it is found out which rows pass a condition on a text or on another table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contains {
    /// By the search index, where there is one and the needle is long enough.
    Search,
    /// By looking into each text.
    Scan,
    /// The same; and what links a row is looked for row by row, because few rows are looked at.
    Row,
}

/// Adds ` WHERE …` for all that a query asks for, pages aside.
pub fn push_where<R: Resource>(
    sql: &mut Sql,
    query: &ListQuery<R>,
    reading: &ReadContext<'_>,
    contains: Contains,
) {
    sql.push(" WHERE ");
    push_trashed(sql, query.trashed);
    R::SCOPE.push(sql, "t", reading.now);
    for condition in &query.conditions {
        sql.push(" AND ");
        push_condition::<R>(sql, condition, reading, contains);
    }
}

/// Adds the condition on soft-deleted records.
pub fn push_trashed(sql: &mut Sql, trashed: Trashed) {
    sql.push(match trashed {
        // The word keeps the database from thinking that few records are not deleted, and from sorting what it finds so.
        Trashed::Without => "{unused}t.deleted_at IS NULL",
        Trashed::Only => "t.deleted_at IS NOT NULL",
        Trashed::With => "TRUE",
    });
}

/// Adds one condition.
pub fn push_condition<R: Resource>(
    sql: &mut Sql,
    condition: &Condition<R::Field>,
    reading: &ReadContext<'_>,
    contains: Contains,
) {
    let filter = condition.filter;
    if !filter.all.is_empty() {
        let wanted = condition.value == Wanted::Flag(true);
        sql.push(if wanted { "(" } else { "NOT (" });
        sql.push_each(" AND ", filter.all, |sql, (field, test)| {
            push_test::<R>(sql, R::column(*field), *test, reading);
        });
        sql.push(")");
        return;
    }
    match (filter.matching, &condition.value) {
        (Match::Contains, Wanted::Text(needle)) => {
            let contains = if can_search::<R>(condition) {
                contains
            } else {
                Contains::Scan
            };
            push_contains(
                sql,
                R::Record::TABLE,
                &searched_columns::<R>(condition),
                &fold(needle),
                contains,
            );
        }
        (Match::Before, Wanted::Timestamp(timestamp)) => {
            push_compared::<R>(sql, filter.any_of, " < ", *timestamp, reading)
        }
        (Match::After, Wanted::Timestamp(timestamp)) => {
            push_compared::<R>(sql, filter.any_of, " > ", *timestamp, reading)
        }
        (_, Wanted::Text(text)) if is_in_no_text(text) => {
            sql.push("FALSE");
        }
        (_, Wanted::Text(text)) => {
            push_equal::<R>(sql, filter.any_of, Value::from(text.as_str()), contains, reading)
        }
        (_, Wanted::Flag(flag)) => push_equal::<R>(sql, filter.any_of, Value::from(*flag), contains, reading),
        (_, Wanted::Timestamp(timestamp)) => {
            push_equal::<R>(sql, filter.any_of, Value::from(*timestamp), contains, reading)
        }
    }
}

/// Adds `SELECT 1 …` of the rows that pass a condition, or of the rows that link them, which may be more: those are not all read
/// before the first one is known.
pub fn push_passing<R: Resource>(sql: &mut Sql, condition: &Condition<R::Field>, reading: &ReadContext<'_>) {
    if let (Match::Exact, Wanted::Text(text), &[field]) = (
        condition.filter.matching,
        &condition.value,
        condition.filter.any_of,
    ) && let Column::Joined(path) = R::column(field)
        && path.key == "id"
        && !is_in_no_text(text)
    {
        sql.push(["SELECT 1 FROM ", path.table, " x WHERE x.", path.theirs, " = "]);
        path.scope.push(sql.bind(text.as_str()), "x", reading.now);
        return;
    }
    sql.push(["SELECT 1 FROM ", R::Record::TABLE, " t WHERE "]);
    push_condition::<R>(sql, condition, reading, Contains::Scan);
}

fn push_any<F: Copy>(sql: &mut Sql, fields: &[F], mut push: impl FnMut(&mut Sql, F)) {
    sql.push("(")
        .push_each(" OR ", fields, |sql, field| push(sql, *field))
        .push(")");
}

fn push_equal<R: Resource>(
    sql: &mut Sql,
    fields: &[R::Field],
    wanted: Value,
    contains: Contains,
    reading: &ReadContext<'_>,
) {
    push_any(sql, fields, |sql, field| match (R::column(field), &wanted) {
        (Column::State, Value::Text(state)) => {
            push_is_state(sql, state, reading.now, reading.is_behind::<R::Record>());
        }
        // The folded twin leads the index; the value itself decides (L9).
        (Column::Text(column), Value::Text(text)) => {
            sql.push(["t.", column, "_folded = "])
                .bind(fold(text))
                .push([" AND t.", column, " = "])
                .bind(text.as_str());
        }
        (Column::Joined(path), _) if contains == Contains::Row => {
            path.push_links(sql, "t", reading.now, |sql| {
                sql.push(" = ").bind(wanted.clone());
            })
        }
        _ => R::row_set(field).push_matches(sql, reading.now, |sql| {
            sql.push(" = ").bind(wanted.clone());
        }),
    });
}

fn push_compared<R: Resource>(
    sql: &mut Sql,
    fields: &[R::Field],
    operator: &'static str,
    timestamp: Timestamp,
    reading: &ReadContext<'_>,
) {
    push_any(sql, fields, |sql, field| match R::column(field) {
        // Either recorded, or passed and not yet recorded; each part has an index.
        Column::ExpiredAt => {
            sql.push("t.expired_at").push(operator).bind(timestamp);
            if reading.is_behind::<R::Record>() {
                push_due(sql.push(" OR ("), reading.now);
                sql.push(" AND t.expires_at").push(operator);
                sql.bind(timestamp).push(")");
            }
        }
        _ => R::row_set(field).push_matches(sql, reading.now, |sql| {
            sql.push(operator).bind(timestamp);
        }),
    });
}

fn push_test<R: Resource>(sql: &mut Sql, column: Column, test: Test, reading: &ReadContext<'_>) {
    match (column, test) {
        (Column::State, Test::Is(state)) => {
            push_is_state(sql, state, reading.now, reading.is_behind::<R::Record>());
        }
        (Column::State, test) => {
            push_state(sql, reading.now);
            push_presence(sql, test);
        }
        (Column::Plain(column) | Column::Text(column) | Column::Json(column), test) => {
            push_plain(sql, column, test)
        }
        (Column::ExpiredAt, test) => {
            push_expired_at(sql, reading.now);
            push_presence(sql, test);
        }
        (Column::Joined(path), test) => push_plain(sql, path.key, test),
    }
}

fn push_plain(sql: &mut Sql, column: &'static str, test: Test) {
    sql.push(["t.", column]);
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
fn folded(column: Column) -> Option<Name> {
    match column {
        Column::Plain(column) => Some(Name::Own(column)),
        Column::Text(column) | Column::Json(column) => Some(Name::Folded(column)),
        Column::State | Column::ExpiredAt | Column::Joined(_) => None,
    }
}

/// The columns of `t` that [`push_where`] looks at, for a row that is known by its other columns.
pub fn tested_columns<R: Resource>(query: &ListQuery<R>) -> BTreeSet<Name> {
    let mut columns = BTreeSet::new();
    if query.trashed != Trashed::With {
        columns.insert(Name::Own("deleted_at"));
    }
    columns.extend(R::SCOPE.tested().iter().copied().map(Name::Own));
    for condition in &query.conditions {
        let filter = condition.filter;
        if filter.matching == Match::Contains {
            columns.extend(searched_columns::<R>(condition));
            continue;
        }
        let tested = filter.all.iter().map(|(field, _)| field);
        for field in filter.any_of.iter().chain(tested) {
            match R::column(*field) {
                Column::Plain(name) | Column::Json(name) => columns.extend([Name::Own(name)]),
                Column::Text(name) => columns.extend([Name::Own(name), Name::Folded(name)]),
                Column::State => columns.extend(["state", "expires_at"].map(Name::Own)),
                Column::ExpiredAt => columns.extend(["state", "expires_at", "expired_at"].map(Name::Own)),
                Column::Joined(path) => columns.extend([Name::Own(path.key)]),
            }
        }
    }
    columns
}

/// The columns that a condition looks into for a part of their text.
fn searched_columns<R: Resource>(condition: &Condition<R::Field>) -> Vec<Name> {
    let fields = condition.filter.any_of.iter();
    fields.filter_map(|field| folded(R::column(*field))).collect()
}

/// Adds `SELECT …` of rows among which are all that pass a condition: they have so many parts of the needle, the rarest ones.
/// Gives the number of all its parts, or nothing if the search index cannot find the rows.
pub fn push_hits<R: Resource>(
    sql: &mut Sql,
    condition: &Condition<R::Field>,
    most_parts: usize,
) -> Option<usize> {
    let Wanted::Text(needle) = &condition.value else {
        return None;
    };
    let columns = searched_columns::<R>(condition);
    let push = || push_candidates(sql, R::Record::TABLE, &columns, &fold(needle), most_parts);
    can_search::<R>(condition).then(push)
}

/// Whether the search index can answer a condition on a part of a text.
fn can_search<R: Resource>(condition: &Condition<R::Field>) -> bool {
    let Wanted::Text(needle) = &condition.value else {
        return false;
    };
    if is_in_no_text(needle) {
        return false;
    }
    let searched = <R::Record as Record>::Member::SEARCHED;
    let mut columns = searched_columns::<R>(condition).into_iter();
    fold(needle).chars().count() >= SEARCH_CHARS && columns.all(|column| searched.contains(&column))
}

/// No value has these characters: import refuses them.
fn is_in_no_text(needle: &str) -> bool {
    needle.contains([SEPARATOR, '\0'])
}

fn push_contains(sql: &mut Sql, table: &'static str, columns: &[Name], needle: &str, contains: Contains) {
    if is_in_no_text(needle) {
        sql.push("FALSE");
        return;
    }
    match contains {
        Contains::Search => push_search(sql, table, columns, needle),
        Contains::Scan | Contains::Row => push_scan(sql, columns, needle),
    }
}
