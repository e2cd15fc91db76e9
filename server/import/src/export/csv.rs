//! People → CSV, in two passes: a first one over all of them finds the columns, a second one writes the rows.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;

use rollcall::formula::escape_formula;
use serde_json::Value;

use super::ExportError;
use crate::Person;
use crate::column::{Column, Field, cell};

/// The columns a CSV file needs beside the fixed ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    dimensions: BTreeSet<String>,
    texts: BTreeSet<String>,
    values: BTreeSet<String>,
}

impl Columns {
    /// Makes room for what this person has.
    pub fn observe(&mut self, person: &Person) {
        for membership in &person.attributes {
            self.dimension(&membership.dimension);
        }
        for (key, value) in &person.metadata {
            self.metadata(key, value);
        }
    }

    /// Makes room for the attributes of a dimension.
    pub fn dimension(&mut self, handle: &str) {
        if !self.dimensions.contains(handle) {
            self.dimensions.insert(handle.to_owned());
        }
    }

    /// Makes room for a value of the metadata.
    pub fn metadata(&mut self, key: &str, value: &Value) {
        let keys = if is_text(key, value) {
            &mut self.texts
        } else {
            &mut self.values
        };
        if !keys.contains(key) {
            keys.insert(key.to_owned());
        }
    }

    fn all(&self) -> impl Iterator<Item = Column> {
        let fields = Field::ALL.into_iter().map(Column::Field);
        let dimensions = self.dimensions.iter().cloned().map(Column::Org);
        let texts = self.texts.iter().cloned().map(Column::Metadata);
        fields
            .chain(dimensions)
            .chain(texts)
            .chain(self.values.iter().cloned().map(Column::MetadataJson))
    }
}

fn is_text(key: &str, value: &Value) -> bool {
    value.as_str().is_some_and(|text| Column::holds_text(key, text))
}

/// Writes people as CSV.
pub struct Csv<W: Write> {
    rows: ::csv::Writer<W>,
    known: Columns,
    columns: Vec<Column>,
}

impl<W: Write> Csv<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// When `file` can't be written.
    pub fn new(file: W, columns: Columns) -> Result<Self, ExportError> {
        let mut rows = ::csv::Writer::from_writer(file);
        let all: Vec<Column> = columns.all().collect();
        rows.write_record(all.iter().map(ToString::to_string))?;
        Ok(Self {
            rows,
            known: columns,
            columns: all,
        })
    }

    /// Writes one person.
    ///
    /// # Errors
    /// When the file can't be written, or the header has no column for something the person has.
    pub fn write(&mut self, person: &Person) -> Result<(), ExportError> {
        self.has_room(person)?;
        for column in &self.columns {
            let value = value_of(person, column)?;
            self.rows.write_field(&*escape_formula(value))?;
        }
        self.rows.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Writes what is still held back, and gives the file back.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn finish(self) -> Result<W, ExportError> {
        self.rows
            .into_inner()
            .map_err(|error| ExportError::Io(error.into_error()))
    }

    fn has_room(&self, person: &Person) -> Result<(), ExportError> {
        let dimensions = person.attributes.iter().map(|membership| &membership.dimension);
        let missing = dimensions.filter(|dimension| !self.known.dimensions.contains(*dimension));
        let missing = missing.map(|dimension| Column::Org(dimension.clone())).next();
        let missing = missing.or_else(|| {
            person
                .metadata
                .iter()
                .find_map(|(key, value)| match is_text(key, value) {
                    true => (!self.known.texts.contains(key)).then(|| Column::Metadata(key.clone())),
                    false => (!self.known.values.contains(key)).then(|| Column::MetadataJson(key.clone())),
                })
        });
        missing.map_or(Ok(()), |column| Err(ExportError::NoColumn(column.to_string())))
    }
}

/// What a person has in a column; empty for nothing.
fn value_of<'p>(person: &'p Person, column: &Column) -> Result<Cow<'p, str>, ExportError> {
    let metadata = |key: &String| person.metadata.get(key).map(|value| (value, is_text(key, value)));
    Ok(match column {
        Column::Field(field) => field_of(person, *field),
        // The state of a person says it.
        Column::Account(_) => Cow::Borrowed(""),
        Column::Org(dimension) => {
            let all = person.attributes.iter();
            let own = all.filter(|membership| membership.dimension == *dimension);
            cell(own.map(|membership| membership.name.as_str())).into()
        }
        Column::Metadata(key) => match metadata(key) {
            Some((value, true)) => value.as_str().unwrap_or_default().into(),
            _ => Cow::Borrowed(""),
        },
        Column::MetadataJson(key) => match metadata(key) {
            Some((value, false)) => serde_json::to_string(value)?.into(),
            _ => Cow::Borrowed(""),
        },
    })
}

/// What a person has in a fixed column; empty for nothing.
pub(super) fn field_of(person: &Person, field: Field) -> Cow<'_, str> {
    let optional = match field {
        Field::Id => return Cow::Borrowed(&person.key),
        Field::Email => return Cow::Borrowed(&person.email),
        Field::FirstName => return Cow::Borrowed(&person.first_name),
        Field::LastName => return Cow::Borrowed(&person.last_name),
        Field::ExpiresAt => {
            return person
                .expires_at
                .map(|timestamp| timestamp.to_string())
                .unwrap_or_default()
                .into();
        }
        Field::Username => &person.username,
        Field::FullName => &person.full_name,
        Field::BadgeId => &person.badge_id,
        Field::EmployeeId => &person.employee_id,
        Field::EmployeeAltId => &person.employee_alt_id,
        Field::Manager => &person.manager,
        Field::State => &person.state,
    };
    optional.as_deref().unwrap_or_default().into()
}
