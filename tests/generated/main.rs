//! Tests of what is generated from `openapi.yaml`: that it enforces the contract at compile time and at run time.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

mod compile;
mod list;
mod moments;
mod presence;
mod schema;
mod server;

use std::sync::LazyLock;

use rollcall_contract::Contract;

/// The contract that everything was generated from.
static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::parse(rollcall::CONTRACT).unwrap());
