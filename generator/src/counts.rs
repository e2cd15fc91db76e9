//! What each member of a count object counts.

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::{Contract, Count, Counted};

use crate::{Error, emit};

/// The members of `count` of a record or summary, each with its `CountSpec`, in document order.
pub(crate) fn specs(contract: &Contract, schema: &str) -> Result<Vec<(String, TokenStream)>, Error> {
    let counts = contract.counts(schema)?.into_iter();
    counts
        .map(|count| Ok((count.member.clone(), spec(contract, &count)?)))
        .collect()
}

fn spec(contract: &Contract, count: &Count) -> Result<TokenStream, Error> {
    let member = &count.member;
    let counted = match &count.counted {
        Counted::External => quote!(External),
        Counted::Listing(listing) => {
            let filter = contract
                .operation(&listing.operation)
                .and_then(|operation| operation.filter(&listing.filter));
            let field = filter
                .and_then(|filter| filter.fields.first())
                .map(emit::field_ident);
            let field = field.ok_or_else(|| Error::Unsupported {
                at: member.clone(),
                why: format!("{} has no {}", listing.operation, listing.filter),
            })?;
            let list = emit::list_ident(&listing.operation);
            let module = emit::value_ident(&list.to_string());
            quote!(List(crate::lists::AnyField::#list(crate::lists::#module::Field::#field)))
        }
    };
    Ok(
        quote!(::rollcall_runtime::list::CountSpec { member: #member, counted: ::rollcall_runtime::list::Counted::#counted }),
    )
}
