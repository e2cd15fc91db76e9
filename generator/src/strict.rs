//! Makes a derived type read exactly what its schema allows, see `runtime/src/strict.rs`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

/// The attribute that keeps serde's derive from implementing the traits itself.
pub(crate) fn attribute() -> TokenStream {
    quote!(#[serde(remote = "Self")])
}

/// The traits, over what the derive wrote.
pub(crate) fn impls(ident: &Ident) -> TokenStream {
    quote! {
        impl ::serde::Serialize for #ident {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                #ident::serialize(self, serializer)
            }
        }
        impl<'de> ::serde::Deserialize<'de> for #ident {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                #ident::deserialize(::rollcall_runtime::StrictDeserializer(deserializer))
            }
        }
    }
}
