//! The forms that a report can be written in.

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use super::{Report, json};

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For programs.
    Json,
}

/// The word is no form of a report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no form of a report; there is json")]
pub struct UnknownFormat(String);

impl Format {
    /// The form that the name of a file means, by how it ends.
    pub fn of_file(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        match word {
            "json" => Ok(Self::Json),
            _ => Err(UnknownFormat(word.to_owned())),
        }
    }
}

impl Report {
    /// Writes the report in one of its forms.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, format: Format, to: impl Write) -> io::Result<()> {
        match format {
            Format::Json => json::write(self, to),
        }
    }
}
