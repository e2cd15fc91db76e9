//! Tests of the contract crate: a small contract of its own, and the real one.

mod lints;
mod model;
mod schemas;
mod the_contract;

use rollcall_contract::{Contract, Document};

/// The small contract that the tests read and break.
const SMALL: &str = include_str!("../fixtures/small.yaml");

fn small() -> Contract {
    Contract::parse(SMALL).unwrap()
}

/// The small contract after a change to its document.
fn changed(change: impl FnOnce(&mut serde_json::Value)) -> Contract {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    change(&mut raw);
    Contract::of(Document::of(raw).unwrap()).unwrap()
}
