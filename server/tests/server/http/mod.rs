//! The service over HTTP, laid out like its concerns.

mod access;
mod bad_input;
mod budgets;
mod examples;
mod health;
mod lists;
mod writes;
