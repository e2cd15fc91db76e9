//! `links.rs`: a constructor for each links object. Every link is the record itself or a list filtered by the record's id.

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::{Contract, Link, Pointer};

use crate::{Error, emit};

pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let mut seen = Vec::new();
    let mut written = TokenStream::new();
    for record in contract.records() {
        let schema = contract.member_schema(record, &Pointer::of(["links"]));
        let Some(name) = schema.and_then(|schema| contract.document().schema_name(schema)) else {
            continue;
        };
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let ident = emit::type_ident(name);
        let links = contract.links(record)?;
        let members = links.iter().map(|link| emit::value_ident(&link.member));
        let texts = links
            .iter()
            .map(|link| template(contract, link))
            .collect::<Result<Vec<_>, _>>()?;
        written.extend(quote! {
            impl crate::model::#ident {
                /// The links of the record `id` below the address `base`.
                pub fn of(base: &str, id: &str) -> Self {
                    Self { #(#members: crate::model::Link([base, #texts, id].concat()),)* }
                }
            }
        });
    }
    Ok(written)
}

/// What stands between the base address and the id, which always comes last.
fn template(contract: &Contract, link: &Link) -> Result<String, Error> {
    let wrong = |why: &str| Error::Unsupported {
        at: format!("x-link of {}", link.member),
        why: why.to_owned(),
    };
    let operation = contract
        .operation(&link.operation)
        .ok_or_else(|| wrong("no such operation"))?;
    match &link.filter {
        Some(filter) => {
            let name = filter.replace('[', "%5B").replace(']', "%5D");
            Ok(format!("{}?{name}=", operation.path))
        }
        None => {
            let end = operation.path.find('{').filter(|_| operation.path.ends_with('}'));
            let end = end.ok_or_else(|| wrong("the path of a single record ends in its id"))?;
            Ok(operation.path[..end].to_owned())
        }
    }
}
