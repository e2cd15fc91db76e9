//! Records as a table, as JSON lines, or as CSV.

mod table;

use std::io::{self, IsTerminal, Write};

use clap::{ArgMatches, ValueEnum};
use rollcall_runtime::formula::escape_formula;
use serde_json::Value;

use crate::columns::{Columns, cell, name};
use table::Rows;

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Columns for a reader.
    Table,
    /// Each record as one line of JSON.
    Jsonl,
    /// All members of each record as a row, after a row with their names. A cell that a spreadsheet would run as a formula gets an
    /// apostrophe in front.
    Csv,
}

/// Takes records one after the other.
pub(crate) trait Output {
    /// Takes a record.
    fn record(&mut self, record: &Value) -> io::Result<()>;
    /// Takes the one record that the answer is.
    fn single(&mut self, record: &Value) -> io::Result<()> {
        self.record(record)
    }
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
        Form::Table => Box::new(Rows::new(writer, columns)),
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
        let cells = self.columns.all.iter();
        let cells = cells.map(|column| escape_formula(cell(record, column).into()).into_owned());
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

#[cfg(test)]
mod tests {
    use rollcall_contract::Pointer;
    use serde_json::json;

    use super::*;

    #[test]
    fn no_cell_of_csv_is_a_formula() {
        let all = ["name", "count"].map(|name| Pointer::of([name])).to_vec();
        let columns = Columns {
            all,
            ..Columns::default()
        };
        let mut written = Vec::new();
        let mut csv = Box::new(Csv {
            writer: csv::Writer::from_writer(&mut written),
            columns,
            has_names: false,
        });
        csv.record(&json!({"name": "=HYPERLINK(1)", "count": 3})).unwrap();
        csv.record(&json!({"name": "O'Neill", "count": 0})).unwrap();
        csv.end().unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "name,count\n'=HYPERLINK(1),3\nO'Neill,0\n"
        );
    }
}
