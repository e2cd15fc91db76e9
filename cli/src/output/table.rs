//! Records as a table that fits the terminal: the first columns that find room, or one record as names and values.

use std::io::{self, IsTerminal as _, Write};

use comfy_table::{ContentArrangement, Table, presets};
use rollcall_contract::Pointer;
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use crate::columns::{Columns, cell, name, printable};
use crate::output::Output;

/// What a column takes beside its text: a blank on both sides and a line.
const FRAME: usize = 3;

/// The records of a call, held until the last one is there: the widest decides how wide a column is.
pub(crate) struct Rows<W> {
    writer: W,
    columns: Columns,
    /// How many characters a line may have; none where nobody looks.
    width: Option<usize>,
    rows: Vec<Vec<String>>,
    single: Option<Value>,
}

impl<W: Write> Rows<W> {
    pub(crate) fn new(writer: W, columns: Columns) -> Self {
        Self {
            writer,
            columns,
            width: width(),
            rows: Vec::new(),
            single: None,
        }
    }

    /// How many of the columns find room, at least one.
    fn fitting(&self) -> usize {
        let few = &self.columns.few;
        let Some(width) = self.width.filter(|_| !self.columns.are_named) else {
            return few.len();
        };
        let mut used = 1;
        let widest = |place: usize| {
            let cells = self.rows.iter().map(|row| row[place].width());
            cells.chain([name(&few[place]).width()]).max().unwrap_or_default()
        };
        let fitting = (0..few.len()).take_while(|place| {
            used += widest(*place) + FRAME;
            used <= width
        });
        fitting.count().max(1)
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table
            .load_preset(presets::UTF8_FULL_CONDENSED)
            .set_content_arrangement(ContentArrangement::Dynamic);
        if let Some(width) = self.width.and_then(|width| u16::try_from(width).ok()) {
            table.set_width(width);
        }
        table
    }
}

/// The width of the terminal, or what `COLUMNS` says.
fn width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or_else(|| io::stdout().is_terminal().then(measured).flatten())
}

fn text(record: &Value, column: &Pointer) -> String {
    printable(&cell(record, column))
}

impl<W: Write> Output for Rows<W> {
    fn record(&mut self, record: &Value) -> io::Result<()> {
        let cells = self.columns.few.iter().map(|column| text(record, column));
        self.rows.push(cells.collect());
        Ok(())
    }

    fn single(&mut self, record: &Value) -> io::Result<()> {
        self.single = Some(record.clone());
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        let mut table = self.table();
        if let Some(record) = &self.single {
            let members = self.columns.all.iter();
            table.add_rows(members.map(|column| [name(column), text(record, column)]));
            writeln!(self.writer, "{table}")?;
        } else if !self.rows.is_empty() {
            let fitting = self.fitting();
            table.set_header(self.columns.few.iter().take(fitting).map(name));
            for row in &self.rows {
                table.add_row(row.iter().take(fitting));
            }
            writeln!(self.writer, "{table}")?;
        }
        self.writer.flush()
    }
}
