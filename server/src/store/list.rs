//! A list query against the store: one page, with what was asked to be included.

use rollcall::Timestamp;
use rollcall::http::{Json, Page};
use rollcall::list::{ListQuery, Selector};
use rollcall::record::{Part, Record as _};

use crate::store::cursor::Cursor;
use crate::store::dialect::Connection;
use crate::store::filter::push_where;
use crate::store::order::{Order, Run};
use crate::store::related::{Inclusion, include, member_name};
use crate::store::render::{Included, Rendered, push_columns};
use crate::store::sql::{Sql, Value};
use crate::store::table::{Reading, Resource, Stored};
use crate::store::{Error, Result};

/// The page that `query` asks for.
pub fn list<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    query: &ListQuery<R>,
) -> Result<Page<R::Record>> {
    let place = place(query)?;
    let is_backward = place.as_ref().is_some_and(|cursor| cursor.backward);
    let order = Order::of::<R>(query.order(), is_backward, reading.now);
    let place = place.map(|cursor| cursor.values);
    if place.as_ref().is_some_and(|values| values.len() != order.width()) {
        return Err(Error::BadCursor);
    }
    let relations = relations(query);
    let included = match &relations {
        Some(relations) if relations.is_empty() => Included::Same("{}".to_owned()),
        Some(_) => Included::Later,
        None => Included::Same(names(query)),
    };
    let mut rows = walk(connection, reading, query, &order, place.as_deref(), included)?;
    let total = query
        .total
        .then(|| count(connection, reading.now, query))
        .transpose()?;
    let links = links(reading, query, &rows, is_backward, total);
    if let Some(relations) = relations.filter(|relations| !relations.is_empty()) {
        rows.records = include(connection, reading, rows.records, &relations)?;
    }
    Ok(Page {
        records: Json::rendered(rows.records.into_array(is_backward)),
        links,
        total,
    })
}

/// The relations that a query asks for; `None` if the list shows their names alone.
fn relations<R: Resource>(query: &ListQuery<R>) -> Option<Vec<Inclusion>> {
    let relations = query.include.iter().map(|(relation, form)| {
        let spec = R::RELATIONS.iter().find(|spec| spec.relation == *relation)?;
        Some(Inclusion {
            member: spec.member,
            form: *form,
            related: R::relation(*relation)?,
        })
    });
    let relations: Option<Vec<_>> = relations.collect();
    relations.filter(|_| !shows_names::<R>())
}

fn shows_names<R: Resource>() -> bool {
    R::Record::PARTS
        .iter()
        .any(|part| matches!(part, Part::IncludedNames))
}

/// The names of what a query asks for, as `included` would call them (R7, R8).
fn names<R: Resource>(query: &ListQuery<R>) -> String {
    let names = query.include.iter().filter_map(|(relation, form)| {
        let spec = R::RELATIONS.iter().find(|spec| spec.relation == *relation)?;
        Some(member_name(spec.member, *form))
    });
    serde_json::json!(names.collect::<Vec<_>>()).to_string()
}

/// The record with this id, soft-deleted or not.
pub fn get<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    id: &str,
) -> Result<Option<Json<R::Record>>> {
    let mut sql = Sql::new("SELECT ");
    push_columns::<R::Record>(&mut sql, reading);
    sql.push(&format!(" FROM {} t WHERE t.id = ", R::Record::TABLE))
        .bind(id);
    R::SCOPE.push(&mut sql, "t", reading.now);
    let included = if shows_names::<R>() { "[]" } else { "{}" };
    connection.first(&sql, |cells| {
        let mut records = Rendered::new(reading.base, Included::Same(included.to_owned()));
        records.push::<R::Record>(cells, reading)?;
        Ok(Json::rendered(records.record(0).to_vec()))
    })
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

/// The rows of a page, in the direction they were walked.
struct Rows {
    records: Rendered,
    /// The places of the first and of the last row; the last one only if there are more rows.
    first: Option<Vec<Value>>,
    last: Option<Vec<Value>>,
    /// Whether there are more rows.
    has_more: bool,
}

fn place<R: Resource>(query: &ListQuery<R>) -> Result<Option<Cursor>> {
    let Selector::Cursor(text) = &query.page else {
        return Ok(None);
    };
    let cursor = Cursor::parse(text).filter(|cursor| cursor.sort == query.sort_words());
    cursor.map(Some).ok_or(Error::BadCursor)
}

/// The rows of a page, in the direction of the order. One row more is asked for, and not read, so that it is known whether
/// there is another page.
fn walk<R: Resource>(
    connection: &Connection,
    reading: &Reading<'_>,
    query: &ListQuery<R>,
    order: &Order,
    place: Option<&[Value]>,
    included: Included,
) -> Result<Rows> {
    let size = usize::from(query.size);
    let mut skip = match query.page {
        Selector::Number(number) => i64::try_from((number - 1) * u64::from(query.size)).unwrap_or(i64::MAX),
        Selector::Cursor(_) => 0,
    };
    let mut rows = Rows {
        records: Rendered::new(reading.base, included),
        first: None,
        last: None,
        has_more: false,
    };
    let mut start = match place {
        Some(values) => Some((order.run_of(values).ok_or(Error::BadCursor)?, values)),
        None => None,
    };
    for &run in order.runs() {
        if start.is_some_and(|(first, _)| first != run) {
            continue;
        }
        let behind = start.take().map(|(_, values)| values);
        let left = i64::try_from(size + 1 - rows.records.len()).unwrap_or_default();
        let sql = page_sql(connection, reading, query, order, (run, behind), (left, skip))?;
        connection.visit(&sql, |cells| {
            if rows.records.len() == size {
                rows.has_more = true;
                return Ok(false);
            }
            rows.records.push::<R::Record>(cells, reading)?;
            let number = rows.records.len();
            if number == 1 || number == size {
                let place: Vec<Value> = (0..order.width()).map(|_| cells.value()).collect::<Result<_>>()?;
                rows.last = Some(place);
                if number == 1 {
                    rows.first.clone_from(&rows.last);
                }
            }
            Ok(true)
        })?;
        if rows.has_more {
            break;
        }
        if skip > 0 {
            // The pages before this one reach into the next run by what this run did not fill.
            skip = if rows.records.len() == 0 {
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

/// Addresses of the neighbouring pages (L4).
fn links<R: Resource>(
    reading: &Reading<'_>,
    query: &ListQuery<R>,
    rows: &Rows,
    is_backward: bool,
    total: Option<u64>,
) -> Vec<(&'static str, String)> {
    let to = |page: Selector| {
        let text = ListQuery {
            page,
            ..query.clone()
        }
        .print();
        let mark = if text.is_empty() { "" } else { "?" };
        [reading.base, R::PATH, mark, &text].concat()
    };
    let cursor = |place: &Vec<Value>, backward| {
        let cursor = Cursor {
            sort: query.sort_words(),
            backward,
            values: place.clone(),
        };
        to(Selector::Cursor(cursor.print()))
    };
    // The last row that was walked is the first one of the page when one walks backwards.
    let (first, last) = match is_backward {
        true => (&rows.last, &rows.first),
        false => (&rows.first, &rows.last),
    };
    let mut links = vec![("first", to(Selector::Number(1)))];
    let previous = match &query.page {
        Selector::Number(1) => None,
        Selector::Number(number) => Some(to(Selector::Number(number - 1))),
        Selector::Cursor(_) if is_backward && !rows.has_more => None,
        Selector::Cursor(_) => first.as_ref().map(|place| cursor(place, true)),
    };
    links.extend(previous.map(|address| ("prev", address)));
    if rows.has_more || is_backward {
        links.extend(last.as_ref().map(|place| ("next", cursor(place, false))));
    }
    if let Some(total) = total {
        let last = total.div_ceil(u64::from(query.size)).max(1);
        links.push(("last", to(Selector::Number(last))));
    }
    links
}
