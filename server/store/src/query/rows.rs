//! The rows of a page, as they are found, and their places in the order.

use crate::dialect::Cells;
use crate::error::Result;
use crate::render::{Included, Rendered, column_count};
use crate::sql::Value;
use crate::tables::table::{ReadContext, RecordType};

/// The rows of a page, in the direction they were walked.
pub(crate) struct Rows {
    /// The records, without what they include.
    pub(crate) records: Rendered,
    /// The place of the first row in the order.
    pub(crate) first: Option<Vec<Value>>,
    /// The place of the last row in the order, if there are more rows.
    pub(crate) last: Option<Vec<Value>>,
    /// The place of the row before the first one, if it was looked at.
    pub(crate) start: Option<Vec<Value>>,
    /// Whether there are more rows.
    pub(crate) has_more: bool,
    record: RecordType,
    size: usize,
    /// How many values a place has.
    width: usize,
}

impl Rows {
    pub(crate) fn new(record: RecordType, included: Included, size: usize, width: usize) -> Self {
        Self {
            records: Rendered::new(record, included, size),
            first: None,
            last: None,
            start: None,
            has_more: false,
            record,
            size,
            width,
        }
    }

    /// How many rows to ask for: one more than the page has room for, so that it is known whether there is another page.
    pub(crate) fn wanted(&self) -> i64 {
        i64::try_from(self.size + 1 - self.records.len()).unwrap_or_default()
    }

    /// Takes the next row. The one behind the last of the page is not read; then the answer is no.
    pub(crate) fn take(&mut self, cells: &mut Cells<'_, '_>, reading: &ReadContext<'_>) -> Result<bool> {
        if self.records.len() == self.size {
            self.has_more = true;
            return Ok(false);
        }
        self.records.push(cells, reading)?;
        let number = self.records.len();
        if number == 1 || number == self.size {
            self.last = Some(self.place(cells)?);
            if number == 1 {
                self.first.clone_from(&self.last);
            }
        }
        Ok(true)
    }

    /// Takes the place of the row before the first one.
    pub(crate) fn take_start(&mut self, cells: &mut Cells<'_, '_>) -> Result<bool> {
        cells.group(column_count(self.record))?;
        self.start = Some(self.place(cells)?);
        Ok(true)
    }

    fn place(&self, cells: &mut Cells<'_, '_>) -> Result<Vec<Value>> {
        (0..self.width).map(|_| cells.value()).collect()
    }
}
