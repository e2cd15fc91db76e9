//! Tests of what is generated from `openapi.yaml`: that it enforces the contract at compile time and at run time.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

mod compile;
mod list;
mod presence;
mod schema;
mod server;
mod timestamps;

use std::sync::LazyLock;

use proptest::test_runner::{Config, FileFailurePersistence};
use rollcall_contract::Contract;

/// The contract that everything was generated from.
static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::parse(rollcall::CONTRACT).unwrap());

/// Settings of a property with so many cases. The seeds of cases that fail are kept, and tried first from then on.
fn properties(cases: u32) -> Config {
    const FAILING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generated/failing-seeds.txt");
    Config {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(FAILING))),
        ..Config::default()
    }
}
