//! `models.rs` and `client.rs`: models and a builder-style client by progenitor. The models are mended where serde would accept
//! what the schema does not.

use proc_macro2::TokenStream;
use progenitor::{GenerationSettings, Generator, InterfaceStyle, TypeImpl};
use quote::{ToTokens as _, quote};
use rollcall_contract::{Contract, Pointer};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Field, Fields, File, Ident, Item, ItemMod, ItemStruct, Type, parse_quote};

use crate::values::Special;
use crate::{Error, builders, client, emit, open, prepare, strict, values, words};

/// What progenitor writes.
pub(crate) struct Written {
    /// The models, which need no HTTP.
    pub(crate) models: TokenStream,
    /// The client. It finds the models in `types`.
    pub(crate) client: TokenStream,
}

/// Has progenitor write the models, which are to be in `module`, and the client.
pub(crate) fn write(contract: &Contract, optional: &[String], module: &str) -> Result<Written, Error> {
    let is_open = module == open::MODULE;
    let mut settings = GenerationSettings::new();
    // Of the models of the server no client is made, so they need no builders.
    settings.with_interface(if is_open {
        InterfaceStyle::Builder
    } else {
        InterfaceStyle::Positional
    });
    settings.with_map_type("::std::collections::BTreeMap");
    settings.with_derive("PartialEq");
    settings.with_inner_type(quote!(::rollcall_runtime::client::Retry));
    for (name, schema) in contract.document().schemas() {
        let impls = match values::special(schema) {
            Some(Special::Bounded(..)) => vec![TypeImpl::Display],
            Some(_) => vec![TypeImpl::Display, TypeImpl::FromStr],
            None if optional.iter().any(|one| one == name) => vec![],
            None if is_open && words::is_enumeration(contract, name) => {
                vec![TypeImpl::Display, TypeImpl::FromStr]
            }
            None => continue,
        };
        let ident = emit::type_ident(name);
        settings.with_replacement(&ident, format!("{module}::{ident}"), impls.into_iter());
    }
    let document = serde_json::from_value(prepare::for_progenitor(contract, is_open))
        .map_err(|why| Error::Models(why.to_string()))?;
    let tokens = Generator::new(&settings)
        .generate_tokens(&document)
        .map_err(|why| Error::Models(why.to_string()))?;
    let mut file: File = syn::parse2(tokens).map_err(|why| Error::Syntax {
        file: "client.rs",
        why,
    })?;
    PatchModels { contract }.visit_file_mut(&mut file);
    client::extend(contract, &mut file);
    builders::keep_those_of_bodies(&mut file);
    let (mut models, mut client) = (TokenStream::new(), TokenStream::new());
    for item in file.items {
        match item {
            Item::Mod(ItemMod {
                ident,
                content: Some((_, items)),
                ..
            }) if ident == "types" => items.iter().for_each(|item| item.to_tokens(&mut models)),
            item => item.to_tokens(&mut client),
        }
    }
    Ok(Written { models, client })
}

/// Members in the order of the contract, null instead of absence where a member is required, and nothing read that is
/// neither object nor word.
struct PatchModels<'c> {
    contract: &'c Contract,
}

impl VisitMut for PatchModels<'_> {
    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        visit_mut::visit_item_mod_mut(self, module);
        let Some((_, items)) = &mut module.content else {
            return;
        };
        let read: Vec<Ident> = items.iter_mut().filter_map(read_exactly).collect();
        for impls in read.iter().map(strict::impls) {
            items.push(Item::Verbatim(impls));
        }
    }

    fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
        let name = item.ident.to_string();
        let is_model = item
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("derive"));
        if is_model
            && let Some(order) = self.order(&name)
            && let Fields::Named(fields) = &mut item.fields
        {
            let mut sorted: Vec<Field> = fields.named.iter().cloned().collect();
            sorted.sort_by_key(|field| order.iter().position(|member| *member == member_name(field)));
            sorted
                .iter_mut()
                .filter(|field| is_option(field))
                .for_each(require);
            fields.named = sorted.into_iter().collect();
        }
        visit_mut::visit_item_struct_mut(self, item);
    }
}

impl PatchModels<'_> {
    fn order(&self, name: &str) -> Option<Vec<&str>> {
        let (name, _) = self
            .contract
            .document()
            .schemas()
            .find(|(one, _)| emit::type_ident(one) == name)?;
        let members = self.contract.member_names(name, &Pointer::root());
        (!members.is_empty()).then_some(members)
    }
}

/// Marks an object or enumeration whose reading serde derives; a newtype reads what it holds.
fn read_exactly(item: &mut Item) -> Option<Ident> {
    let (ident, attributes) = match item {
        Item::Struct(one) if matches!(one.fields, Fields::Named(_)) => (&one.ident, &mut one.attrs),
        Item::Enum(one) => (&one.ident, &mut one.attrs),
        _ => return None,
    };
    let derived = attributes.iter().any(derives_deserialize);
    derived.then(|| {
        let remote = strict::attribute();
        attributes.push(parse_quote!(#remote));
        ident.clone()
    })
}

fn derives_deserialize(attribute: &Attribute) -> bool {
    let mut found = false;
    if attribute.path().is_ident("derive") {
        // A derive is a list of paths; nothing in it can fail to parse.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "Deserialize");
            Ok(())
        });
    }
    found
}

fn member_name(field: &Field) -> String {
    let mut name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    for attribute in field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
    {
        // Other words of the attribute (`default`, `skip_serializing_if = …`) are of no interest here.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                name = meta.value()?.parse::<syn::LitStr>()?.value();
            } else if let Ok(value) = meta.value() {
                value.parse::<syn::Expr>()?;
            }
            Ok(())
        });
    }
    name.trim_start_matches("r#").to_owned()
}

fn is_option(field: &Field) -> bool {
    let Type::Path(path) = &field.ty else { return false };
    path.path
        .segments
        .last()
        .is_some_and(|segment| segment.ident == "Option")
}

/// Every member of these structs is required (the others are written by `optional`), so null must be said.
fn require(field: &mut Field) {
    field
        .attrs
        .retain(|attribute| !attribute.path().is_ident("serde") || member_is_renamed(attribute));
    field
        .attrs
        .push(parse_quote!(#[serde(deserialize_with = "::rollcall_runtime::presence::nullable")]));
}

fn member_is_renamed(attribute: &Attribute) -> bool {
    attribute
        .meta
        .require_list()
        .is_ok_and(|list| list.tokens.to_string().contains("rename"))
}
