//! A list query against the store: one page, with what was asked to be included.

use rollcall::http::{Json, Page};
use rollcall::list::{ListQuery, Selector};
use rollcall::record::{Part, Record as _};

use crate::dialect::Connection;
use crate::error::Result;
use crate::query::page::fetch_page;
use crate::query::related::{include, member_name};
use crate::query::request::ListRequest;
use crate::query::rows::Rows;
use crate::render::{Included, Rendered, push_columns};
use crate::sql::{Sql, Value};
use crate::tables::resource::{Inclusion, Resource};
use crate::tables::table::{ReadContext, RecordType, Stored};

/// The page that `query` asks for.
pub fn list<R: Resource>(
    connection: &Connection,
    reading: &ReadContext<'_>,
    query: &ListQuery<R>,
) -> Result<Page<R::Record>> {
    let request = ListRequest::of(connection, reading, query)?;
    let is_backward = request.order.is_backward();
    let relations = relations(query);
    let included = match &relations {
        Some(relations) if relations.is_empty() => Included::Same("{}".to_owned()),
        Some(_) => Included::Later,
        None => Included::Same(names(query)),
    };
    let mut rows = fetch_page(&request, included)?;
    let total = query.total.then(|| request.count(None)).transpose()?;
    let total = total.map(i64::unsigned_abs);
    let links = links(&request, &rows, total);
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
            count: spec.count.and_then(count_place::<R>),
        })
    });
    let relations: Option<Vec<_>> = relations.collect();
    relations.filter(|_| !shows_names::<R>())
}

/// The place of a member among the counts of a record.
fn count_place<R: Resource>(member: &str) -> Option<usize> {
    let counts = R::Record::PARTS.iter().filter_map(|part| match part {
        Part::Count(spec) => Some(spec.member),
        _ => None,
    });
    counts
        .enumerate()
        .find_map(|(place, name)| (name == member).then_some(place))
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
    reading: &ReadContext<'_>,
    id: &str,
) -> Result<Option<Json<R::Record>>> {
    let record = RecordType::of::<R::Record>();
    let mut sql = Sql::new("SELECT ");
    push_columns(&mut sql, record, reading);
    sql.push([" FROM ", R::Record::TABLE, " t WHERE t.id = "])
        .bind(id);
    R::SCOPE.push(&mut sql, "t", reading.now);
    let included = if shows_names::<R>() { "[]" } else { "{}" };
    connection.first(&sql, |cells| {
        let mut records = Rendered::new(record, Included::Same(included.to_owned()), 1);
        records.push(cells, reading)?;
        Ok(Json::rendered(records.record(0).to_vec()))
    })
}

/// Addresses of the neighbouring pages (L4).
fn links<R: Resource>(
    request: &ListRequest<'_, R>,
    rows: &Rows,
    total: Option<u64>,
) -> Vec<(&'static str, String)> {
    let (query, is_backward) = (request.query, request.order.is_backward());
    let to = |page: Selector| {
        let text = ListQuery {
            page,
            ..query.clone()
        }
        .print();
        let mark = if text.is_empty() { "" } else { "?" };
        [request.reading.base, R::PATH, mark, &text].concat()
    };
    let cursor = |place: &Vec<Value>, backward| to(Selector::Cursor(request.cursor(place, backward).print()));
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
