//! A list query against the store: one page, with what was asked to be included.

use rollcall::Timestamp;
use rollcall::http::Page;
use rollcall::list::{ListQuery, Selector};

use crate::store::cursor::Cursor;
use crate::store::dialect::{Cells, Connection};
use crate::store::filter::push_where;
use crate::store::order::{Order, Run};
use crate::store::resource::{Readable, Reading, Resource, push_columns};
use crate::store::sql::{Sql, Value};
use crate::store::{Error, Result};

/// The page that `query` asks for. `path` is the list's, for links.
pub fn list<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    path: &str,
    query: &ListQuery<R>,
) -> Result<Page<R::Record>> {
    let place = place(query)?;
    let backward = place.as_ref().is_some_and(|cursor| cursor.backward);
    let order = Order::of::<R>(query.order(), backward, reading.now);
    let place = place.map(|cursor| cursor.values);
    if place.as_ref().is_some_and(|values| values.len() != order.width()) {
        return Err(Error::BadCursor);
    }
    let mut rows = walk(connection, reading, query, &order, place.as_deref())?;
    let more = rows.len() > usize::from(query.size);
    rows.truncate(query.size.into());
    if backward {
        rows.reverse();
    }
    let total = query
        .total
        .then(|| count(connection, reading.now, query))
        .transpose()?;
    let around = Around {
        more,
        backward,
        total,
    };
    let links = links(reading, path, query, &rows, &around);
    let mut records: Vec<_> = rows.into_iter().map(|row| row.record).collect();
    if !query.include.is_empty() && !records.is_empty() {
        R::include(connection, reading, &mut records, &query.include)?;
    }
    Ok(Page {
        records,
        links,
        total,
    })
}

/// The record with this id, soft-deleted or not.
pub fn get<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    id: &str,
) -> Result<Option<R::Record>> {
    let mut sql = Sql::new("SELECT ");
    push_columns::<R::Record>(&mut sql, reading);
    sql.push(&format!(" FROM {} t WHERE t.id = ", R::Record::TABLE))
        .bind(id);
    R::ONLY.push(&mut sql, "t", reading.now);
    connection.first(&sql, |cells| R::Record::read(cells, reading))
}

/// The statements that a page may take, one for each run of its order: for a look at how the database answers them.
pub fn statements<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    query: &ListQuery<R>,
) -> Result<Vec<Sql>> {
    let place = place(query)?;
    let backward = place.as_ref().is_some_and(|cursor| cursor.backward);
    let order = Order::of::<R>(query.order(), backward, reading.now);
    let limit = (i64::from(query.size) + 1, 0);
    let first = place.as_ref().and_then(|cursor| order.run_of(&cursor.values));
    let runs = order
        .runs()
        .iter()
        .skip_while(|run| first.is_some_and(|first| first != **run));
    runs.map(|&run| {
        let behind = place
            .as_ref()
            .filter(|_| first == Some(run))
            .map(|cursor| cursor.values.as_slice());
        page_sql(connection, reading, query, &order, (run, behind), limit)
    })
    .collect()
}

struct Row<T> {
    record: T,
    place: Vec<Value>,
}

fn place<R: Resource>(query: &ListQuery<R>) -> Result<Option<Cursor>> {
    let Selector::Cursor(text) = &query.page else {
        return Ok(None);
    };
    let cursor = Cursor::parse(text).filter(|cursor| cursor.sort == query.sort_words());
    cursor.map(Some).ok_or(Error::BadCursor)
}

/// One record more than a page, so that it is known whether there is another; in the direction of the order.
fn walk<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    query: &ListQuery<R>,
    order: &Order,
    place: Option<&[Value]>,
) -> Result<Vec<Row<R::Record>>> {
    let wanted = i64::from(query.size) + 1;
    let mut skip = match query.page {
        Selector::Number(number) => i64::try_from((number - 1) * u64::from(query.size)).unwrap_or(i64::MAX),
        Selector::Cursor(_) => 0,
    };
    let mut rows = Vec::new();
    let mut start = match place {
        Some(values) => Some((order.run_of(values).ok_or(Error::BadCursor)?, values)),
        None => None,
    };
    for &run in order.runs() {
        if start.is_some_and(|(first, _)| first != run) {
            continue;
        }
        let behind = start.take().map(|(_, values)| values);
        let left = wanted - i64::try_from(rows.len()).unwrap_or(wanted);
        let sql = page_sql(connection, reading, query, order, (run, behind), (left, skip))?;
        let found = connection.query(&sql, |cells| row(cells, reading, order.width()))?;
        rows.extend(found);
        if rows.len() as i64 == wanted {
            break;
        }
        if skip > 0 {
            // The pages before this one reach into the next run by what this run did not fill.
            skip = if rows.is_empty() {
                (skip - run_length(connection, reading, query, order, run)?).max(0)
            } else {
                0
            };
        }
    }
    Ok(rows)
}

fn page_sql<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    query: &ListQuery<R>,
    order: &Order,
    (run, behind): (Run, Option<&[Value]>),
    (limit, skip): (i64, i64),
) -> Result<Sql> {
    let mut sql = Sql::new("SELECT ");
    push_columns::<R::Record>(&mut sql, reading);
    order.push_values(&mut sql);
    sql.push(&format!(" FROM {} t", R::Record::TABLE));
    push_where(connection, &mut sql, query, reading.now)?;
    order.push_run(&mut sql, run);
    if let Some(values) = behind {
        order.push_behind(&mut sql, run, values);
    }
    order.push_order(&mut sql, run);
    sql.push(" LIMIT ").bind(limit);
    if skip > 0 {
        sql.push(" OFFSET ").bind(skip);
    }
    Ok(sql)
}

fn row<T: Readable>(cells: &mut Cells<'_, '_>, reading: &Reading<'_>, width: usize) -> Result<Row<T>> {
    let record = T::read(cells, reading)?;
    let place = (0..width).map(|_| cells.value()).collect::<Result<_>>()?;
    Ok(Row { record, place })
}

fn run_length<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    query: &ListQuery<R>,
    order: &Order,
    run: Run,
) -> Result<i64> {
    let mut sql = Sql::new(&format!("SELECT count(*) FROM {} t", R::Record::TABLE));
    push_where(connection, &mut sql, query, reading.now)?;
    order.push_run(&mut sql, run);
    Ok(connection.first(&sql, |cells| cells.int())?.unwrap_or_default())
}

/// How many records the query finds on all pages.
fn count<R: Resource>(connection: &Connection, now: Timestamp, query: &ListQuery<R>) -> Result<u64> {
    let mut sql = Sql::new(&format!("SELECT count(*) FROM {} t", R::Record::TABLE));
    push_where(connection, &mut sql, query, now)?;
    let count = connection.first(&sql, |cells| cells.int())?.unwrap_or_default();
    Ok(count.unsigned_abs())
}

struct Around {
    more: bool,
    backward: bool,
    total: Option<u64>,
}

/// Addresses of the neighbouring pages (L4).
fn links<R: Resource>(
    reading: &Reading<'_>,
    path: &str,
    query: &ListQuery<R>,
    rows: &[Row<R::Record>],
    around: &Around,
) -> Vec<(&'static str, String)> {
    let to = |page: Selector| {
        let text = ListQuery {
            page,
            ..query.clone()
        }
        .print();
        let mark = if text.is_empty() { "" } else { "?" };
        [reading.base, path, mark, &text].concat()
    };
    let cursor = |row: &Row<R::Record>, backward| {
        let cursor = Cursor {
            sort: query.sort_words(),
            backward,
            values: row.place.clone(),
        };
        to(Selector::Cursor(cursor.print()))
    };
    let mut links = vec![("first", to(Selector::Number(1)))];
    let previous = match &query.page {
        Selector::Number(1) => None,
        Selector::Number(number) => Some(to(Selector::Number(number - 1))),
        Selector::Cursor(_) if around.backward && !around.more => None,
        Selector::Cursor(_) => rows.first().map(|row| cursor(row, true)),
    };
    links.extend(previous.map(|address| ("prev", address)));
    if around.more || around.backward {
        links.extend(rows.last().map(|row| ("next", cursor(row, false))));
    }
    if let Some(total) = around.total {
        let last = total.div_ceil(u64::from(query.size)).max(1);
        links.push(("last", to(Selector::Number(last))));
    }
    links
}
