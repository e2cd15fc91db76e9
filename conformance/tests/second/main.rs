//! The runner judges by a contract that has nothing in common with ours: a library with lists in an object, pages by
//! cursor and by number, an identifier, filters and words of its own.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails with a trace")]

mod annotate;
mod command_line;
mod conforming;
#[path = "../shared/drawn.rs"]
mod drawn;
mod faults;
#[path = "../shared/harness.rs"]
mod harness;
#[path = "../shared/meant.rs"]
mod meant;
mod model;
#[path = "../shared/query.rs"]
mod query;
mod stock;
mod whole;

use rollcall_conformance::Report;

use harness::judge_by;
use model::{Library, TOKEN};

/// The contract of the library.
const CONTRACT: &str = include_str!("library.yaml");

/// Judges a library by its contract.
async fn judge(library: Library) -> Report {
    judge_by(CONTRACT, library.serve().await, TOKEN).await
}
