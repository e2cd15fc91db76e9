//! The files an export writes: CSV and JSON lines, in the columns an import reads.
//!
//! Place in the flow: the store → [`Person`](crate::Person) → [`Csv`] or [`Jsonl`] → a file.
//!
//! Invariant: an import reads back what was written, to the letter. CSV cells that a spreadsheet would run as a formula
//! carry an apostrophe, which the import takes away.

mod csv;
mod from_store;
mod jsonl;
#[cfg(test)]
mod tests;

pub use csv::{Columns, Csv};
pub use from_store::exported_person;
pub use from_store::{Format, export};
pub use jsonl::Jsonl;
pub use jsonl::Line;

/// Why an export can't go on.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] rollcall_store::Error),
    /// The file can't be written.
    #[error("can't be written: {0}")]
    Io(#[from] std::io::Error),
    /// The file can't be written as CSV.
    #[error("can't be written: {0}")]
    Csv(#[from] ::csv::Error),
    /// The metadata can't be written as JSON.
    #[error("can't be written: {0}")]
    Json(#[from] serde_json::Error),
    /// A person has something the header has no column for: they were not shown to [`Columns::observe`].
    #[error("the header has no column {0}")]
    NoColumn(String),
}
