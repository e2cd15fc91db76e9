//! What a server has shown of its data, which queries tell something about it, and what each answer has to hold.
//!
//! [`http`] asks the server and keeps each request with its answer. [`corpus`] is the data that it has shown. [`plan`] chooses
//! queries. [`judge`] compares an answer with the corpus. [`open_points`] is what the specification leaves open.
//!
//! Invariant: names of filters, relations and states come from the annotated contract and stand nowhere here.

pub mod corpus;
pub mod http;
pub mod judge;
pub mod open_points;
pub mod plan;

use rollcall_contract::Contract;

/// The contract that a run judges by unless told otherwise.
pub const OUR_CONTRACT: &str = include_str!("../../../openapi.yaml");

/// Reads [`OUR_CONTRACT`].
///
/// # Errors
/// It is no contract; a test makes sure that it is.
pub fn our_contract() -> Result<Contract, rollcall_contract::Error> {
    Contract::parse(OUR_CONTRACT)
}
