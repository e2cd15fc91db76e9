//! The writes of a contract.

use rollcall_contract::{Contract, Method, Operation};

use rollcall_oracle::http::request::segment;

/// The writes that the specification has.
pub(crate) fn writes(contract: &Contract) -> Vec<Operation> {
    let is_write = |operation: &&Operation| operation.method == Method::Patch && !operation.origin.extension;
    let writes = contract.operations.iter().filter(is_write);
    writes.cloned().collect()
}

/// The path of an operation on one record.
pub(crate) fn path(operation: &Operation, id: &str) -> String {
    let mut path = operation.path.clone();
    for parameter in operation.path_parameters() {
        path = path.replace(&format!("{{{}}}", parameter.name), &segment(id));
    }
    path
}
