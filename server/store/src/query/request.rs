//! A list query as the store answers it: made once from the query, and used by each step of the answer.

use std::cell::OnceCell;

use rollcall::list::{ListQuery, Selector};

use crate::dialect::Connection;
use crate::error::{Error, Result};
use crate::query::cursor::{Cursor, Question};
use crate::query::filter::push_where;
use crate::query::order::{Order, Segment};
use crate::query::plan;
use crate::sql::{Sql, Value};
use crate::tables::resource::Resource;
use crate::tables::table::{ReadContext, Stored as _};

/// A list query with its order and its place in it.
pub(crate) struct ListRequest<'q, R: Resource> {
    pub(crate) connection: &'q Connection,
    pub(crate) reading: &'q ReadContext<'q>,
    pub(crate) query: &'q ListQuery<R>,
    /// The order of the list in the direction it is walked.
    pub(crate) order: Order,
    /// The place of the cursor, which the page begins after.
    pub(crate) place: Option<Vec<Value>>,
    question: OnceCell<Question>,
}

impl<'q, R: Resource> ListRequest<'q, R> {
    /// # Errors
    /// When its cursor was made for another question.
    pub(crate) fn of(
        connection: &'q Connection,
        reading: &'q ReadContext<'q>,
        query: &'q ListQuery<R>,
    ) -> Result<Self> {
        let question = OnceCell::new();
        let (order, place) = match &query.page {
            Selector::Number(_) => (Order::of::<R>(query.order(), false, reading), None),
            Selector::Cursor(text) => {
                let own = question.get_or_init(|| Question::of(query));
                let cursor = Cursor::parse(text).filter(|cursor| cursor.question == *own);
                let cursor = cursor.ok_or(Error::BadCursor)?;
                let order = Order::of::<R>(query.order(), cursor.backward, reading);
                let place = order.place(cursor.values).ok_or(Error::BadCursor)?;
                (order, Some(place))
            }
        };
        Ok(Self {
            connection,
            reading,
            query,
            order,
            place,
            question,
        })
    }

    /// A cursor at a place of the list.
    pub(crate) fn cursor(&self, place: &[Value], backward: bool) -> Cursor {
        Cursor {
            question: self.question.get_or_init(|| Question::of(self.query)).clone(),
            backward,
            values: place.to_vec(),
        }
    }

    /// How many records the query finds on all pages, or in one segment of the order.
    pub(crate) fn count(&self, segment: Option<Segment>) -> Result<i64> {
        let mut sql = Sql::new(["SELECT count(*) FROM ", R::Record::TABLE, " t"]);
        push_where(&mut sql, self.query, self.reading, plan::search(self.connection));
        if let Some(segment) = segment {
            self.order.push_segment(&mut sql, segment, "");
        }
        let count = self.connection.first(&sql, |cells| cells.int())?;
        Ok(count.unwrap_or_default())
    }
}
