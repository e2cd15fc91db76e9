//! The contract that a run judges by: ours, or the one in a file.

use std::path::Path;

use rollcall_contract::{Contract, lint};

use crate::our_contract;

/// So many faults of a contract are told; the rest is a number.
const FAULTS: usize = 10;
const UNSOUND: &str =
    "the runner cannot judge by this contract; docs/annotations.md says what it has to state";

/// Reads the contract in a file, and ours where there is none.
///
/// # Errors
/// The file is no contract, or it says too little or contradicts itself: each fault with its place in the document.
pub(super) fn read(file: Option<&Path>) -> Result<Contract, String> {
    let Some(file) = file else {
        return our_contract().map_err(|error| error.to_string());
    };
    let wrong = |what: String| format!("--contract {}: {what}", file.display());
    let contract = Contract::read(file).map_err(|error| wrong(error.to_string()))?;
    let faults = lint::soundness(&contract);
    if faults.is_empty() {
        return Ok(contract);
    }
    let mut lines = vec![UNSOUND.to_owned()];
    for fault in faults.iter().take(FAULTS) {
        lines.push(format!("  at {}: {} ({})", fault.at, fault.says, fault.rule));
    }
    if faults.len() > FAULTS {
        lines.push(format!("  and {} more", faults.len() - FAULTS));
    }
    Err(wrong(lines.join("\n")))
}
