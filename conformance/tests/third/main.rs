//! The runner judges by a contract in the style of JSON:API: records with their members under `attributes`, related records at
//! the top of the answer, identifiers that are unique within a type alone.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails with a trace")]

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
mod search;
mod stock;
mod whole;

use rollcall_conformance::Report;

use harness::judge_by;
use model::{Board, TOKEN};

/// The contract of the board.
const CONTRACT: &str = include_str!("board.yaml");

/// Judges a board by its contract.
async fn judge(board: Board) -> Report {
    judge_by(CONTRACT, board.serve().await, TOKEN).await
}
