//! The contract that a run judges by: ours, or the one in a file.

use std::path::Path;

use rollcall_contract::{Contract, Document, lint};

use rollcall_oracle::our_contract;

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
    let faults = faults(&contract);
    if faults.is_empty() {
        return Ok(contract);
    }
    Err(wrong(
        [&[UNSOUND.to_owned()], faults.as_slice()].concat().join("\n  "),
    ))
}

/// What keeps the runner from judging by a document, a line for each; nothing if it can.
pub(super) fn complaints(document: Document) -> Vec<String> {
    let refusals = Contract::refusals(&document)
        .into_iter()
        .map(|error| error.to_string());
    match (at_most(refusals.collect()), Contract::of(document)) {
        (refusals, _) if !refusals.is_empty() => refusals,
        (_, Ok(contract)) => faults(&contract),
        (_, Err(error)) => vec![error.to_string()],
    }
}

/// What a contract lacks, a line for each.
fn faults(contract: &Contract) -> Vec<String> {
    let faults = lint::soundness(contract);
    let lines = faults
        .iter()
        .map(|fault| format!("at {}: {} ({})", fault.at, fault.says, fault.rule));
    at_most(lines.collect())
}

/// The first lines, and the number of the others.
fn at_most(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(FAULTS);
    lines.truncate(FAULTS);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}
