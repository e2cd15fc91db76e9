//! An OpenAPI document as YAML: `contract/src/document.rs` and the model that is made of it.

use rollcall_contract::Document;
use rollcall_fuzz::target;

use crate::contract;

target!(property);

/// Any text is refused with a place, or it is a document and the model is made of it or refused with a place.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match Document::parse(&text) {
        Ok(document) => contract::sound(document),
        Err(error) => contract::names_a_place(&error, || {
            let written: yaml_serde::Value = yaml_serde::from_str(&text).unwrap();
            serde_json::to_value(written).unwrap()
        }),
    }
}
