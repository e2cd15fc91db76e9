//! The rows of one page: the SQL that finds them, and the walk from segment to segment of an order.

use rollcall::list::{ListQuery, Selector};

use crate::store::dialect::{Cells, Connection, ROW, UNUSED, push_in_numbers};
use crate::store::error::{Error, Result};
use crate::store::query::cursor::{Cursor, Question};
use crate::store::query::filter::{Contains, push_where, tested_columns};
use crate::store::query::order::{Order, Segment};
use crate::store::query::plan::{self, Plan};
use crate::store::render::{Included, Rendered, column_count, push_columns};
use crate::store::sql::{Sql, Value};
use crate::store::tables::resource::Resource;
use crate::store::tables::table::{ReadContext, RecordType, Stored};

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

/// The rows of a page, in the direction of the order. One row more is asked for, and not read, so that it is known whether
/// there is another page.
pub fn fetch_page<R: Resource>(
    connection: &Connection,
    reading: &ReadContext<'_>,
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
    let mut rows = Rows::new(RecordType::of::<R::Record>(), included, size);
    // Where a page begins does not depend on the time, and is in one walk.
    let starts = reading.memory.filter(|_| {
        let is_timeless = query.conditions.is_empty() && !R::SCOPE.lapses() && !order.follows_time();
        skip > 0 && is_timeless && order.segments().len() == 1
    });
    let key = starts.map(|_| {
        ListQuery {
            page: Selector::Number(1),
            ..query.clone()
        }
        .print()
    });
    let key = [R::PATH, key.as_deref().unwrap_or_default()].concat();
    let number = 1 + skip.unsigned_abs() / u64::from(query.size);
    let known = starts.and_then(|starts| starts.borrow().nearest_page_start(&key, number));
    if let Some((known, _)) = &known {
        skip = i64::try_from((number - known) * u64::from(query.size)).unwrap_or(i64::MAX);
    }
    if skip > MOST_SKIPPED {
        connection.takes_long()?;
    }
    let place = known.as_ref().map(|(_, place)| place.as_slice()).or(place);
    let mut start = match place {
        Some(values) => Some((order.segment_of(values).ok_or(Error::BadCursor)?, values)),
        None => None,
    };
    let mut plan = plan::choose(connection, query, reading)?;
    for &segment in order.segments() {
        if start.is_some_and(|(first, _)| first != segment) {
            continue;
        }
        let after = start.take().map(|(_, values)| values);
        if order.has_none_of(segment, query) {
            continue;
        }
        let before = rows.records.len();
        let mut part = Part {
            reading,
            query,
            order,
            segment,
            after,
            limit: i64::try_from(size + 1 - before).unwrap_or_default(),
            skip,
            finds_start: starts.is_some() && skip > 0,
            plan: plan.clone(),
        };
        part.fetch(connection, &mut rows)?;
        while let Plan::Walk(walked) = plan
            && !rows.has_more
            && part.goes_on_behind(connection, walked)?
        {
            rows.records.truncate(before);
            // What one segment has few of, the others are not walked for.
            plan = plan::choose_after_walk(connection, query, reading, walked)?;
            part.plan = plan.clone();
            part.fetch(connection, &mut rows)?;
        }
        if rows.has_more {
            break;
        }
        if skip > 0 {
            // The pages before this one reach into the next segment by what this segment did not fill.
            skip = if rows.records.len() == 0 {
                (skip - part.length(connection)?).max(0)
            } else {
                0
            };
        }
    }
    if let Some(starts) = starts {
        let (own, next) = (rows.start.take(), rows.last.clone().filter(|_| rows.has_more));
        for (number, kept) in own
            .map(|own| (number, own))
            .into_iter()
            .chain(next.map(|next| (number + 1, next)))
        {
            if let Some(place) = order.place(kept) {
                starts.borrow_mut().remember_page_start(&key, number, place);
            }
        }
    }
    Ok(rows)
}

/// The part of a page that lies in one segment of the order.
struct Part<'p, R: Resource> {
    reading: &'p ReadContext<'p>,
    query: &'p ListQuery<R>,
    order: &'p Order,
    segment: Segment,
    after: Option<&'p [Value]>,
    limit: i64,
    skip: i64,
    /// Whether the row before the page is looked at too, to know where the page begins.
    finds_start: bool,
    plan: Plan,
}

impl<R: Resource> Part<'_, R> {
    fn fetch(&self, connection: &Connection, rows: &mut Rows) -> Result<()> {
        let (size, width) = (usize::from(self.query.size), self.order.kept_width());
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
            rows.records.push(cells, self.reading)?;
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
        push_columns(&mut sql, RecordType::of::<R::Record>(), self.reading);
        self.order.push_kept(&mut sql);
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
                for column in tested_columns(self.query) {
                    sql.push(", t.").push(column);
                }
                from(&mut sql);
                sql.push(" WHERE TRUE");
                self.push_place(&mut sql, "");
                self.order.push_order(&mut sql, self.segment, "");
                sql.push(" LIMIT ").bind(*walked).push(") t");
                push_where(&mut sql, self.query, self.reading, Contains::Row);
                self.push_limit(&mut sql);
                push_found(&mut sql, table);
            }
            Plan::Database => {
                rows(&mut sql);
                from(&mut sql);
                self.push_rows(&mut sql, Contains::Scan, "");
                push_found(&mut sql, table);
                self.order.push_order(&mut sql, self.segment, "");
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
        push_where(sql, self.query, self.reading, contains);
        if let Plan::Among(rows) = &self.plan {
            sql.push(" AND t.").push(ROW);
            push_in_numbers(sql, rows);
        }
        self.push_place(sql, prefix);
        self.order.push_order(sql, self.segment, prefix);
        self.push_limit(sql);
    }

    fn push_place(&self, sql: &mut Sql, prefix: &'static str) {
        self.order.push_segment(sql, self.segment, prefix);
        if let Some(values) = self.after {
            self.order.push_after(sql, self.segment, values);
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
    fn goes_on_behind(&self, connection: &Connection, walked: i64) -> Result<bool> {
        let mut sql = Sql::new(["SELECT 1 FROM ", R::Record::TABLE, " t WHERE TRUE"]);
        self.push_place(&mut sql, "");
        self.order.push_order(&mut sql, self.segment, "");
        sql.push(" LIMIT 1 OFFSET ").bind(walked);
        Ok(connection.first(&sql, |_| Ok(()))?.is_some())
    }

    /// How many rows the whole segment has.
    fn length(&self, connection: &Connection) -> Result<i64> {
        let mut sql = Sql::new(["SELECT count(*) FROM ", R::Record::TABLE, " t"]);
        push_where(&mut sql, self.query, self.reading, plan::search(connection));
        self.order.push_segment(&mut sql, self.segment, "");
        Ok(connection.first(&sql, |cells| cells.int())?.unwrap_or_default())
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
    let (order, place) = order_and_place(query, reading)?;
    let first = place.as_deref().and_then(|place| order.segment_of(place));
    let segments = order
        .segments()
        .iter()
        .skip_while(|segment| first.is_some_and(|first| first != **segment))
        .filter(|segment| !order.has_none_of(**segment, query));
    let plan = plan::choose(connection, query, reading)?;
    let sql = |&segment: &Segment| {
        let part = Part {
            reading,
            query,
            order: &order,
            segment,
            after: place.as_deref().filter(|_| first == Some(segment)),
            limit: i64::from(query.size) + 1,
            skip: 0,
            finds_start: false,
            plan: plan.clone(),
        };
        part.sql()
    };
    Ok(segments.map(sql).collect())
}

/// The order of a query in the direction it is walked, and the place that it begins after.
pub fn order_and_place<R: Resource>(
    query: &ListQuery<R>,
    reading: &ReadContext<'_>,
) -> Result<(Order, Option<Vec<Value>>)> {
    let Selector::Cursor(text) = &query.page else {
        return Ok((Order::of::<R>(query.order(), false, reading), None));
    };
    let cursor = Cursor::parse(text).filter(|cursor| cursor.question == Question::of(query));
    let cursor = cursor.ok_or(Error::BadCursor)?;
    let order = Order::of::<R>(query.order(), cursor.backward, reading);
    let place = order.place(cursor.values).ok_or(Error::BadCursor)?;
    Ok((order, Some(place)))
}
