//! Hostile clients against the server: raw bytes over a socket of loopback, judged by the answers.
//!
//! Each test has a server of its own. The tests of `mutations` send generated requests from fixed seeds; two environment
//! variables make them longer:
//!
//! - `ROLLCALL_HOSTILE_REQUESTS`: how many requests each seed sends, 1,200 by default.
//! - `ROLLCALL_HOSTILE_SEED`: one seed, a number, instead of the fixed ones.
//!
//! An hour of it: `ROLLCALL_HOSTILE_SEED=1 ROLLCALL_HOSTILE_REQUESTS=1000000 cargo nextest run -p rollcall-server --test
//! hostile --no-capture mutations`. A fault is reported with the seed and with the bytes of the connection that showed it.
#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

mod answer;
mod bodies;
mod client;
mod demo;
#[cfg(target_os = "linux")]
mod descriptors;
mod framing;
mod hold;
mod metrics;
mod mutations;
mod preconditions;
mod problem;
#[cfg(unix)]
mod process;
mod server;
mod shutdown;
mod slow;
