//! One run of Schemathesis on one target: our contract, the operations that the model serves, all its checks.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use rollcall_shelf::{Model, TOKEN, Variant};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::plan::Task;

/// What a run has come to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tested {
    /// The version of Schemathesis.
    pub(crate) version: String,
    /// What it reports: the kind of failure and the operation.
    pub(crate) failures: BTreeSet<String>,
    /// How many requests it made up.
    pub(crate) requests: usize,
    /// How long it took.
    pub(crate) seconds: f64,
}

/// The options that every run is given, apart from addresses, the token and where to report to.
pub(crate) const OPTIONS: [&str; 14] = [
    "--checks",
    "all",
    "--phases",
    "examples,coverage,fuzzing,stateful",
    "--max-examples",
    "10",
    "--seed",
    "1",
    "--continue-on-failure",
    "--no-shrink",
    "--generation-database",
    "none",
    "--include-path-regex",
    SERVED,
];

/// The operations that the model serves.
const SERVED: &str = "^/(directory/(users|attributes|dimensions)|workspace/users)(/|$)";

/// The contract.
const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.yaml");

/// Gives a variant to Schemathesis.
pub(crate) async fn test(tool: &Path, task: &Task, variant: &Variant) -> Result<Tested, Box<dyn Error>> {
    let base = Model::new(task.people, variant.hooks()).serve().await;
    // It keeps files of its own where it runs.
    let folder = std::env::temp_dir().join(format!("rollcall-score-{}", base.port().unwrap_or_default()));
    std::fs::create_dir_all(&folder)?;
    let report = folder.join("report.json");
    let mut command = match tool.components().count() {
        1 => Command::new(tool),
        _ => Command::new(std::path::absolute(tool)?),
    };
    command
        .args(["run", CONTRACT, "--url", base.as_str()])
        .args(["--header", &format!("Authorization: Bearer {TOKEN}")])
        .args(OPTIONS)
        .args([
            "--request-timeout",
            "10",
            "--report",
            "json",
            "--report-json-path",
        ])
        .arg(&report)
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let began = Instant::now();
    tokio::task::spawn_blocking(move || command.status()).await??;
    let seconds = began.elapsed().as_secs_f64();
    let told: Value = serde_json::from_slice(&std::fs::read(&report)?)?;
    std::fs::remove_dir_all(&folder)?;
    Ok(Tested {
        version: told["schemathesis_version"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        failures: failures(&told),
        requests: told["test_cases"]["generated"]
            .as_u64()
            .and_then(|count| count.try_into().ok())
            .unwrap_or_default(),
        seconds,
    })
}

fn failures(told: &Value) -> BTreeSet<String> {
    let kinds = told["failures"].as_array().into_iter().flatten();
    kinds
        .flat_map(|kind| {
            let title = kind["title"].as_str().unwrap_or_default();
            let operations = kind["operations"].as_array().into_iter().flatten();
            operations
                .filter_map(Value::as_str)
                .map(move |operation| format!("{title}: {operation}"))
        })
        .collect()
}
