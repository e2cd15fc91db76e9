//! Fixtures: the records that a run changes if it may write, one of each kind, named by their owner.
//!
//! Without a fixture of its kind, a run that may write changes a record that it finds by reading.

use std::collections::BTreeSet;

use rollcall_contract::{Contract, Operation};

/// The kind of record that an operation on one record is about: its schema, in small letters with hyphens.
///
/// `DirectoryUser` is the kind `directory-user`. None for operations whose path names no record.
pub fn kind(operation: &Operation) -> Option<String> {
    operation.path_parameters().last()?;
    Some(kebab(operation.answer.schema.as_deref()?))
}

/// Every kind of record that an operation of the contract is about.
pub fn kinds(contract: &Contract) -> BTreeSet<String> {
    contract.operations.iter().filter_map(kind).collect()
}

fn kebab(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollcall_oracle::our_contract;

    #[test]
    fn kinds_are_named_after_schemas() {
        let kinds = kinds(&our_contract().unwrap());
        assert!(
            kinds.contains("workspace-user") && kinds.contains("directory-attribute"),
            "{kinds:?}"
        );
        assert!(kinds.contains("directory-user"), "{kinds:?}");
    }

    #[test]
    fn a_list_is_of_no_kind() {
        let contract = our_contract().unwrap();
        let (list, _) = contract.lists().next().unwrap();
        assert_eq!(kind(list), None);
    }
}
