//! `server.rs`: the table of operations, `trait Api` with a method for each, and the router that calls them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use rollcall_contract::{Contract, Method, Operation};
use syn::Ident;

use crate::{Error, emit};

pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let operations = contract
        .operations
        .iter()
        .map(Generated::of)
        .collect::<Result<Vec<_>, _>>()?;
    let table = operations.iter().map(|one| &one.entry);
    let names: Vec<_> = operations.iter().map(|one| &one.constant).collect();
    let methods = operations.iter().map(|one| &one.method);
    let routes = operations.iter().map(|one| &one.route);
    let functions = operations.iter().map(|one| &one.function);
    let bodies = bodies(contract);
    Ok(quote! {
        /// Every operation of the contract.
        pub mod operations {
            use crate::http::Operation;
            #(#table)*
            /// All of them, in the order of the contract.
            pub static ALL: &[&Operation] = &[#(&#names),*];
        }

        /// A service that implements the contract: an operation without a method, or one with a wrong body or answer,
        /// does not compile.
        pub trait Api: crate::http::Gate {
            #(#methods)*
        }

        /// The routes of the contract, relative to its base address.
        pub fn router<A: Api>(api: A) -> ::axum::Router {
            ::axum::Router::new() #(#routes)* .with_state(api)
        }

        #(#functions)*
        #bodies
    })
}

struct Generated {
    constant: Ident,
    entry: TokenStream,
    method: TokenStream,
    route: TokenStream,
    function: TokenStream,
}

impl Generated {
    fn of(operation: &Operation) -> Result<Self, Error> {
        let unsupported = |why: &str| Error::Unsupported {
            at: operation.id.clone(),
            why: why.to_owned(),
        };
        let name = emit::value_ident(&operation.id);
        let constant = format_ident!("{}", name.to_string().to_uppercase());
        let (id, path) = (&operation.id, &operation.path);
        let scope = operation
            .scope
            .as_deref()
            .ok_or_else(|| unsupported("an operation without x-scope"))?;
        let verb = match operation.method {
            Method::Get => format_ident!("get"),
            Method::Patch => format_ident!("patch"),
            _ => return Err(unsupported("a method other than GET and PATCH")),
        };
        let answer = operation.answer.schema.as_deref().map(emit::type_ident);
        let answer = answer.ok_or_else(|| unsupported("an answer that is no component"))?;
        let mut takes = Vec::new();
        let mut reads = Vec::new();
        let mut gives = Vec::new();
        let mut path_parameters = operation.path_parameters();
        if let Some(parameter) = path_parameters.next() {
            let kind = parameter.schema_name.as_deref().map(emit::type_ident);
            let kind = kind.ok_or_else(|| unsupported("a path parameter that is no component"))?;
            let ident = emit::value_ident(&parameter.name);
            takes.push(quote!(#ident: crate::model::#kind));
            reads.push(quote!(let #ident = incoming.id()?;));
            gives.push(quote!(#ident));
        }
        if path_parameters.next().is_some() {
            return Err(unsupported("two path parameters"));
        }
        if operation.list.is_some() {
            let list = emit::list_ident(&operation.id);
            takes.push(quote!(query: crate::list::ListQuery<crate::lists::#list>));
            reads.push(quote!(let query = incoming.query()?;));
            gives.push(quote!(query));
        } else {
            reads.push(quote!(incoming.no_query()?;));
        }
        if let Some(body) = &operation.request_body {
            let body = emit::type_ident(body);
            takes.push(quote!(body: crate::model::#body));
            reads.push(quote!(let body = incoming.body()?;));
            gives.push(quote!(body));
        }
        let (result, finish) = match operation.answer.many {
            true => (
                quote!(crate::http::Page<crate::model::#answer>),
                quote!(crate::http::page(answer)),
            ),
            false => (
                quote!(crate::http::Json<crate::model::#answer>),
                quote!(crate::http::record(answer, &incoming)),
            ),
        };
        let doc = format!(
            "{} `{} {}`",
            operation.summary.as_deref().unwrap_or_default(),
            operation.method,
            path
        );
        Ok(Self {
            entry: quote! {
                #[doc = #doc]
                pub static #constant: Operation = Operation { id: #id, path: #path, scope: #scope };
            },
            method: quote! {
                #[doc = #doc]
                fn #name(
                    &self,
                    call: crate::http::Call<Self::Caller>,
                    #(#takes,)*
                ) -> impl ::std::future::Future<Output = Result<#result, Self::Refusal>> + Send;
            },
            route: quote!(.route(#path, ::axum::routing::#verb(#name::<A>))),
            function: quote! {
                async fn #name<A: Api>(
                    ::axum::extract::State(api): ::axum::extract::State<A>,
                    request: ::axum::extract::Request,
                ) -> Result<::axum::response::Response, A::Refusal> {
                    let (call, incoming) = crate::http::admit(&api, &operations::#constant, request).await?;
                    #(#reads)*
                    let answer = api.#name(call, #(#gives),*).await?;
                    Ok(#finish)
                }
            },
            constant,
        })
    }
}

/// The members of each request body, so that a fault can be named before serde sees the body.
fn bodies(contract: &Contract) -> TokenStream {
    let mut written = TokenStream::new();
    let mut names: Vec<&str> = contract
        .operations
        .iter()
        .filter_map(|one| one.request_body.as_deref())
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let ident = emit::type_ident(name);
        let schema = contract.document().schema(name);
        let list = |key| schema.and_then(|schema| schema.get(key));
        let members: Vec<&String> = list("properties")
            .and_then(|all| all.as_object())
            .into_iter()
            .flat_map(|all| all.keys())
            .collect();
        let required: Vec<&str> = list("required")
            .and_then(|all| all.as_array())
            .into_iter()
            .flatten()
            .filter_map(|one| one.as_str())
            .collect();
        written.extend(quote! {
            impl crate::http::Body for crate::model::#ident {
                const MEMBERS: &'static [&'static str] = &[#(#members),*];
                const REQUIRED: &'static [&'static str] = &[#(#required),*];
            }
        });
    }
    written
}
