//! `lists.rs`: each list as a type with its tables: fields, filters, sort, relations.

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::{
    Contract, Filter, List, Match, Operation, Parameter, Pointer, Role, Test, TrashedWords, ValueKind,
};
use serde_json::Value;

use crate::{Error, emit, records};

pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let lists: Vec<_> = contract.lists().collect();
    let modules = lists
        .iter()
        .map(|(operation, list)| module(contract, operation, list))
        .collect::<Result<Vec<_>, _>>()?;
    let names: Vec<_> = lists
        .iter()
        .map(|(operation, _)| emit::list_ident(&operation.id))
        .collect();
    let idents: Vec<_> = lists
        .iter()
        .map(|(operation, _)| emit::list_module(operation))
        .collect();
    Ok(quote! {
        /// A count, by the fields of this contract.
        pub type CountSpec = ::rollcall_runtime::list::CountSpec<AnyField>;
        /// What a count counts, by the fields of this contract.
        pub type Counted = ::rollcall_runtime::list::Counted<AnyField>;

        /// A field of some list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AnyField {
            #(#[doc = concat!("Of [`", stringify!(#names), "`].")] #names(#idents::Field),)*
        }
        #(pub use #idents::#names;)*
        #(#modules)*
    })
}

fn module(contract: &Contract, operation: &Operation, list: &List) -> Result<TokenStream, Error> {
    let (module, name) = (emit::list_module(operation), emit::list_ident(&operation.id));
    let record = emit::type_ident(&list.record);
    let doc = format!(
        "`{}`: {}.",
        operation.id,
        operation.summary.as_deref().unwrap_or_default()
    );
    served(contract, operation, list)?;
    let fields = fields(operation, list)?;
    let variants = fields.iter().map(emit::field_ident).collect::<Vec<_>>();
    let pointers = fields.iter().map(ToString::to_string);
    let filters = operation
        .filters()
        .map(|(parameter, one)| filter(contract, parameter, one))
        .collect::<Result<Vec<_>, _>>()?;
    let sort = list.sort.iter().map(|(word, pointer)| {
        let field = emit::field_ident(pointer);
        quote!((#word, Field::#field))
    });
    let default = list.default_sort.iter().map(|key| {
        let field = list.sort_field(&key.field).map(emit::field_ident);
        let descending = key.descending;
        quote!(::rollcall_runtime::list::SortKey { field: Field::#field, descending: #descending })
    });
    let roles = operation.parameters.iter().filter_map(|parameter| {
        let role = match parameter.role? {
            Role::Cursor => return None, // A list with pages by cursor was refused.
            Role::Include => quote!(Include),
            Role::Sort => quote!(Sort),
            Role::Page => {
                let longest = max_length(contract, parameter);
                quote!(Page { max_length: #longest })
            }
            Role::PageSize => quote!(PageSize),
            Role::PageTotal => quote!(PageTotal),
        };
        let name = &parameter.name;
        Some(quote!((#name, ::rollcall_runtime::list::Role::#role)))
    });
    let (default_size, maximum_size) = page_sizes(contract, operation)?;
    let relations = relations(list);
    let sources = sources(contract, list, &fields)?;
    let record_module = emit::value_ident(&list.record);
    let (id, path) = (&operation.id, &operation.path);
    Ok(quote! {
        #[doc = #doc]
        pub mod #module {
            /// A member that a filter or the order looks at.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum Field { #(#[doc = concat!("`", #pointers, "`")] #variants,)* }

            #sources
            #relations

            #[doc = #doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct #name;

            impl ::rollcall_runtime::list::List for #name {
                type Field = Field;
                type Hidden = Hidden;
                type Relation = Relation;
                type Record = crate::model::#record;
                const OPERATION: &'static str = #id;
                const PATH: &'static str = #path;
                const ROLES: &'static [(&'static str, ::rollcall_runtime::list::Role)] = &[#(#roles),*];
                const PAGE_SIZES: ::rollcall_runtime::list::PageSizes =
                    ::rollcall_runtime::list::PageSizes { default: #default_size, maximum: #maximum_size };
                const FILTERS: &'static [::rollcall_runtime::list::Filter<Field>] = &[#(#filters),*];
                const SORT: &'static [(&'static str, Field)] = &[#(#sort),*];
                const DEFAULT_SORT: &'static [::rollcall_runtime::list::SortKey<Field>] = &[#(#default),*];
                const RELATIONS: &'static [::rollcall_runtime::list::RelationSpec<Relation>] = Relation::SPECS;
                fn source(field: Field) -> ::rollcall_runtime::list::Source<crate::records::#record_module::Member, Hidden> {
                    field.source()
                }
                fn any(field: Field) -> super::AnyField {
                    super::AnyField::#name(field)
                }
            }
        }
    })
}

/// The most characters of a parameter's value.
fn max_length(contract: &Contract, parameter: &Parameter) -> usize {
    let schema = contract.document().underlying(&parameter.schema);
    let longest = schema.get("maxLength").and_then(Value::as_u64);
    longest
        .and_then(|longest| usize::try_from(longest).ok())
        .unwrap_or(usize::MAX)
}

/// Refuses a list of a form that the runner can judge and the generated server cannot serve.
fn served(contract: &Contract, operation: &Operation, list: &List) -> Result<(), Error> {
    let mut words = operation.filters().map(|(_, filter)| &filter.words);
    let forms = [
        (
            contract.identifier != Pointer::of(["id"]),
            "an identifier that is not `/id`",
        ),
        (
            list.records != Pointer::root(),
            "records that are not the array of the answer",
        ),
        (list.next.is_some(), "pages by cursor"),
        (
            words.any(|words| *words != TrashedWords::default()),
            "other words for soft-deleted records",
        ),
    ];
    match forms.into_iter().find(|(is_unserved, _)| *is_unserved) {
        None => Ok(()),
        Some((_, form)) => Err(Error::Unsupported {
            at: operation.id.clone(),
            why: format!("a list with {form}"),
        }),
    }
}

/// How many records a page has if nothing else is asked for, and at most.
fn page_sizes(contract: &Contract, operation: &Operation) -> Result<(u16, u16), Error> {
    let schema = operation
        .role(Role::PageSize)
        .map(|parameter| contract.document().underlying(&parameter.schema));
    let number = |key: &str| u16::try_from(schema?.get(key)?.as_u64()?).ok();
    number("default")
        .zip(number("maximum"))
        .ok_or_else(|| Error::Unsupported {
            at: operation.id.clone(),
            why: "a list without a page size that has a default and a maximum".to_owned(),
        })
}

/// Which fields a member of the record shows, and the others as an enumeration.
fn sources(contract: &Contract, list: &List, fields: &[Pointer]) -> Result<TokenStream, Error> {
    let module = emit::value_ident(&list.record);
    let leaves = records::leaves(contract, &list.record)?;
    let is_shown = |field: &Pointer| leaves.iter().any(|leaf| leaf.pointer == *field);
    let hidden: Vec<_> = fields.iter().filter(|field| !is_shown(field)).collect();
    let pointers = hidden.iter().map(ToString::to_string);
    let variants = hidden.iter().map(|field| emit::field_ident(field));
    let arms = fields.iter().map(|field| {
        let name = emit::field_ident(field);
        match is_shown(field) {
            true => {
                quote!(Self::#name => ::rollcall_runtime::list::Source::Member(crate::records::#module::Member::#name))
            }
            false => quote!(Self::#name => ::rollcall_runtime::list::Source::Hidden(Hidden::#name)),
        }
    });
    Ok(quote! {
        /// A field that filters or the order look at, and that no member of the record shows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Hidden { #(#[doc = concat!("`", #pointers, "`")] #variants,)* }

        impl Field {
            /// Where the field comes from.
            pub fn source(self) -> ::rollcall_runtime::list::Source<crate::records::#module::Member, Hidden> {
                match self { #(#arms,)* }
            }
        }
    })
}

/// The fields that the order and the filters look at, without repetition.
fn fields(operation: &Operation, list: &List) -> Result<Vec<Pointer>, Error> {
    let mut fields: Vec<Pointer> = Vec::new();
    let filtered = operation.filters().flat_map(|(_, filter)| {
        let conditions = filter.all.iter().map(|condition| &condition.field);
        filter.fields.iter().chain(conditions)
    });
    for pointer in list.sort.iter().map(|(_, pointer)| pointer).chain(filtered) {
        if fields.contains(pointer) {
            continue;
        }
        let mut others = fields.iter();
        if let Some(twin) = others.find(|field| emit::field_ident(field) == emit::field_ident(pointer)) {
            return Err(Error::Unsupported {
                at: format!(
                    "{} {} ({}), field {pointer}",
                    operation.method, operation.path, operation.id
                ),
                why: format!("has the same last segment as {twin}: both would be one name"),
            });
        }
        fields.push(pointer.clone());
    }
    Ok(fields)
}

fn filter(contract: &Contract, parameter: &Parameter, filter: &Filter) -> Result<TokenStream, Error> {
    let name = &parameter.name;
    let longest = max_length(contract, parameter);
    let matching = match filter.matching {
        Match::Exact => quote!(Exact),
        Match::Contains => quote!(Contains),
        Match::Before => quote!(Before),
        Match::After => quote!(After),
        Match::Flag => quote!(Flag),
        Match::Trashed => quote!(Trashed),
    };
    let value = match &filter.value {
        ValueKind::Text { .. } => quote!(Text { max_length: #longest }),
        ValueKind::Word(words) => quote!(Word(&[#(#words),*])),
        ValueKind::Boolean => quote!(Boolean),
        ValueKind::Timestamp => quote!(Timestamp { max_length: #longest }),
        ValueKind::Trashed(_) => quote!(Trashed { max_length: #longest }),
        ValueKind::Integer => {
            return Err(Error::Unsupported {
                at: name.clone(),
                why: "a filter over integers".to_owned(),
            });
        }
    };
    let fields = filter.fields.iter().map(emit::field_ident);
    let all = filter.all.iter().map(|condition| {
        let field = emit::field_ident(&condition.field);
        let test = match &condition.test {
            Test::Is(value) => {
                let word = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                quote!(Is(#word))
            }
            Test::Present(present) => quote!(Present(#present)),
        };
        quote!((Field::#field, ::rollcall_runtime::list::Test::#test))
    });
    Ok(quote! {
        ::rollcall_runtime::list::Filter {
            name: #name,
            any_of: &[#(Field::#fields),*],
            all: &[#(#all),*],
            matching: ::rollcall_runtime::list::Match::#matching,
            value: ::rollcall_runtime::list::ValueKind::#value,
        }
    })
}

fn relations(list: &List) -> TokenStream {
    let variants: Vec<_> = list
        .relations
        .iter()
        .map(|relation| emit::type_ident(&relation.name))
        .collect();
    let (names, members): (Vec<_>, Vec<_>) = list
        .relations
        .iter()
        .map(|relation| (&relation.name, &relation.member))
        .unzip();
    let many = list.relations.iter().map(|relation| relation.many);
    let counts = list.relations.iter().map(|relation| match &relation.count {
        Some(member) => quote!(Some(#member)),
        None => quote!(None),
    });
    quote! {
        /// A relation that `include` can name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Relation { #(#[doc = concat!("`", #names, "`")] #variants,)* }

        impl Relation {
            /// All relations, as the contract names them.
            pub const SPECS: &'static [::rollcall_runtime::list::RelationSpec<Self>] = &[
                #(::rollcall_runtime::list::RelationSpec { name: #names, member: #members, many: #many, count: #counts, relation: Self::#variants },)*
            ];
        }
    }
}
