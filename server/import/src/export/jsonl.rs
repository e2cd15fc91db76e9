//! People → JSON lines, in one pass.

use std::io::Write;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::ExportError;
use super::csv::field_of;
use crate::column::{Field, METADATA, ORG};
use crate::{Membership, Person};

/// Writes people as JSON, one object per line.
pub struct Jsonl<W> {
    file: W,
}

impl<W: Write> Jsonl<W> {
    /// A writer to `file`, which should be buffered.
    pub fn new(file: W) -> Self {
        Self { file }
    }

    /// Writes one person.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn write(&mut self, person: &Person) -> Result<(), ExportError> {
        serde_json::to_writer(&mut self.file, &Line(person))?;
        self.file.write_all(b"\n")?;
        Ok(())
    }

    /// Writes what is still held back, and gives the file back.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn finish(mut self) -> Result<W, ExportError> {
        self.file.flush()?;
        Ok(self.file)
    }
}

/// A person with the members an import reads; those that are empty are left out.
pub struct Line<'a>(pub &'a Person);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(None)?;
        for field in Field::ALL {
            let value = field_of(self.0, field);
            if !value.is_empty() {
                line.serialize_entry(field.name(), &value)?;
            }
        }
        if !self.0.attributes.is_empty() {
            line.serialize_entry(ORG, &Org(&self.0.attributes))?;
        }
        if !self.0.metadata.is_empty() {
            line.serialize_entry(METADATA, &self.0.metadata)?;
        }
        line.end()
    }
}

/// The attributes by dimension: a name where there is one, else a list.
struct Org<'a>(&'a [Membership]);

impl Serialize for Org<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut org = serializer.serialize_map(None)?;
        // A caller may give them in any order; a dimension must not come twice.
        let mut ordered: Vec<&Membership> = self.0.iter().collect();
        ordered.sort_by(|one, other| one.dimension.cmp(&other.dimension));
        for same in ordered.chunk_by(|one, other| one.dimension == other.dimension) {
            match same {
                [only] => org.serialize_entry(&only.dimension, &only.name)?,
                several => {
                    let names: Vec<&str> = several
                        .iter()
                        .map(|membership| membership.name.as_str())
                        .collect();
                    org.serialize_entry(&several[0].dimension, &names)?;
                }
            }
        }
        org.end()
    }
}
