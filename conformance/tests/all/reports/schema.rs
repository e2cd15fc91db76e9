//! The published schema of the JSON report.

use std::path::Path;

use rollcall_conformance::report::{Format, json};
use serde_json::Value;

use super::made::{everything, hostile, written};
use crate::judge;

#[test]
fn the_published_schema_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("report.schema.json");
    if std::env::var_os("WRITE_SCHEMA").is_some() {
        std::fs::write(&file, format!("{:#}\n", json::schema())).unwrap();
    }
    let published = std::fs::read(&file).unwrap_or_default();
    let published: Value = serde_json::from_slice(&published).unwrap_or_default();
    assert!(
        published == json::schema(),
        "conformance/report.schema.json is not what the types say; write it anew with\n  \
         WRITE_SCHEMA=1 cargo test -p rollcall-conformance the_published_schema_is_up_to_date\n\
         and change FORMAT if a reader of older reports would notice"
    );
}

fn is_valid(report: &rollcall_conformance::Report) {
    let validator = jsonschema::validator_for(&json::schema()).unwrap();
    let written: Value = serde_json::from_str(&written(report, Format::Json)).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(&written)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn reports_made_by_hand_are_valid() {
    is_valid(&everything());
    is_valid(&hostile());
}

#[tokio::test]
async fn a_report_of_a_run_is_valid() {
    is_valid(&judge(30).await);
}

#[test]
fn what_is_no_report_is_not_valid() {
    let validator = jsonschema::validator_for(&json::schema()).unwrap();
    let mut report: Value = serde_json::from_str(&written(&everything(), Format::Json)).unwrap();
    assert!(validator.is_valid(&report));
    report["checks"][0]["outcome"] = "fine".into();
    assert!(!validator.is_valid(&report));
}
