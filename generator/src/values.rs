//! `values.rs`: identifiers and bounded integers as types of ours, which enforce what typify would let pass.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use rollcall_contract::{Contract, Role};
use serde_json::Value;

use crate::{Error, emit};

/// Where the types are that are written from the contract as it is.
pub(crate) const MODULE: &str = "crate::model";

/// A component schema that becomes one of our hand-written types.
pub(crate) enum Special {
    /// `prefix_` and a rest of lowercase letters and digits.
    Id(Vec<String>),
    /// An integer from minimum to maximum, both included.
    Bounded(i64, i64),
    /// A date-time of ours: microseconds and `Z`.
    Timestamp,
    /// A date-time in any RFC 3339 form.
    Instant,
}

/// What is special about a component schema, if anything.
pub(crate) fn special(schema: &Value) -> Option<Special> {
    let text = |key| schema.get(key).and_then(Value::as_str);
    let number = |key| schema.get(key).and_then(Value::as_i64);
    match (text("type")?, text("format"), text("pattern")) {
        ("string", Some("date-time"), Some(_)) => Some(Special::Timestamp),
        ("string", Some("date-time"), None) => Some(Special::Instant),
        ("string", None, Some(pattern)) => prefixes(pattern).map(Special::Id),
        ("integer", ..) => Some(Special::Bounded(number("minimum")?, number("maximum")?)),
        _ => None,
    }
}

fn prefixes(pattern: &str) -> Option<Vec<String>> {
    let prefix = pattern.strip_prefix('^')?.strip_suffix("_[0-9a-z]+$")?;
    let words = prefix.trim_start_matches('(').trim_end_matches(')').split('|');
    Some(words.map(|word| format!("{word}_")).collect())
}

pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let mut types = TokenStream::new();
    for (name, schema) in contract.document().schemas() {
        let ident = emit::type_ident(name);
        let doc = schema
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default();
        types.extend(match special(schema) {
            None => continue,
            Some(Special::Timestamp) => {
                quote!(#[doc = #doc] pub type #ident = ::rollcall_runtime::Timestamp;)
            }
            Some(Special::Instant) => quote!(#[doc = #doc] pub type #ident = ::rollcall_runtime::Instant;),
            Some(Special::Bounded(minimum, maximum)) => {
                quote!(#[doc = #doc] pub type #ident = ::rollcall_runtime::Bounded<#minimum, #maximum>;)
            }
            Some(Special::Id(prefixes)) => {
                let kind = emit::type_ident(&format!("{name}Kind"));
                let resource = heck::AsTitleCase(name.trim_end_matches("Id"))
                    .to_string()
                    .to_lowercase();
                quote! {
                    #[doc = #doc]
                    pub type #ident = ::rollcall_runtime::Id<#kind>;
                    #[doc = concat!("The kind of [`", stringify!(#ident), "`].")]
                    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
                    pub enum #kind {}
                    impl ::rollcall_runtime::IdKind for #kind {
                        const PREFIXES: &'static [&'static str] = &[#(#prefixes),*];
                        const RESOURCE: &'static str = #resource;
                    }
                }
            }
        });
    }
    types.extend(page_numbers(contract, MODULE));
    Ok(types)
}

/// Page numbers for the client: `page` is text in the contract, because it is a number or a cursor (L2), and
/// `client.list_directory_users().page(2)` should need no text.
pub(crate) fn page_numbers(contract: &Contract, module: &str) -> TokenStream {
    let module = emit::path(module);
    let pages = contract
        .lists()
        .filter_map(|(operation, _)| operation.role(Role::Page)?.schema_name.as_deref());
    let types: BTreeSet<&str> = pages.collect();
    let types = types.into_iter().map(|name| {
        let ident = emit::type_ident(name);
        let numbers = ["i32", "i64", "u32", "u64", "usize"].map(|name| format_ident!("{name}"));
        quote! {
            #(impl TryFrom<#numbers> for #module::#ident {
                type Error = #module::error::ConversionError;
                fn try_from(number: #numbers) -> ::std::result::Result<Self, Self::Error> {
                    number.to_string().try_into()
                }
            })*
        }
    });
    types.collect()
}
