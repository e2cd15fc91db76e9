//! Where a page is cut: the walk from segment to segment of an order, from the beginning of the page until it is full.

use std::cell::RefCell;

use rollcall::list::{ListQuery, Selector};

use crate::dialect::Connection;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::query::order::{Order, Segment};
use crate::query::part::Part;
use crate::query::plan;
use crate::query::request::ListRequest;
use crate::query::rows::Rows;
use crate::render::Included;
use crate::sql::{Sql, Value};
use crate::tables::resource::Resource;
use crate::tables::table::{ReadContext, RecordType};

/// Rows that are passed over at once; passing over more takes long.
const MOST_SKIPPED: i64 = 10_000;

/// Where a page begins.
struct Start<'q> {
    /// The memory of the beginnings of pages and the key of the list in it, if they do not depend on the time.
    memory: Option<(&'q RefCell<Memory>, String)>,
    /// The number of the page.
    number: u64,
    /// A place before the page that is remembered.
    place: Option<Vec<Value>>,
    /// How many rows lie between the place, or the beginning of the list, and the page.
    skip: i64,
}

impl<'q> Start<'q> {
    fn of<R: Resource>(request: &ListRequest<'q, R>) -> Self {
        let (query, order) = (request.query, &request.order);
        let Selector::Number(number) = query.page else {
            return Self {
                memory: None,
                number: 1,
                place: None,
                skip: 0,
            };
        };
        let rows = |pages: u64| i64::try_from(pages * u64::from(query.size)).unwrap_or(i64::MAX);
        let is_timeless = query.conditions.is_empty() && !R::SCOPE.lapses() && !order.follows_time();
        let is_kept = number > 1 && is_timeless && order.segments().len() == 1;
        let memory = request.reading.memory.filter(|_| is_kept).map(|memory| {
            let first = ListQuery {
                page: Selector::Number(1),
                ..query.clone()
            };
            (memory, [R::PATH, &first.print()].concat())
        });
        let nearest = memory
            .as_ref()
            .and_then(|(memory, key)| memory.borrow().nearest_page_start(key, number));
        let (known, place) = nearest.map_or((1, None), |(known, place)| (known, Some(place)));
        Self {
            memory,
            number,
            place,
            skip: rows(number - known),
        }
    }

    /// Remembers where the page begins, and where the next one does.
    fn remember(&self, order: &Order, rows: &mut Rows) {
        let Some((memory, key)) = &self.memory else { return };
        let next = rows.last.clone().filter(|_| rows.has_more);
        let known = [(self.number, rows.start.take()), (self.number + 1, next)];
        for (number, kept) in known {
            if let Some(place) = kept.and_then(|kept| order.place(kept)) {
                memory.borrow_mut().remember_page_start(key, number, place);
            }
        }
    }
}

/// The rows of a page, in the direction of the order. One row more is asked for, and not read, so that it is known whether
/// there is another page.
pub(crate) fn fetch_page<R: Resource>(request: &ListRequest<'_, R>, included: Included) -> Result<Rows> {
    let ListRequest {
        connection,
        reading,
        query,
        order,
        ..
    } = request;
    let size = usize::from(query.size);
    let mut rows = Rows::new(RecordType::of::<R::Record>(), included, size, order.kept_width());
    let start = Start::of(request);
    let mut skip = start.skip;
    if skip > MOST_SKIPPED {
        connection.takes_long()?;
    }
    let mut after = match start.place.as_deref().or(request.place.as_deref()) {
        Some(values) => Some((order.segment_of(values).ok_or(Error::BadCursor)?, values)),
        None => None,
    };
    let mut plan = None;
    for &segment in order.segments() {
        if after.is_some_and(|(first, _)| first != segment) {
            continue;
        }
        let after = after.take().map(|(_, values)| values);
        if order.has_none_of(segment, query) {
            continue;
        }
        let mut part = Part {
            request,
            segment,
            after,
            limit: rows.wanted(),
            skip,
            finds_start: start.memory.is_some() && skip > 0,
            // What one segment has few of, the others are not walked for.
            plan: match plan.take() {
                Some(plan) => plan,
                None => plan::choose(connection, query, reading)?,
            },
        };
        part.fetch(&mut rows)?;
        plan = Some(part.plan);
        if rows.has_more {
            break;
        }
        if skip > 0 {
            // The pages before this one reach into the next segment by what this segment did not fill.
            skip = match rows.records.len() {
                0 => (skip - request.count(Some(segment))?).max(0),
                _ => 0,
            };
        }
    }
    start.remember(order, &mut rows);
    Ok(rows)
}

/// The statements that a page may take, one for each segment of its order: for a look at how the database answers them.
pub fn statements<R: Resource>(
    connection: &Connection,
    reading: &ReadContext<'_>,
    query: &ListQuery<R>,
) -> Result<Vec<Sql>> {
    let request = ListRequest::of(connection, reading, query)?;
    let (order, place) = (&request.order, request.place.as_deref());
    let first = place.and_then(|place| order.segment_of(place));
    let segments = order
        .segments()
        .iter()
        .skip_while(|segment| first.is_some_and(|first| first != **segment))
        .filter(|segment| !order.has_none_of(**segment, query));
    let plan = plan::choose(connection, query, reading)?;
    let sql = |&segment: &Segment| {
        let part = Part {
            request: &request,
            segment,
            after: place.filter(|_| first == Some(segment)),
            limit: i64::from(query.size) + 1,
            skip: 0,
            finds_start: false,
            plan: plan.clone(),
        };
        part.sql()
    };
    Ok(segments.map(sql).collect())
}
