//! Names and printing, shared by all files.

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use rollcall_contract::{Operation, Pointer};
use syn::Ident;

use crate::Error;

/// A type or variant.
pub(crate) fn type_ident(name: &str) -> Ident {
    format_ident!("{}", name.to_upper_camel_case())
}

/// A function, member or module; a Rust keyword gets a trailing underscore, as typify does it.
pub(crate) fn value_ident(name: &str) -> Ident {
    let name = name.to_snake_case();
    match syn::parse_str::<Ident>(&name) {
        Ok(ident) => ident,
        Err(_) => format_ident!("{name}_"),
    }
}

/// The variant that stands for a member: its last segment.
pub(crate) fn field_ident(pointer: &Pointer) -> Ident {
    type_ident(pointer.last().unwrap_or("record"))
}

/// The type that stands for a list: `listDirectoryUsers` is `DirectoryUsers`.
pub(crate) fn list_ident(operation: &str) -> Ident {
    type_ident(operation.strip_prefix("list").unwrap_or(operation))
}

/// The module of a list: `directory_users`.
pub(crate) fn list_module(operation: &Operation) -> Ident {
    value_ident(operation.id.strip_prefix("list").unwrap_or(&operation.id))
}

/// The path of a module, such as `crate::model`.
pub(crate) fn path(module: &str) -> TokenStream {
    let segments = module.split("::").map(|segment| format_ident!("{segment}"));
    quote!(#(#segments)::*)
}

/// Formats a file.
pub(crate) fn print(file: &'static str, tokens: TokenStream) -> Result<String, Error> {
    let parsed = syn::parse2(tokens).map_err(|why| Error::Syntax { file, why })?;
    Ok(prettyplease::unparse(&parsed))
}
