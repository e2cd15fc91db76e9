//! The report as the data of a badge: JSON that shields.io draws, once a pipeline has put it at an address.

use serde_json::{Value, json};

use crate::report::{Report, Verdict};

/// The data of the badge.
pub(super) fn data(report: &Report) -> Value {
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
    json!({
        "schemaVersion": 1,
        "label": report.contract.title,
        "message": message,
        "color": colour,
        "isError": report.verdict.why().is_some(),
    })
}
