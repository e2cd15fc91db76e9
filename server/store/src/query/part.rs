//! The part of a page that is in one segment of the order: the SQL that finds its rows, by the plan that was chosen.

use crate::dialect::{ROW, UNUSED, push_in_numbers};
use crate::error::Result;
use crate::query::filter::{Contains, push_where, tested_columns};
use crate::query::order::Segment;
use crate::query::plan::{self, Plan};
use crate::query::request::ListRequest;
use crate::query::rows::Rows;
use crate::render::push_columns;
use crate::sql::{Sql, Value};
use crate::tables::resource::Resource;
use crate::tables::table::{RecordType, Stored as _};

/// The part of a page that lies in one segment of the order.
pub(crate) struct Part<'p, R: Resource> {
    pub(crate) request: &'p ListRequest<'p, R>,
    pub(crate) segment: Segment,
    pub(crate) after: Option<&'p [Value]>,
    pub(crate) limit: i64,
    pub(crate) skip: i64,
    /// Whether the row before the page is looked at too, to know where the page begins.
    pub(crate) finds_start: bool,
    pub(crate) plan: Plan,
}

impl<R: Resource> Part<'_, R> {
    /// Adds the rows; looks further if a walk of the order has found too little.
    pub(crate) fn fetch(&mut self, rows: &mut Rows) -> Result<()> {
        let before = rows.records.len();
        self.fetch_once(rows)?;
        while let Plan::Walk(walked) = self.plan
            && !rows.has_more
            && self.goes_on_behind(walked)?
        {
            let found = i64::try_from(rows.records.len() - before).unwrap_or_default();
            rows.records.truncate(before);
            // Of what is passed over, nobody knows how much was found, if the page was not reached.
            let passed = if found > 0 { self.skip + found } else { 0 };
            let ListRequest {
                connection,
                reading,
                query,
                ..
            } = self.request;
            let progress = (passed, self.skip + self.limit);
            self.plan = plan::choose_after_walk(connection, query, reading, walked, progress)?;
            self.fetch_once(rows)?;
        }
        Ok(())
    }

    fn fetch_once(&self, rows: &mut Rows) -> Result<()> {
        let mut is_before = self.finds_start;
        self.request
            .connection
            .visit(&self.sql(), |cells| match std::mem::take(&mut is_before) {
                true => rows.take_start(cells),
                false => rows.take(cells, self.request.reading),
            })
    }

    /// Finds the rows by what is in the indexes, if that is enough; then reads each of them, in the same order.
    pub(crate) fn sql(&self) -> Sql {
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
