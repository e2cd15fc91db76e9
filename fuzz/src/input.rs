//! An input of a target: bytes, shown as the text they mostly are.

use std::fmt;
use std::path::{Path, PathBuf};

/// Bytes for a property.
#[derive(Clone, PartialEq, Eq)]
pub struct Input(Vec<u8>);

impl Input {
    /// The most bytes of an input: as many as the server reads of a head or a body.
    pub const MAX_LENGTH: usize = 64 * 1024;

    /// Makes an input of the first [`Self::MAX_LENGTH`] bytes.
    pub fn new(mut bytes: Vec<u8>) -> Self {
        bytes.truncate(Self::MAX_LENGTH);
        Self(bytes)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Writes the bytes into a file of a folder, which is made if it is missing.
    pub(crate) fn write(&self, folder: &Path, name: &str) -> PathBuf {
        let file = folder.join(name);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, &self.0));
        if let Err(error) = written {
            eprintln!("the input cannot be kept in {}: {error}", file.display());
        }
        file
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}
