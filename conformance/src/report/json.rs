//! The report as JSON.

use std::io::{self, Write};

use crate::report::Report;

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut to, report)?;
    writeln!(to)
}
