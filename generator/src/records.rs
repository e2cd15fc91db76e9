//! `records.rs`: the stored members of each record, and the JSON of records and summaries as constant text with slots.

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::{Contract, Included, Pointer};
use serde_json::Value;
use syn::Ident;

use crate::{Error, counts, emit, links};

/// A member that is stored: not an object of the contract, no count, no link, not `included`.
pub(crate) struct Leaf {
    pub(crate) pointer: Pointer,
    shape: Ident,
    is_nullable: bool,
}

/// Writes the enum of members and the parts of every record, and the parts of every summary that relations show.
pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let mut written = quote! {
        /// A part of the JSON of a record, by the fields of this contract.
        pub type Part<M> = ::rollcall_runtime::record::Part<M, crate::lists::AnyField>;
    };
    for record in contract.records() {
        let leaves = leaves(contract, record)?;
        let (module, name) = (emit::value_ident(record), emit::type_ident(record));
        let variants = leaves.iter().map(|leaf| emit::field_ident(&leaf.pointer));
        let pointers = leaves.iter().map(|leaf| leaf.pointer.to_string());
        written.extend(quote! {
            #[doc = concat!("Members of [`", stringify!(#name), "`](crate::model::", stringify!(#name), ").")]
            pub mod #module {
                /// A stored member.
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
                pub enum Member { #(#[doc = concat!("`", #pointers, "`")] #variants,)* }
            }
        });
        written.extend(layout(contract, record, record)?);
    }
    for summary in summaries(contract) {
        let record = contract
            .records()
            .into_iter()
            .find(|record| has_part(contract, record, summary));
        let record =
            record.ok_or_else(|| unsupported(summary, "a summary is a part (`allOf`) of a record"))?;
        written.extend(layout(contract, summary, record)?);
    }
    Ok(written)
}

/// The stored members of a record, in the order of the contract.
pub(crate) fn leaves(contract: &Contract, record: &str) -> Result<Vec<Leaf>, Error> {
    let mut layout = Layout::new(contract, record, record)?;
    layout.object(&Pointer::root())?;
    for (place, leaf) in layout.leaves.iter().enumerate() {
        let twin = layout.leaves[..place]
            .iter()
            .find(|other| emit::field_ident(&other.pointer) == emit::field_ident(&leaf.pointer));
        if let Some(twin) = twin {
            let lists = contract.lists().filter(|(_, list)| list.record == record);
            let lists: Vec<&str> = lists.map(|(operation, _)| operation.id.as_str()).collect();
            let at = format!("{record}{}, a record of {}", leaf.pointer, lists.join(" and "));
            let why = format!(
                "has the same last segment as {}: both would be one name",
                twin.pointer
            );
            return Err(unsupported(&at, &why));
        }
    }
    Ok(layout.leaves)
}

fn layout(contract: &Contract, schema: &str, record: &str) -> Result<TokenStream, Error> {
    let mut layout = Layout::new(contract, schema, record)?;
    layout.object(&Pointer::root())?;
    layout.end_text();
    let (name, module, parts) = (emit::type_ident(schema), emit::value_ident(record), &layout.parts);
    Ok(quote! {
        impl ::rollcall_runtime::record::Record for crate::model::#name {
            type Member = #module::Member;
            type AnyField = crate::lists::AnyField;
            const PARTS: &'static [Part<Self::Member>] = {
                use ::rollcall_runtime::record::Shape;
                use #module::Member;
                &[#(#parts),*]
            };
        }
    })
}

/// The summaries that relations show and that are no records themselves, without repetition.
fn summaries(contract: &Contract) -> Vec<&str> {
    let mut found = Vec::new();
    let relations = contract.lists().flat_map(|(_, list)| &list.relations);
    for summary in relations.filter_map(|relation| relation.record.as_deref()) {
        if !found.contains(&summary) && !contract.records().contains(&summary) {
            found.push(summary);
        }
    }
    found
}

fn has_part(contract: &Contract, record: &str, summary: &str) -> bool {
    let schema = contract.document().schema(record);
    let parts = schema.and_then(|schema| schema.get("allOf")?.as_array());
    let mut parts = parts.into_iter().flatten();
    parts.any(|part| contract.document().schema_name(part) == Some(summary))
}

/// A schema on its way to parts.
struct Layout<'c> {
    contract: &'c Contract,
    schema: &'c str,
    counts: Vec<(String, TokenStream)>,
    links: Vec<(String, String)>,
    /// Whether `included` has the names of relations instead of their records.
    has_names: bool,
    /// Constant text that is not yet a part.
    text: String,
    parts: Vec<TokenStream>,
    leaves: Vec<Leaf>,
}

impl<'c> Layout<'c> {
    fn new(contract: &'c Contract, schema: &'c str, record: &str) -> Result<Self, Error> {
        let mut lists = contract.lists().filter(|(_, list)| list.record == record);
        Ok(Self {
            contract,
            schema,
            counts: counts::specs(contract, schema)?,
            links: links::paths(contract, schema)?,
            has_names: lists.any(|(_, list)| list.included == Included::Names),
            text: String::new(),
            parts: Vec::new(),
            leaves: Vec::new(),
        })
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.parts.push(quote!(Part::Text(#text)));
        }
    }

    fn part(&mut self, part: TokenStream) {
        self.end_text();
        self.parts.push(part);
    }

    fn object(&mut self, at: &Pointer) -> Result<(), Error> {
        let names = self.contract.member_names(self.schema, at);
        for (place, name) in names.iter().enumerate() {
            self.text.push(if place == 0 { '{' } else { ',' });
            self.text.push_str(&format!("{}:", Value::from(*name)));
            self.member(&at.child(name))?;
        }
        self.text.push_str(if names.is_empty() { "{}" } else { "}" });
        Ok(())
    }

    fn member(&mut self, at: &Pointer) -> Result<(), Error> {
        let names: Vec<&str> = at.segments().iter().map(String::as_str).collect();
        match names[..] {
            ["included"] => return self.included(at),
            ["count", member] => return self.count(member),
            ["links", member] => return self.link(member),
            _ => {}
        }
        let place = format!("{}{at}", self.schema);
        let schema = self.contract.member_schema(self.schema, at);
        let schema = schema.ok_or_else(|| unsupported(&place, "a member without a schema"))?;
        let kind = self.contract.document().underlying(schema);
        if kind.get("properties").is_some() {
            return self.object(at);
        }
        let text = |key| kind.get(key).and_then(Value::as_str);
        let shape = match (text("type"), text("format")) {
            (Some("string"), Some("date-time")) => "Timestamp",
            (Some("string"), None) => "Text",
            (Some("boolean"), None) => "Boolean",
            (Some("integer"), _) => "Integer",
            (Some("object"), None) => "Json",
            _ => {
                return Err(unsupported(
                    &place,
                    "a stored member is text, a date-time, a boolean, an integer or an object",
                ));
            }
        };
        let leaf = Leaf {
            pointer: at.clone(),
            shape: emit::type_ident(shape),
            is_nullable: self.contract.document().or_null(schema).is_some()
                || schema.get("nullable") == Some(&Value::Bool(true)),
        };
        let (member, shape, is_nullable) = (emit::field_ident(at), &leaf.shape, leaf.is_nullable);
        self.part(
            quote!(Part::Member { member: Member::#member, shape: Shape::#shape, is_nullable: #is_nullable }),
        );
        self.leaves.push(leaf);
        Ok(())
    }

    fn included(&mut self, at: &Pointer) -> Result<(), Error> {
        if self.has_names {
            self.part(quote!(Part::IncludedNames));
            return Ok(());
        }
        if self.contract.member_names(self.schema, at).is_empty() {
            self.text.push_str("{}");
            return Ok(());
        }
        self.part(quote!(Part::Included));
        Ok(())
    }

    fn count(&mut self, member: &str) -> Result<(), Error> {
        let spec = self.counts.iter().find(|(name, _)| name == member);
        let spec = spec.map(|(_, spec)| spec.clone());
        let spec = spec.ok_or_else(|| {
            unsupported(
                &format!("{}/count/{member}", self.schema),
                "a count without x-count",
            )
        })?;
        self.part(quote!(Part::Count(#spec)));
        Ok(())
    }

    fn link(&mut self, member: &str) -> Result<(), Error> {
        let path = self.links.iter().find(|(name, _)| name == member);
        let path = path.map(|(_, path)| path.clone());
        let path = path.ok_or_else(|| {
            unsupported(
                &format!("{}/links/{member}", self.schema),
                "a link without x-link",
            )
        })?;
        self.text.push('"');
        self.part(quote!(Part::Link(#path)));
        self.text.push('"');
        Ok(())
    }
}

fn unsupported(at: &str, why: &str) -> Error {
    Error::Unsupported {
        at: at.to_owned(),
        why: why.to_owned(),
    }
}
