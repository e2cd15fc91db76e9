//! The runner judges by a contract in the style of JSON:API: records with their members under `attributes`, related records at
//! the top of the answer, identifiers that are unique within a type alone.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails with a trace")]

mod conforming;
mod faults;
mod model;
#[path = "../second/query.rs"]
mod query;
mod search;
mod stock;
mod whole;

use std::time::Duration;

use rollcall_conformance::report::console::{self, Style};
use rollcall_conformance::{Report, RunConfig, TargetConfig, Token, run};
use rollcall_contract::Contract;

use model::{Board, TOKEN};

/// The contract of the board.
const CONTRACT: &str = include_str!("board.yaml");

/// Judges a board by its contract.
async fn judge(board: Board) -> Report {
    let mut target = TargetConfig::new(board.serve().await, Token::new(TOKEN).unwrap());
    target.timeout = Duration::from_secs(5);
    let config = RunConfig::new(Contract::parse(CONTRACT).unwrap());
    run(target, config, |_| {}).await
}

/// The numbers of the checks that failed.
fn failed(report: &Report) -> Vec<&'static str> {
    report.failed().map(|check| check.id).collect()
}

/// The report as a person reads it, for a test that fails.
fn printed(report: &Report) -> String {
    let mut text = Vec::new();
    let style = Style {
        verbose: true,
        ..Style::PLAIN
    };
    console::write(report, style, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}
