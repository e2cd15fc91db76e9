//! The report as JSON, and the schema of it.

use std::io::{self, Write};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::report::{Cause, Causes, FORMAT, Report};

/// The report with the causes that follow from it.
#[derive(Serialize, JsonSchema)]
struct WrittenReport<'r> {
    #[serde(flatten)]
    report: &'r Report,
    /// The failures that no waiver covers, grouped by cause. A fault that fails several checks is one cause.
    causes: Vec<WrittenCause<'r>>,
}

/// What causes some failures.
#[derive(Serialize, JsonSchema)]
struct WrittenCause<'r> {
    /// The lists, filters, members or operations that show it. The findings of a check name them in `about`.
    about: &'r [&'r str],
    /// The numbers of the checks that fail, the most basic first.
    checks: Vec<&'static str>,
    /// The numbers of the checks that were not judged because of it.
    not_judged: Vec<&'static str>,
}

impl<'r> From<&'r Cause<'r>> for WrittenCause<'r> {
    fn from(cause: &'r Cause<'r>) -> Self {
        Self {
            about: &cause.about,
            checks: cause.failures.iter().map(|failure| failure.check.id).collect(),
            not_judged: cause.rests.iter().map(|rest| rest.check.id).collect(),
        }
    }
}

/// Writes a report as indented JSON.
///
/// # Errors
/// It cannot be written.
pub(super) fn write_report(report: &Report, to: impl Write) -> io::Result<()> {
    let causes = Causes::of(report);
    let causes = causes.failed().map(WrittenCause::from).collect();
    write(&WrittenReport { report, causes }, to)
}

/// Writes a value as indented JSON.
///
/// # Errors
/// It cannot be written.
pub fn write(value: &impl Serialize, mut to: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut to, value)?;
    writeln!(to)
}

/// The numbers of the checks that failed, from a report as it was written.
///
/// # Errors
/// It is no such report.
pub fn failed(report: &str) -> serde_json::Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Written {
        checks: Vec<Check>,
    }
    #[derive(Deserialize)]
    struct Check {
        id: String,
        outcome: String,
    }
    let Written { checks } = serde_json::from_str(report)?;
    let failed = checks.into_iter().filter(|check| check.outcome == "failed");
    Ok(failed.map(|check| check.id).collect())
}

/// The JSON Schema of the report.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings
        .into_generator()
        .into_root_schema_for::<WrittenReport<'_>>();
    let mut schema = schema.to_value();
    schema["title"] = Value::from(format!("Report of rollcall-conformance, form {FORMAT}"));
    schema["properties"]["format"]["const"] = Value::from(FORMAT);
    schema
}
