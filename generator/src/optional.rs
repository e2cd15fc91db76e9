//! `optional.rs`: objects with members that may be absent. typify lets absent and null collapse; here they stay apart.

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::Contract;
use serde_json::{Map, Value};

use crate::{Error, emit, strict};

/// The component schemas written here: objects with at least one property that is not required.
pub(crate) fn schemas(contract: &Contract) -> Vec<String> {
    let all = contract.document().schemas();
    all.filter(|(_, schema)| {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.is_some_and(|properties| properties.keys().any(|name| !is_required(schema, name)))
    })
    .map(|(name, _)| name.to_owned())
    .collect()
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|all| all.iter().any(|one| one == name))
}

/// Writes them; the other types of the contract are in `module`.
pub(crate) fn tokens(contract: &Contract, names: &[String], module: &str) -> Result<TokenStream, Error> {
    let module = emit::path(module);
    let mut types = TokenStream::new();
    for (name, schema) in contract
        .document()
        .schemas()
        .filter(|(name, _)| names.iter().any(|one| one == name))
    {
        let ident = emit::type_ident(name);
        let doc = schema
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let members = properties.iter().map(|(member, property)| {
            let at = format!("{name}/{member}");
            member_tokens(
                contract,
                &module,
                &at,
                member,
                property,
                is_required(schema, member),
            )
        });
        let members = members.collect::<Result<Vec<_>, _>>()?;
        let closed = (schema.get("additionalProperties") == Some(&Value::Bool(false)))
            .then(|| quote!(#[serde(deny_unknown_fields)]));
        let default = properties
            .keys()
            .all(|member| !is_required(schema, member))
            .then(|| quote!(#[derive(Default)]));
        let (remote, impls) = (strict::attribute(), strict::impls(&ident));
        types.extend(quote! {
            #[doc = #doc]
            #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
            #default
            #closed
            #remote
            pub struct #ident { #(#members)* }
            #impls
        });
    }
    Ok(types)
}

fn member_tokens(
    contract: &Contract,
    module: &TokenStream,
    at: &str,
    member: &str,
    property: &Value,
    required: bool,
) -> Result<TokenStream, Error> {
    let ident = emit::value_ident(member);
    let doc = property
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or("See the contract.");
    let kind = type_tokens(contract, module, at, property)?;
    let nullable = property.get("nullable") == Some(&Value::Bool(true))
        || contract.document().or_null(property).is_some();
    let rename = (ident != member).then(|| quote!(#[serde(rename = #member)]));
    Ok(match (required, nullable) {
        (true, false) => quote!(#[doc = #doc] #rename pub #ident: #kind,),
        (true, true) => quote! {
            #[doc = #doc] #rename
            #[serde(deserialize_with = "::rollcall_runtime::presence::nullable")]
            pub #ident: Option<#kind>,
        },
        (false, false) => quote! {
            #[doc = #doc] #rename
            #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "::rollcall_runtime::presence::present")]
            pub #ident: Option<#kind>,
        },
        (false, true) => quote! {
            #[doc = #doc] #rename
            #[serde(default, skip_serializing_if = "::rollcall_runtime::Presence::is_absent")]
            pub #ident: ::rollcall_runtime::Presence<#kind>,
        },
    })
}

fn type_tokens(
    contract: &Contract,
    module: &TokenStream,
    at: &str,
    schema: &Value,
) -> Result<TokenStream, Error> {
    if let Some(name) = contract.document().schema_name(schema) {
        let ident = emit::type_ident(name);
        return Ok(quote!(#module::#ident));
    }
    match schema.get("type").and_then(Value::as_str) {
        None if schema.get("anyOf").is_none() && schema.get("allOf").is_none() => {
            Ok(quote!(::serde_json::Value))
        }
        Some("boolean") => Ok(quote!(bool)),
        Some("string") if LIMITS.iter().all(|limit| schema.get(limit).is_none()) => Ok(quote!(String)),
        Some("array") => {
            let items = schema
                .get("items")
                .ok_or_else(|| unsupported(at, "an array without items"))?;
            let items = type_tokens(contract, module, at, items)?;
            Ok(quote!(Vec<#items>))
        }
        _ => Err(unsupported(
            at,
            "an optional member is a component, a boolean, a string or an array of these",
        )),
    }
}

/// What makes a string more than a string; such a schema has to be a component.
const LIMITS: [&str; 5] = ["enum", "pattern", "format", "minLength", "maxLength"];

fn unsupported(at: &str, why: &str) -> Error {
    Error::Unsupported {
        at: at.to_owned(),
        why: why.to_owned(),
    }
}
