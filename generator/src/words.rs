//! `words.rs`: the words of `include` and `sort` as enumerations, for callers.

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::{Contract, Parameter};
use serde_json::Value;
use syn::Ident;

use crate::{Error, emit};

/// The type of the words of a parameter that takes several, separated by commas.
pub(crate) fn type_of(contract: &Contract, parameter: &Parameter) -> Option<Ident> {
    let schema = parameter.is_comma_separated.then_some(&parameter.schema)?;
    contract
        .document()
        .schema_name(&schema["items"])
        .map(emit::type_ident)
}

pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let mut written: Vec<&str> = Vec::new();
    let mut tokens = TokenStream::new();
    let parameters = contract
        .operations
        .iter()
        .flat_map(|operation| &operation.parameters);
    for parameter in parameters.filter(|parameter| parameter.is_comma_separated) {
        let Some(name) = contract.document().schema_name(&parameter.schema["items"]) else {
            return Err(unsupported(&parameter.name, "its words are no component"));
        };
        if !written.contains(&name) {
            tokens.extend(words(contract, name)?);
            written.push(name);
        }
    }
    Ok(tokens)
}

fn words(contract: &Contract, name: &str) -> Result<TokenStream, Error> {
    let schema = contract.document().schema(name);
    let texts = |key: &str| {
        let texts = schema.and_then(|schema| schema.get(key)?.as_array());
        let texts = texts.into_iter().flatten().filter_map(Value::as_str);
        texts.collect::<Vec<_>>()
    };
    let (words, names) = (texts("enum"), texts("x-enum-varnames"));
    if words.is_empty() || words.len() != names.len() {
        return Err(unsupported(name, "words need as many names in x-enum-varnames"));
    }
    let ident = emit::type_ident(name);
    let variants: Vec<_> = names.into_iter().map(emit::type_ident).collect();
    let doc = schema
        .and_then(|schema| schema.get("description")?.as_str())
        .unwrap_or_default();
    Ok(quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum #ident {
            #(#[doc = concat!("`", #words, "`")] #variants,)*
            /// A word that the contract does not have, for a server that does.
            Other(String),
        }

        impl #ident {
            /// The words of the contract.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The word as it is sent.
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#variants => #words,)*
                    Self::Other(word) => word,
                }
            }
        }

        impl ::std::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    })
}

fn unsupported(at: &str, why: &str) -> Error {
    Error::Unsupported {
        at: at.to_owned(),
        why: why.to_owned(),
    }
}
