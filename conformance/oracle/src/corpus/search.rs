//! The searches whose parameters the specification does not name; the caller of a run says their names.

use std::collections::BTreeSet;

use rollcall_contract::{Contract, Parameter};

/// The open point under which the names of searches stand.
const NAMES: &str = "L11";

/// The key of a search that the specification does not name: the last part of the member it looks at.
///
/// None for parameters that the specification names, and for those that are no filters.
pub fn key(parameter: &Parameter) -> Option<&str> {
    let unnamed = parameter.origin.open_points.iter().any(|point| point == NAMES);
    match parameter.filter.as_ref()?.fields.as_slice() {
        [field] if unnamed => field.last(),
        _ => None,
    }
}

/// The keys of all searches that the specification does not name.
pub fn keys(contract: &Contract) -> BTreeSet<&str> {
    contract
        .operations
        .iter()
        .flat_map(|operation| operation.parameters.iter().filter_map(key))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::our_contract;

    #[test]
    fn three_searches_have_no_name() {
        let contract = our_contract().unwrap();
        assert_eq!(keys(&contract), BTreeSet::from(["id", "metadata", "org"]));
    }
}
