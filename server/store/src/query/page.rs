//! The rows of one page: the SQL that finds them, and the walk from segment to segment of an order.

use std::cell::RefCell;

use rollcall::list::{ListQuery, Selector};

use crate::dialect::{Cells, Connection, ROW, UNUSED, push_in_numbers};
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::query::filter::{Contains, push_where, tested_columns};
use crate::query::order::{Order, Segment};
use crate::query::plan::{self, Plan};
use crate::query::request::ListRequest;
use crate::render::{Included, Rendered, column_count, push_columns};
use crate::sql::{Sql, Value};
use crate::tables::resource::Resource;
use crate::tables::table::{ReadContext, RecordType, Stored};

/// Rows that are passed over at once; passing over more takes long.
const MOST_SKIPPED: i64 = 10_000;

/// The rows of a page, in the direction they were walked.
pub struct Rows {
    /// The records, without what they include.
    pub records: Rendered,
    /// The place of the first row in the order.
    pub first: Option<Vec<Value>>,
    /// The place of the last row in the order, if there are more rows.
    pub last: Option<Vec<Value>>,
    /// The place of the row before the first one, if it was looked at.
    start: Option<Vec<Value>>,
    /// Whether there are more rows.
    pub has_more: bool,
}

impl Rows {
    fn new(record: RecordType, included: Included, size: usize) -> Self {
        Self {
            records: Rendered::new(record, included, size),
            first: None,
            last: None,
            start: None,
            has_more: false,
        }
    }
}

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
    let mut rows = Rows::new(RecordType::of::<R::Record>(), included, size);
    let start = Start::of(request);
    let mut skip = start.skip;
    if skip > MOST_SKIPPED {
        connection.takes_long()?;
    }
    let mut after = match start.place.as_deref().or(request.place.as_deref()) {
        Some(values) => Some((order.segment_of(values).ok_or(Error::BadCursor)?, values)),
        None => None,
    };
    let mut plan = plan::choose(connection, query, reading)?;
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
            limit: i64::try_from(size + 1 - rows.records.len()).unwrap_or_default(),
            skip,
            finds_start: start.memory.is_some() && skip > 0,
            plan,
        };
        part.fetch(&mut rows)?;
        // What one segment has few of, the others are not walked for.
        plan = part.plan;
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

/// The part of a page that lies in one segment of the order.
struct Part<'p, R: Resource> {
    request: &'p ListRequest<'p, R>,
    segment: Segment,
    after: Option<&'p [Value]>,
    limit: i64,
    skip: i64,
    /// Whether the row before the page is looked at too, to know where the page begins.
    finds_start: bool,
    plan: Plan,
}

impl<R: Resource> Part<'_, R> {
    /// Adds the rows; looks further if a walk of the order has found too little.
    fn fetch(&mut self, rows: &mut Rows) -> Result<()> {
        let before = rows.records.len();
        self.fetch_once(rows)?;
        while let Plan::Walk(walked) = self.plan
            && !rows.has_more
            && self.goes_on_behind(walked)?
        {
            rows.records.truncate(before);
            let ListRequest {
                connection,
                reading,
                query,
                ..
            } = self.request;
            self.plan = plan::choose_after_walk(connection, query, reading, walked)?;
            self.fetch_once(rows)?;
        }
        Ok(())
    }

    fn fetch_once(&self, rows: &mut Rows) -> Result<()> {
        let ListRequest {
            connection,
            reading,
            query,
            order,
            ..
        } = self.request;
        let (size, width) = (usize::from(query.size), order.kept_width());
        let mut is_before = self.finds_start;
        connection.visit(&self.sql(), |cells| {
            let place =
                |cells: &mut Cells<'_, '_>| (0..width).map(|_| cells.value()).collect::<Result<Vec<_>>>();
            if std::mem::take(&mut is_before) {
                cells.group(column_count(RecordType::of::<R::Record>()))?;
                rows.start = Some(place(cells)?);
                return Ok(true);
            }
            if rows.records.len() == size {
                rows.has_more = true;
                return Ok(false);
            }
            rows.records.push(cells, reading)?;
            let number = rows.records.len();
            if number == 1 || number == size {
                rows.last = Some(place(cells)?);
                if number == 1 {
                    rows.first.clone_from(&rows.last);
                }
            }
            Ok(true)
        })
    }

    /// Finds the rows by what is in the indexes, if that is enough; then reads each of them, in the same order.
    fn sql(&self) -> Sql {
        let table = R::Record::TABLE;
        let mut sql = Sql::new("SELECT ");
        push_columns(&mut sql, RecordType::of::<R::Record>(), self.request.reading);
        self.request.order.push_kept(&mut sql);
        if self.plan == Plan::Database && self.skip == 0 {
            sql.push(" FROM ").push(table).push(" t");
            self.push_rows(&mut sql, Contains::Scan, "");
            return sql;
        }
        let rows = |sql: &mut Sql| {
            sql.push("SELECT t.").push(ROW).push(" AS row");
        };
        let from = |sql: &mut Sql| {
            sql.push(" FROM ").push(table).push(" t");
        };
        sql.push(" FROM (");
        match &self.plan {
            Plan::Walk(walked) => {
                // Rows that do not pass are not read, if the index of the order has what is tested.
                sql.push("SELECT t.row FROM (");
                rows(&mut sql);
                for column in tested_columns(self.request.query) {
                    sql.push(", t.").push(column);
                }
                from(&mut sql);
                sql.push(" WHERE TRUE");
                self.push_place(&mut sql, "");
                self.request.order.push_order(&mut sql, self.segment, "");
                sql.push(" LIMIT ").bind(*walked).push(") t");
                push_where(&mut sql, self.request.query, self.request.reading, Contains::Row);
                self.push_limit(&mut sql);
                push_found(&mut sql, table);
            }
            Plan::Database => {
                rows(&mut sql);
                from(&mut sql);
                self.push_rows(&mut sql, Contains::Scan, "");
                push_found(&mut sql, table);
                self.request.order.push_order(&mut sql, self.segment, "");
            }
            Plan::Any | Plan::LookUp | Plan::Among(_) => {
                rows(&mut sql);
                from(&mut sql);
                match self.plan {
                    Plan::LookUp => self.push_rows(&mut sql, Contains::Search, UNUSED),
                    Plan::Among(_) => self.push_rows(&mut sql, Contains::Scan, UNUSED),
                    _ => self.push_rows(&mut sql, Contains::Scan, ""),
                }
                push_found(&mut sql, table);
            }
        }
        sql
    }

    /// Adds the conditions, the order and the length of this part of the page.
    fn push_rows(&self, sql: &mut Sql, contains: Contains, prefix: &'static str) {
        push_where(sql, self.request.query, self.request.reading, contains);
        if let Plan::Among(rows) = &self.plan {
            sql.push(" AND t.").push(ROW);
            push_in_numbers(sql, rows);
        }
        self.push_place(sql, prefix);
        self.request.order.push_order(sql, self.segment, prefix);
        self.push_limit(sql);
    }

    fn push_place(&self, sql: &mut Sql, prefix: &'static str) {
        self.request.order.push_segment(sql, self.segment, prefix);
        if let Some(values) = self.after {
            self.request.order.push_after(sql, self.segment, values);
        }
    }

    fn push_limit(&self, sql: &mut Sql) {
        let before = i64::from(self.finds_start);
        sql.push(" LIMIT ").bind(self.limit + before);
        if self.skip > 0 {
            sql.push(" OFFSET ").bind(self.skip - before);
        }
    }

    /// Whether the segment has more rows than a walk has visited. If not, the walk has found all that pass.
    fn goes_on_behind(&self, walked: i64) -> Result<bool> {
        let mut sql = Sql::new(["SELECT 1 FROM ", R::Record::TABLE, " t WHERE TRUE"]);
        self.push_place(&mut sql, "");
        self.request.order.push_order(&mut sql, self.segment, "");
        sql.push(" LIMIT 1 OFFSET ").bind(walked);
        Ok(self.request.connection.first(&sql, |_| Ok(()))?.is_some())
    }
}

/// Ends a query of rows `w`, and adds each of them as `t`.
fn push_found(sql: &mut Sql, table: &'static str) {
    sql.push(") w {join} ")
        .push(table)
        .push(" t ON t.")
        .push(ROW)
        .push(" = w.row");
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
