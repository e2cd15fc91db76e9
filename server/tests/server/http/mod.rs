//! The service over HTTP, laid out like its concerns.

mod access;
mod bad_input;
mod budgets;
mod coding;
mod door;
mod examples;
pub(crate) mod health;
mod idempotency;
mod lists;
mod writes;
