//! Links: what the contract says they lead to, under an address that nobody needs to reach.

use rollcall_contract::Contract;

const BASE: &str = "https://directory.example/api/v1";

/// The links of a record of a component schema, each with what its address begins with; the rest is the record's id.
pub(super) fn links(contract: &Contract, schema: &str) -> Vec<(String, String)> {
    let links = contract.links(schema).unwrap().into_iter();
    let links = links.map(|link| {
        let path = &contract.operation(&link.operation).unwrap().path;
        let beginning = match &link.filter {
            Some(filter) => format!("{BASE}{path}?{filter}="),
            None => format!("{BASE}{}/", path.split("/{").next().unwrap()),
        };
        (link.member, beginning)
    });
    links.collect()
}
