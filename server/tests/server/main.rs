//! The server from outside: one binary for all of its integration tests.
#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

mod commands;
mod conformance;
mod copy;
mod database;
mod database_tls;
mod evaluation;
mod failovers;
mod failures;
mod files;
mod harness;
mod http;
mod import;
mod jobs;
mod kill;
mod log;
mod lost_files;
mod model;
mod page_costs;
mod person;
mod process;
mod recount;
mod replicas;
mod shared_reads;
mod shell;
mod tls;
mod two_servers;

use proptest::test_runner::{Config, FileFailurePersistence};

/// Settings of a property: as many cases as the environment asks for, or so many on files and half of them on a server, where
/// each case takes longer. The seeds of cases that fail are kept, and tried first from then on.
fn properties(usual: u32) -> Config {
    const FAILING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/failing-seeds.txt");
    let asked = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let usual = if database::is_server() {
        usual.div_ceil(2)
    } else {
        usual
    };
    Config {
        cases: asked.unwrap_or(usual),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(FAILING))),
        ..Config::default()
    }
}
