//! `server.rs`: the table of operations, `trait Api`, and the router that calls it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use rollcall_contract::{Contract, Method, Operation};
use syn::Ident;

use crate::{Error, emit};

pub(crate) fn tokens(contract: &Contract) -> Result<TokenStream, Error> {
    let operations = contract
        .operations
        .iter()
        .map(|operation| Generated::of(contract, operation))
        .collect::<Result<Vec<_>, _>>()?;
    let table = operations.iter().map(|one| &one.entry);
    let names: Vec<_> = operations.iter().map(|one| &one.constant).collect();
    let bounds = operations.iter().filter_map(|one| one.bound.as_ref());
    let methods = operations.iter().filter_map(|one| one.method.as_ref());
    let routes = operations.iter().map(|one| &one.route);
    let functions = operations.iter().map(|one| &one.function);
    let bodies = bodies(contract);
    Ok(quote! {
        /// Every operation of the contract.
        pub mod operations {
            use ::rollcall_runtime::http::Operation;
            #(#table)*
            /// All of them, in the order of the contract.
            pub static ALL: &[&Operation] = &[#(&#names),*];
        }

        /// A service that implements the contract: an operation without a method, a list that it does not have, or a
        /// wrong body or answer does not compile.
        pub trait Api: ::rollcall_runtime::http::Backend #(+ #bounds)* {
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
    /// For a list or a single record: the trait of `http` that has it.
    bound: Option<TokenStream>,
    /// For any other operation: its method of `Api`.
    method: Option<TokenStream>,
    route: TokenStream,
    function: TokenStream,
}

impl Generated {
    fn of(contract: &Contract, operation: &Operation) -> Result<Self, Error> {
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
        let (verb, way, work) = match operation.method {
            Method::Get => (format_ident!("get"), format_ident!("read"), quote!(Reader)),
            Method::Patch => (format_ident!("patch"), format_ident!("write"), quote!(Writer)),
            _ => return Err(unsupported("a method other than GET and PATCH")),
        };
        let summary = operation.summary.as_deref().unwrap_or_default();
        let http_method = operation.method.to_string();
        let doc = format!("{summary} `{http_method} {path}`");
        let Call { bound, method, judge } = Call::of(contract, operation, &name, &doc)?;
        Ok(Self {
            entry: quote! {
                #[doc = #doc]
                pub static #constant: Operation = Operation {
                    id: #id,
                    summary: #summary,
                    method: #http_method,
                    path: #path,
                    scope: #scope,
                };
            },
            bound,
            method,
            route: quote!(.route(#path, ::axum::routing::#verb(#name::<A>))),
            function: quote! {
                async fn #name<A: Api>(
                    ::axum::extract::State(api): ::axum::extract::State<A>,
                    request: ::axum::extract::Request,
                ) -> Result<::axum::response::Response, A::Error> {
                    fn work<A: Api>(
                        session: &mut A::#work<'_>,
                        request: &::rollcall_runtime::http::ReceivedRequest,
                    ) -> Result<::axum::response::Response, A::Error> {
                        request.check()?;
                        #judge
                    }
                    api.#way(&operations::#constant, request, work::<A>).await
                }
            },
            constant,
        })
    }
}

/// How an operation is judged and called.
struct Call {
    bound: Option<TokenStream>,
    method: Option<TokenStream>,
    judge: TokenStream,
}

impl Call {
    fn of(contract: &Contract, operation: &Operation, name: &Ident, doc: &str) -> Result<Self, Error> {
        let unsupported = |why: &str| Error::Unsupported {
            at: operation.id.clone(),
            why: why.to_owned(),
        };
        let schema = operation.answer.schema.as_deref();
        let schema = schema.ok_or_else(|| unsupported("an answer that is no component"))?;
        let mut path_parameters = operation.path_parameters();
        let parameter = path_parameters.next();
        if path_parameters.next().is_some() {
            return Err(unsupported("two path parameters"));
        }
        let id = parameter.map(|parameter| {
            let kind = parameter.schema_name.as_deref().map(emit::type_ident);
            let kind = kind.ok_or_else(|| unsupported("a path parameter that is no component"))?;
            Ok::<_, Error>((emit::value_ident(&parameter.name), quote!(crate::model::#kind)))
        });
        let id = id.transpose()?;
        if operation.list.is_some() {
            let list = emit::list_ident(&operation.id);
            let bound = quote!(::rollcall_runtime::http::Lists<crate::lists::#list>);
            let judge = quote! {
                let query = request.query()?;
                <A as #bound>::list(session, &query).map(::rollcall_runtime::http::page)
            };
            return Ok(Self {
                bound: Some(bound),
                method: None,
                judge,
            });
        }
        let lists = contract.lists().filter(|(_, list)| list.record == schema);
        let list = lists.map(|(list, _)| emit::list_ident(&list.id)).next();
        match (operation.method, id) {
            (Method::Get, Some((_, kind))) => {
                let list = list.ok_or_else(|| unsupported("a record that no list has"))?;
                let bound = quote!(::rollcall_runtime::http::Gets<crate::lists::#list>);
                let judge = quote! {
                    let id: #kind = request.id()?;
                    request.no_query()?;
                    let record = <A as #bound>::get(session, &id)?;
                    Ok(::rollcall_runtime::http::record(record, request)?)
                };
                Ok(Self {
                    bound: Some(bound),
                    method: None,
                    judge,
                })
            }
            (Method::Patch, Some((ident, kind))) => {
                let answer = emit::type_ident(schema);
                let body = operation.request_body.as_deref().map(emit::type_ident);
                let body = body.map(|body| {
                    (
                        quote!(body: crate::model::#body),
                        quote!(let body = request.body()?;),
                        quote!(body),
                    )
                });
                let (takes, reads, gives) = body.unwrap_or_default();
                let method = quote! {
                    #[doc = #doc]
                    fn #name(
                        writer: &mut Self::Writer<'_>,
                        conditions: ::rollcall_runtime::http::Conditions,
                        #ident: #kind,
                        #takes
                    ) -> Result<::rollcall_runtime::http::Json<crate::model::#answer>, Self::Error>;
                };
                let judge = quote! {
                    let conditions = request.conditions::<crate::model::IdempotencyKey>()?;
                    let #ident = request.id()?;
                    request.no_query()?;
                    #reads
                    let record = A::#name(session, conditions, #ident, #gives)?;
                    Ok(::rollcall_runtime::http::record(record, request)?)
                };
                Ok(Self {
                    bound: None,
                    method: Some(method),
                    judge,
                })
            }
            _ => Err(unsupported(
                "an operation that is no list, no record and no change of a record",
            )),
        }
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
            impl ::rollcall_runtime::http::Body for crate::model::#ident {
                const MEMBERS: &'static [&'static str] = &[#(#members),*];
                const REQUIRED: &'static [&'static str] = &[#(#required),*];
            }
        });
    }
    written
}
