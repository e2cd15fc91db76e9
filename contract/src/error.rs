//! What can be wrong with a document before it becomes a model.

use std::path::PathBuf;

use crate::Pointer;

/// Why a document is no contract; every variant names the file, line or place.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file asked for.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The text is not YAML, has a key twice, a key that is no text, or aliases that make it too large.
    #[error("not a YAML document: {0}")]
    Yaml(#[from] yaml_serde::Error),
    /// The document has something JSON has no word for.
    #[error("not a JSON document: {0}")]
    Json(#[from] serde_json::Error),
    /// Something at one place is missing, mistyped or unknown.
    #[error("at {at}: {says}")]
    At {
        /// Where in the document.
        at: Pointer,
        /// What is wrong there.
        says: String,
    },
}
