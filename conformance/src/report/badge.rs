//! The report as the data of a badge: JSON that shields.io draws, once a pipeline has put it at an address.

use std::io::{self, Write};

use serde_json::json;

use crate::report::{Report, Verdict};

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
    let colour = match report.verdict {
        Verdict::Conforms => "brightgreen",
        Verdict::Violates => "red",
        Verdict::TooLittle { .. } | Verdict::CouldNotRun { .. } | Verdict::Unreachable { .. } => "lightgrey",
    };
    let message = match report.failed().count() {
        0 => report.headline().to_owned(),
        1 => "1 check fails".to_owned(),
        failed => format!("{failed} checks fail"),
    };
    let badge = json!({
        "schemaVersion": 1,
        "label": report.contract.title,
        "message": message,
        "color": colour,
        "isError": report.verdict.why().is_some(),
    });
    writeln!(to, "{badge:#}")
}
