//! Tests of the contract crate: a small contract of its own, and the real one.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

mod change_reasons;
mod change_reports;
mod changes;
mod changing;
mod documents;
mod frames;
mod linked_lints;
mod lint_limits;
mod lints;
mod meanings;
mod model;
mod open_forms;
mod operations;
mod origins;
mod other_forms;
mod schema_changes;
mod schemas;
mod suggested_answers;
mod suggested_documents;
mod suggested_filters;
mod suggested_lists;
mod suggested_members;
mod suggesting;
mod suggestions;
mod the_contract;

use rollcall_contract::Contract;

/// The small contract that the tests read and break.
const SMALL: &str = include_str!("../fixtures/small.yaml");

fn small() -> Contract {
    Contract::parse(SMALL).unwrap()
}
