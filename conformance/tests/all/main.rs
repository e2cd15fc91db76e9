//! The runner against a model of the API that is kept in memory: conforming, broken in one way each, and different in
//! ways the specification leaves open.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails with a trace")]

mod access;
mod benign;
mod command_line;
mod exact;
mod model;
mod records;
mod whole;

use std::time::Duration;

use model::{Model, Switch, TOKEN};
use rollcall_conformance::{Report, RunConfig, TargetConfig, Token, our_contract, run};

/// How many people the model has unless a test says otherwise.
const PEOPLE: usize = 60;

/// Judges a model with one switch.
async fn judge(switch: Switch) -> Report {
    judge_model(Model::new(PEOPLE, switch), |_| {}).await
}

async fn judge_model(model: Model, configure: impl FnOnce(&mut TargetConfig)) -> Report {
    let base = model.serve().await;
    let mut target = TargetConfig::new(base, Token::new(TOKEN).unwrap());
    target.timeout = Duration::from_secs(5);
    configure(&mut target);
    run(target, RunConfig::new(our_contract().unwrap()), |_| {}).await
}

/// The numbers of the checks that failed.
fn failed(report: &Report) -> Vec<&'static str> {
    report.failed().map(|check| check.id).collect()
}

/// Everything a report shows to a person or a program.
fn printed(report: &Report) -> String {
    let mut text = Vec::new();
    rollcall_conformance::report::console::write(report, &mut text).unwrap();
    rollcall_conformance::report::json::write(report, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Judges a model for each row and compares the checks that failed, all rows before any complaint.
async fn found(rows: &[(Switch, &[&str])]) {
    let mut complaints = Vec::new();
    for (switch, expected) in rows {
        let report = judge(*switch).await;
        if failed(&report) != *expected {
            complaints.push(format!(
                "{switch:?}: found by {:?}, expected {expected:?}",
                failed(&report)
            ));
            if std::env::var_os("SHOW").is_some() {
                complaints.push(printed(&report));
            }
        }
        let text = printed(&report);
        assert!(!text.contains(TOKEN), "{switch:?}: the token is in the output");
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
