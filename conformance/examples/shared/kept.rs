//! Results in a file, a line of JSON for each.
//!
//! Invariant: a result is in the file before the next one is measured. A result that could not be measured is in no file, so
//! that it is measured again.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Results, and the file that keeps them.
#[derive(Debug)]
pub(crate) struct Kept<L> {
    lines: Vec<L>,
    file: Option<File>,
}

impl<L: Serialize + DeserializeOwned> Kept<L> {
    /// The results that a file has, to which more will be added; without a file none are kept.
    pub(crate) fn open(path: Option<&Path>) -> std::io::Result<Self> {
        let Some(path) = path else {
            return Ok(Self {
                lines: Vec::new(),
                file: None,
            });
        };
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A line that was cut off by an interruption is measured again.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        Ok(Self {
            lines: lines.collect(),
            file: Some(file),
        })
    }

    /// Keeps a result.
    pub(crate) fn add(&mut self, line: L) -> std::io::Result<()> {
        if let Some(file) = &mut self.file {
            let mut text = serde_json::to_string(&line)?;
            text.push('\n');
            file.write_all(text.as_bytes())?;
        }
        self.lines.push(line);
        Ok(())
    }

    /// All results.
    pub(crate) fn lines(&self) -> &[L] {
        &self.lines
    }
}
