//! The runner judges by a contract that has nothing in common with ours: a library with lists in an object, pages by
//! cursor and by number, an identifier, filters and words of its own.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails with a trace")]

mod annotate;
mod command_line;
mod conforming;
mod faults;
mod model;
mod query;
mod stock;
mod whole;

use std::time::Duration;

use rollcall_conformance::report::console::{self, Style};
use rollcall_conformance::{Report, RunConfig, TargetConfig, Token, run};
use rollcall_contract::Contract;

use model::{Library, TOKEN};

/// The contract of the library.
const CONTRACT: &str = include_str!("library.yaml");

/// Judges a library by its contract.
async fn judge(library: Library) -> Report {
    let mut target = TargetConfig::new(library.serve().await, Token::new(TOKEN).unwrap());
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
