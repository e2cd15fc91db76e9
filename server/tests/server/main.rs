//! The server from outside: one binary for all of its integration tests.
#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

mod conformance;
mod evaluation;
mod files;
mod harness;
mod http;
mod import;
mod jobs;
mod kill;
mod model;
mod process;
mod recount;
mod shell;
mod tls;
