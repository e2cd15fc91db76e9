//! What holds for every contract. `contract_text.rs` and `contract_edits.rs` are the targets.

use rollcall_contract::{Contract, Document, Error, Form, lint};
use serde_json::Value;

/// The model of a document is made and held against every rule, or an error names a place of the document.
pub(crate) fn sound(document: Document) {
    let raw = document.raw().clone();
    let contract = match Contract::of(document) {
        Ok(contract) => contract,
        Err(error) => return names_a_place(&error, || raw),
    };
    for finding in lint::lint(&contract) {
        assert!(!finding.says.is_empty());
        let is_there = [Some(finding.at.clone()), parent(&finding.at)];
        assert!(
            is_there.iter().flatten().any(|at| at.find(&raw).is_some()),
            "{finding}"
        );
    }
    for (_, list) in contract.lists() {
        for form in [Form::Strict, Form::Judging] {
            contract.document().json_schema(&list.record, form);
        }
    }
}

/// The error says what is wrong and where; `document` is read only if it names a place.
pub(crate) fn names_a_place(error: &Error, document: impl FnOnce() -> Value) {
    assert!(!error.to_string().is_empty());
    if let Error::At { at, says } = error {
        assert!(!says.is_empty());
        assert!(at.find(&document()).is_some(), "{error}");
    }
}

fn parent(at: &rollcall_contract::Pointer) -> Option<rollcall_contract::Pointer> {
    let (_, above) = at.segments().split_last()?;
    Some(rollcall_contract::Pointer::of(above.iter().map(String::as_str)))
}
