//! CSV with a header row → entries; the columns are those of `column`.
//!
//! Cells are separated by commas and quoted as RFC 4180 has it. A cell never holds a line end (no control
//! character is accepted), so a row that runs over several lines is refused as a whole: none of its lines can
//! pass for a row of its own. A cell `'=1` means `=1`, as [`rollcall::formula`] has it.

mod row_starts;
mod source;

use std::collections::VecDeque;
use std::io::BufRead;

use ::csv::{ByteRecord, ReaderBuilder, Terminator};
use rollcall::formula::unescape_formula;

use super::column::{self, Column, Field};
use super::mapping::{Source as Mapped, Target};
use super::row::Row;
use super::{Entry, Kind, Options, PassedOver, PresentColumns, Refusal, check};

use row_starts::RowStart;
use source::Source;

/// Reads a CSV file.
pub(super) struct Csv<R: BufRead> {
    rows: ::csv::Reader<Source<R>>,
    record: ByteRecord,
    /// One for each cell of the header.
    columns: Option<Vec<Slot>>,
    /// What is wrong with the header and not yet reported.
    faults: VecDeque<Refusal>,
    present: PresentColumns,
    passed_over: PassedOver,
    options: Options,
    over: bool,
}

/// What becomes of the cells of a column.
enum Slot {
    /// Nothing: the column is refused.
    Refused,
    /// Nothing: the column of this name is not read.
    Ignored(String),
    Read(Mapped),
}

impl Slot {
    fn column(&self) -> Option<&Column> {
        match self {
            Self::Refused | Self::Ignored(_) => None,
            Self::Read(source) => Some(&source.column),
        }
    }
}

impl<R: BufRead> Csv<R> {
    pub(super) fn new(source: R, options: Options) -> Self {
        let mut rows = ReaderBuilder::new();
        // CR LF as terminator would count a row's LF to the row after it.
        rows.has_headers(false)
            .flexible(true)
            .terminator(Terminator::Any(b'\n'));
        let rows = rows.from_reader(Source::new(source));
        Self {
            rows,
            record: ByteRecord::new(),
            columns: None,
            faults: VecDeque::new(),
            present: PresentColumns::default(),
            passed_over: PassedOver::default(),
            options,
            over: false,
        }
    }

    pub(super) fn present_columns(&self) -> &PresentColumns {
        &self.present
    }

    pub(super) fn passed_over(&self) -> &PassedOver {
        &self.passed_over
    }

    /// Reads the next row into `record` and says where it begins.
    fn advance(&mut self) -> Option<Result<RowStart, Refusal>> {
        self.rows.get_mut().begin_row();
        let is_read = self.rows.read_byte_record(&mut self.record);
        let start = self.rows.get_mut().row_starts.next();
        match is_read {
            Ok(true) => start.map(Ok),
            Ok(false) => None,
            Err(error) => {
                self.over = true;
                let reason = match error.into_kind() {
                    ::csv::ErrorKind::Io(error) => format!("can't be read: {error}"),
                    _ => "can't be read".to_owned(),
                };
                let line = start.map_or(1, |start| start.line);
                Some(Err(Refusal::fatal(line, "(row)", reason)))
            }
        }
    }

    /// Reads the next row that is not empty.
    fn advance_to_cells(&mut self) -> Option<Result<RowStart, Refusal>> {
        loop {
            let start = self.advance()?;
            if start.is_err() || !cells(&self.record).all(<[u8]>::is_empty) {
                return Some(start);
            }
        }
    }

    /// Reads the header. A column that is unknown or comes twice is a fault of the whole file; the rows are read all the
    /// same, so that their faults are reported too.
    fn header(&mut self) -> Option<Result<(), Refusal>> {
        let mut start = match self.advance_to_cells()? {
            Ok(start) => start,
            Err(refusal) => return Some(Err(refusal)),
        };
        // A line for Excel, which says what separates the cells.
        if cells(&self.record).eq([b"sep=".as_slice(), b""]) {
            start = match self.advance_to_cells()? {
                Ok(start) => start,
                Err(refusal) => return Some(Err(refusal)),
            };
        }
        let mut faults = Vec::new();
        let columns = columns(&self.record, &self.options, &mut faults);
        let refuse = |reason| Refusal::fatal(start.line, "(header)", reason);
        self.faults.extend(faults.into_iter().map(refuse));
        Some(match columns {
            Ok(columns) => {
                self.present = PresentColumns::columns(columns.iter().filter_map(Slot::column));
                self.columns = Some(columns);
                Ok(())
            }
            Err(reason) => {
                self.over = true;
                Err(refuse(reason))
            }
        })
    }
}

impl<R: BufRead> Iterator for Csv<R> {
    type Item = Result<Entry, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.columns.is_none()
            && !self.over
            && let Err(refusal) = self.header()?
        {
            self.faults.push_back(refusal);
        }
        if let Some(fault) = self.faults.pop_front() {
            return Some(Err(fault));
        }
        if self.over {
            return None;
        }
        let RowStart { line, fault } = match self.advance_to_cells()? {
            Ok(start) => start,
            Err(refusal) => return Some(Err(refusal)),
        };
        if let Some(fault) = fault {
            let reason =
                "text follows the quotation mark that ends a cell; a mark within a cell is written twice";
            return Some(Err(Refusal::new(fault, "(row)", reason)));
        }
        let mut row = Row::default();
        let columns = self.columns.as_deref().unwrap_or_default();
        let person = fill(&mut row, columns, &self.record, line, &mut self.passed_over);
        let label = row.label().to_owned();
        let person = person.and_then(|()| row.person(&self.options));
        Some(match person {
            Ok(person) => Ok(Entry {
                line,
                kind: Kind::Person(Box::new(person)),
            }),
            Err(reason) => Err(Refusal::new(line, &label, reason)),
        })
    }
}

/// The cells of a row, the last one without the CR of a CR LF.
fn cells(record: &ByteRecord) -> impl Iterator<Item = &[u8]> {
    let last = record.len().saturating_sub(1);
    let without = |cell: &'_ [u8]| cell.len() - usize::from(cell.ends_with(b"\r"));
    record.iter().enumerate().map(move |(place, cell)| {
        if place == last {
            &cell[..without(cell)]
        } else {
            cell
        }
    })
}

/// The columns that the header names. Names that are no columns go to `faults`.
fn columns(header: &ByteRecord, options: &Options, faults: &mut Vec<String>) -> Result<Vec<Slot>, String> {
    let mut columns: Vec<Slot> = Vec::new();
    for cell in cells(header) {
        let name = std::str::from_utf8(cell).map_err(|_| "is not UTF-8")?.trim();
        if header.len() == 1 && name.contains([';', '\t']) {
            return Err("the columns have to be separated by commas".to_owned());
        }
        let is_given = |column: &Column| columns.iter().any(|slot| slot.column() == Some(column));
        let slot = match options.mapping.resolve(name) {
            Ok(Target::Ignored) => Slot::Ignored(check::label(name)),
            Ok(Target::Read(source)) if is_given(&source.column) => {
                let column = source.column.to_string();
                faults.push(format!("column {} comes twice", check::label(&column)));
                Slot::Refused
            }
            Ok(Target::Read(source)) => Slot::Read(source),
            Err(fault) => {
                faults.push(fault);
                Slot::Refused
            }
        };
        columns.push(slot);
    }
    let has = |field: Field| {
        columns
            .iter()
            .any(|slot| slot.column() == Some(&Column::Field(field)))
    };
    let addressed = has(Field::Email) || (options.email_domain.is_some() && has(Field::Username));
    let required = [
        (addressed, Field::Email),
        (has(Field::FirstName), Field::FirstName),
        (has(Field::LastName), Field::LastName),
    ];
    for needed in options.mapping.needed() {
        if columns.iter().all(|slot| slot.column() != Some(&needed.column)) {
            faults.push(format!(
                "the mapping reads {} from a column that the file does not have",
                needed.column
            ));
        }
    }
    match required.into_iter().find(|(present, _)| !present) {
        Some((_, missing)) => Err(format!("column {} is missing", missing.name())),
        None => Ok(columns),
    }
}

fn fill(
    row: &mut Row,
    columns: &[Slot],
    record: &ByteRecord,
    line: u64,
    passed_over: &mut PassedOver,
) -> Result<(), String> {
    if record.len() != columns.len() {
        return Err(format!(
            "has {} cells, the header has {}",
            record.len(),
            columns.len()
        ));
    }
    let needs_value = |slot: &Slot| matches!(slot, Slot::Read(source) if source.needs_value());
    let given = columns
        .iter()
        .zip(cells(record))
        .filter(|(slot, cell)| !cell.is_empty() || needs_value(slot));
    // Fields first, so that a refusal has its label whatever is wrong further on.
    let is_field = |slot: &Slot| matches!(slot.column(), Some(Column::Field(_)));
    let (fields, others): (Vec<_>, Vec<_>) = given.partition(|(slot, _)| is_field(slot));
    for (slot, cell) in fields.into_iter().chain(others) {
        let source = match slot {
            Slot::Refused => continue,
            Slot::Ignored(name) => {
                passed_over.attributes.add(name, line);
                continue;
            }
            Slot::Read(source) => source,
        };
        let column = &source.column;
        if cell.contains(&b'\n') {
            let reason = "goes over several lines, which cannot be kept; or a quotation mark is missing";
            return Err(format!("{column}: {reason}"));
        }
        let cell = std::str::from_utf8(cell).map_err(|_| format!("{column}: is not UTF-8"))?;
        let cell = source.value(unescape_formula(cell))?;
        match column {
            Column::Field(field) => row.set(*field, cell.to_owned()),
            Column::Org(dimension) => {
                let names = column::memberships(dimension, cell)?;
                if names.len() > 1 {
                    passed_over.separated.add(&column.to_string(), line);
                }
                row.attributes.extend(names);
            }
            Column::Account(attribute) => row.account.push((attribute.clone(), cell.to_owned())),
            Column::Metadata(key) => add(row, key, cell.into())?,
            Column::MetadataJson(key) => {
                let value = super::jsonl::strict(cell).map_err(|reason| format!("{column}: {reason}"))?;
                add(row, key, value)?;
            }
        }
    }
    Ok(())
}

fn add(row: &mut Row, key: &str, value: serde_json::Value) -> Result<(), String> {
    match row.metadata.insert(key.to_owned(), value) {
        Some(_) => Err(format!("metadata.{key}: is given as text and as JSON")),
        None => Ok(()),
    }
}
