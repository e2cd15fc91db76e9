//! Links: what the contract says they lead to, under an address that nobody needs to reach.

use rollcall_contract::Contract;
use serde_json::{Map, Value, json};

const BASE: &str = "https://directory.example/api/v1";

/// The links of a record.
pub(super) fn links(contract: &Contract, schema: &str, id: &str) -> Value {
    let links = contract.links(schema).unwrap().into_iter();
    let links = links.map(|link| {
        let path = &contract.operation(&link.operation).unwrap().path;
        let address = match &link.filter {
            Some(filter) => format!("{BASE}{path}?{filter}={id}"),
            None => format!("{BASE}{}/{id}", path.split("/{").next().unwrap()),
        };
        (link.member, json!(address))
    });
    links.collect::<Map<_, _>>().into()
}
