//! What the generated client has besides the methods that progenitor writes: tokens, retries, typed words, all pages.

use proc_macro2::TokenStream;
use quote::quote;
use rollcall_contract::{Contract, Operation};
use syn::{File, ImplItem, Item, ItemImpl, Type, parse_quote};

use crate::{emit, words};

/// Changes the client that progenitor wrote.
pub(crate) fn extend(contract: &Contract, file: &mut File) {
    for item in &mut file.items {
        if let Item::Mod(module) = item
            && module.ident == "builder"
            && let Some((_, items)) = &mut module.content
        {
            let impls = items.iter_mut().filter_map(|item| match item {
                Item::Impl(one) => Some(one),
                _ => None,
            });
            impls.for_each(|one| take_words(contract, one));
            let streams = contract.lists().filter_map(|(operation, _)| stream(operation));
            items.extend(streams.map(Item::Verbatim));
        }
    }
    file.items.push(Item::Verbatim(client()));
}

/// How a client is made, and what it does around each request.
fn client() -> TokenStream {
    quote! {
        impl Client {
            /// A client of the server at this base address (such as `https://host/api/v1`), with this access token.
            ///
            /// # Errors
            /// The address is no URL, the token cannot be a header, or TLS cannot be set up.
            pub fn with_token(baseurl: &str, token: &str) -> Result<Self, ::rollcall_runtime::client::Invalid> {
                let http = ::rollcall_runtime::client::http_client(baseurl, token)?;
                let baseurl = baseurl.trim_end_matches('/');
                Ok(Self::new_with_client(baseurl, http, ::rollcall_runtime::client::Retry::default()))
            }

            /// The client with other rules for sending a request again.
            pub fn with_retry(mut self, retry: ::rollcall_runtime::client::Retry) -> Self {
                self.inner = retry;
                self
            }
        }

        impl ClientHooks<::rollcall_runtime::client::Retry> for Client {
            async fn pre<E>(
                &self,
                request: &mut reqwest::Request,
                _: &OperationInfo,
            ) -> ::std::result::Result<(), Error<E>> {
                ::rollcall_runtime::client::add_key(request).map_err(Error::Custom)
            }

            async fn exec(
                &self,
                request: reqwest::Request,
                _: &OperationInfo,
            ) -> reqwest::Result<reqwest::Response> {
                ::rollcall_runtime::client::send(&self.client, &self.inner, request).await
            }
        }
    }
}

/// Lets the builder of a list take typed words where progenitor takes text.
fn take_words(contract: &Contract, builder: &mut ItemImpl) {
    let Type::Path(path) = &*builder.self_ty else {
        return;
    };
    let Some(name) = path.path.segments.last().map(|last| &last.ident) else {
        return;
    };
    let mut lists = contract.lists();
    let Some((operation, _)) = lists.find(|(operation, _)| emit::type_ident(&operation.id) == *name) else {
        return;
    };
    for parameter in &operation.parameters {
        let Some(kind) = words::type_of(contract, parameter) else {
            continue;
        };
        let ident = emit::value_ident(&parameter.name);
        let doc = parameter.description.as_deref().unwrap_or_default();
        let methods = builder.items.iter_mut().filter_map(|item| match item {
            ImplItem::Fn(method) if method.sig.ident == ident => Some(method),
            _ => None,
        });
        for method in methods {
            *method = parse_quote! {
                #[doc = #doc]
                pub fn #ident(mut self, words: impl IntoIterator<Item = crate::model::#kind>) -> Self {
                    self.#ident = Ok(Some(::rollcall_runtime::client::words(words)));
                    self
                }
            };
        }
    }
}

fn stream(operation: &Operation) -> Option<TokenStream> {
    let (builder, path) = (emit::type_ident(&operation.id), &operation.path);
    let record = operation.answer.schema.as_deref().map(emit::type_ident)?;
    Some(quote! {
        impl<'a> #builder<'a> {
            /// The records of all pages. The next page is asked for when the records of the one before have been taken.
            pub fn stream(self) -> ::rollcall_runtime::client::Records<'a, types::#record, types::Problem> {
                let client = self.client;
                ::rollcall_runtime::client::records(
                    &client.client,
                    &client.inner,
                    &client.baseurl,
                    #path,
                    self.send(),
                )
            }
        }
    })
}
