//! The report as JSON, and the schema of it.

use std::io::{self, Write};

use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::report::{FORMAT, Report};

/// Writes the report, or another value, as indented JSON.
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
    let schema = settings.into_generator().into_root_schema_for::<Report>();
    let mut schema = schema.to_value();
    schema["title"] = Value::from(format!("Report of rollcall-conformance, form {FORMAT}"));
    schema["properties"]["format"]["const"] = Value::from(FORMAT);
    schema
}
