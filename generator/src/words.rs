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
    Ok(enumeration(name, schema, &words, &names))
}

/// An enumeration with a variant for any other word.
fn enumeration(name: &str, schema: Option<&Value>, words: &[&str], names: &[&str]) -> TokenStream {
    let ident = emit::type_ident(name);
    let variants: Vec<_> = names.iter().map(|name| emit::type_ident(name)).collect();
    let doc = schema
        .and_then(|schema| schema.get("description")?.as_str())
        .unwrap_or_default();
    quote! {
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
    }
}

/// Whether a component is a text with a few words, other than those of `include` and `sort`.
pub(crate) fn is_enumeration(contract: &Contract, name: &str) -> bool {
    let schema = contract.document().schema(name);
    let has_words = schema.is_some_and(|schema| schema.get("enum").is_some());
    let parameters = contract
        .operations
        .iter()
        .flat_map(|operation| &operation.parameters);
    let mut lists = parameters.filter(|parameter| parameter.is_comma_separated);
    has_words && !lists.any(|list| contract.document().schema_name(&list.schema["items"]) == Some(name))
}

/// An enumeration that reads further words.
pub(crate) fn open_enumeration(contract: &Contract, name: &str) -> Result<TokenStream, Error> {
    let schema = contract.document().schema(name);
    let words = schema
        .and_then(|schema| schema.get("enum")?.as_array())
        .into_iter()
        .flatten();
    let words: Vec<&str> = words.filter_map(Value::as_str).collect();
    let (ident, enumeration) = (emit::type_ident(name), enumeration(name, schema, &words, &words));
    Ok(quote! {
        #enumeration

        impl From<&str> for #ident {
            fn from(word: &str) -> Self {
                let known = Self::ALL.iter().find(|known| known.as_str() == word);
                known.cloned().unwrap_or_else(|| Self::Other(word.to_owned()))
            }
        }

        impl From<String> for #ident {
            fn from(word: String) -> Self {
                Self::from(word.as_str())
            }
        }

        impl ::std::str::FromStr for #ident {
            type Err = ::std::convert::Infallible;

            fn from_str(word: &str) -> ::std::result::Result<Self, Self::Err> {
                Ok(Self::from(word))
            }
        }

        impl ::serde::Serialize for #ident {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #ident {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                <String as ::serde::Deserialize>::deserialize(deserializer).map(Self::from)
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
