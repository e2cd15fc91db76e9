//! Tells whether an implementation of the Directory and Workspace Provisioning API conforms to its specification.
//!
//! A run reads a target ([`corpus`]), looks into each statement of the specification ([`checks`]) and tells what happened
//! ([`events`], [`report`]). What the API means comes from the annotated contract: names of filters, relations and states
//! stand there and nowhere here.
//!
//! Invariants: a target is judged by what the specification says and never by what it leaves open; no check passes on an
//! empty sample; nothing is called a violation that did not stay one when it was looked at again; the token is in no
//! output.

mod case;
pub mod checks;
pub mod cli;
pub mod config;
mod context;
pub mod corpus;
pub mod events;
pub mod exchange;
pub mod exit;
pub mod finding;
pub mod fixture;
mod glance;
pub mod journal;
pub mod listing;
mod members;
pub mod moment;
pub mod next_page;
mod oracle;
mod order;
pub mod outcome;
mod pace;
pub mod patience;
mod plan;
pub mod profile;
mod query;
pub mod records;
mod related;
pub mod report;
pub mod request;
mod run;
mod sample;
pub mod search;
mod seen;
mod showing;
pub mod spelling;
pub mod strategy;
pub mod subject;
pub mod target;
pub mod tls;
mod token;
pub mod view;
pub mod waiver;

use rollcall_contract::Contract;

pub use context::Context;
pub use report::{Report, Verdict};
pub use run::{RunConfig, run};
pub use target::TargetConfig;
pub use token::{NotAToken, Token};

/// The contract that a run judges by unless told otherwise.
pub const OUR_CONTRACT: &str = include_str!("../../openapi.yaml");

/// Reads [`OUR_CONTRACT`].
///
/// # Errors
/// It is no contract; a test makes sure that it is.
pub fn our_contract() -> Result<Contract, rollcall_contract::Error> {
    Contract::parse(OUR_CONTRACT)
}
