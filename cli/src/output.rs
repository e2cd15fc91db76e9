//! Records as a table, as JSON lines, or as CSV.

use std::io::{self, IsTerminal, Write};

use clap::{ArgMatches, ValueEnum};
use comfy_table::{ContentArrangement, Table, presets};
use serde_json::Value;

use crate::columns::{Columns, cell, name};
use crate::session::printable;

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Columns for a reader.
    Table,
    /// Each record as one line of JSON.
    Jsonl,
    /// All members of each record as a row, after a row with their names.
    Csv,
}

/// Takes records one after the other.
pub(crate) trait Output {
    /// Takes a record.
    fn record(&mut self, record: &Value) -> io::Result<()>;
    /// Writes what is left.
    fn end(self: Box<Self>) -> io::Result<()>;
}

/// The output that the arguments ask for.
pub(crate) fn of<'w>(
    arguments: &ArgMatches,
    columns: Columns,
    writer: impl Write + 'w,
) -> Box<dyn Output + 'w> {
    let default = match io::stdout().is_terminal() {
        true => Form::Table,
        false => Form::Jsonl,
    };
    match arguments.get_one("output").copied().unwrap_or(default) {
        Form::Jsonl => Box::new(JsonLines(writer)),
        Form::Csv => Box::new(Csv {
            writer: csv::Writer::from_writer(writer),
            columns,
            has_names: false,
        }),
        Form::Table => Box::new(Rows {
            writer,
            table: table(&columns),
            columns,
        }),
    }
}

struct JsonLines<W>(W);

impl<W: Write> Output for JsonLines<W> {
    fn record(&mut self, record: &Value) -> io::Result<()> {
        writeln!(self.0, "{record}")
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

struct Csv<W: Write> {
    writer: csv::Writer<W>,
    columns: Columns,
    has_names: bool,
}

impl<W: Write> Csv<W> {
    fn names(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_names, true) {
            let names = self.columns.all.iter().map(name);
            self.writer.write_record(names).map_err(io_error)?;
        }
        Ok(())
    }
}

impl<W: Write> Output for Csv<W> {
    fn record(&mut self, record: &Value) -> io::Result<()> {
        self.names()?;
        let cells = self.columns.all.iter().map(|column| cell(record, column));
        self.writer.write_record(cells).map_err(io_error)
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.names()?;
        self.writer.flush()
    }
}

/// The error of the writer, with its kind: `io::Error::from` would make another one of it.
fn io_error(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}

struct Rows<W> {
    writer: W,
    table: Table,
    columns: Columns,
}

fn table(columns: &Columns) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(columns.few.iter().map(name));
    table
}

impl<W: Write> Output for Rows<W> {
    fn record(&mut self, record: &Value) -> io::Result<()> {
        self.table.add_row(
            self.columns
                .few
                .iter()
                .map(|column| printable(&cell(record, column))),
        );
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        writeln!(self.writer, "{}", self.table)?;
        self.writer.flush()
    }
}
