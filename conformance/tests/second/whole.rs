//! A run by another contract, as a whole.

use rollcall_conformance::RunConfig;
use rollcall_contract::{Contract, lint};

use crate::CONTRACT;
use crate::model::{Library, Quirk};
use crate::{judge, printed};

#[test]
fn the_contract_of_the_library_is_sound() {
    let contract = Contract::parse(CONTRACT).unwrap();
    let findings: Vec<String> = lint::soundness(&contract)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(findings, [""; 0]);
}

#[tokio::test]
async fn show() {
    let report = judge(Library::new(Quirk::None)).await;
    println!("{}", printed(&report));
    _ = RunConfig::new(Contract::parse(CONTRACT).unwrap());
}
