//! Tells whether an implementation of the Directory and Workspace Provisioning API conforms to its specification.
//!
//! A run reads a target ([`corpus`]), looks into each statement of the specification ([`checks`]) and tells what happened
//! ([`report::events`], [`report`]). What the API means comes from the annotated contract: names of filters, relations and states
//! stand there and nowhere here.
//!
//! Invariants: a target is judged by what the specification says and never by what it leaves open; no check passes on an
//! empty sample; nothing is called a violation that did not stay one when it was looked at again; the token is in no
//! output.

mod cases;
pub mod checks;
pub mod cli;
pub mod corpus;
mod discovery;
pub mod engine;
mod explore;
pub mod http;
pub mod open_points;
mod oracle;
pub mod plan;
pub mod report;
pub mod run;

use rollcall_contract::Contract;

pub use engine::Engine;
pub use engine::config::RunConfig;
pub use http::target::TargetConfig;
pub use http::token::{NotAToken, Token};
pub use report::{Report, Verdict};
pub use run::run;

/// The contract that a run judges by unless told otherwise.
pub const OUR_CONTRACT: &str = include_str!("../../openapi.yaml");

/// Reads [`OUR_CONTRACT`].
///
/// # Errors
/// It is no contract; a test makes sure that it is.
pub fn our_contract() -> Result<Contract, rollcall_contract::Error> {
    Contract::parse(OUR_CONTRACT)
}
