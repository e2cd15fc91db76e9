//! Between HTTP and the generated `Api`: what the router does with every request before and after its method.
//!
//! The order is that of A2: who asks and whether they may, then what they ask for. A method sees only what was understood;
//! what was not is a [`Rejection`], which the server turns into its one form of error.

mod accept;
mod answer;
mod body;
mod coding;
mod conditions;
mod etag;
mod json;
mod request;

pub use axum::extract::Request;
pub use axum::response::{IntoResponse, Response};

pub use answer::{page, record};
pub use body::{Body, MAX_BODY};
pub use coding::{Coding, Codings};
pub use conditions::Conditions;
pub use etag::{ETag, ETags};
pub use json::Json;
pub use request::{ReceivedRequest, Rejection};

use crate::list::{List, ListQuery};
use crate::{Id, IdKind};

/// An operation as the router knows it.
#[derive(Debug)]
pub struct Operation {
    /// The contract's operationId.
    pub id: &'static str,
    /// Its summary, a few words.
    pub summary: &'static str,
    /// The method.
    pub method: &'static str,
    /// The path below the base address, with its parameter in braces.
    pub path: &'static str,
    /// The scope a token needs.
    pub scope: &'static str,
}

/// What a GET does with one state of the records.
pub type ReadWork<B> =
    for<'s> fn(&mut <B as Backend>::Reader<'s>, &ReceivedRequest) -> Result<Response, <B as Backend>::Error>;

/// What a PATCH does within one change.
pub type WriteWork<B> =
    for<'s> fn(&mut <B as Backend>::Writer<'s>, &ReceivedRequest) -> Result<Response, <B as Backend>::Error>;

/// A server behind the generated router. It decides who may do what, and on which records each operation works.
pub trait Backend: Clone + Send + Sync + 'static {
    /// What a GET works with: one state of the records.
    type Reader<'s>;
    /// What a PATCH works with: a change that is made as a whole or not at all.
    type Writer<'s>;
    /// An error that answers HTTP.
    type Error: IntoResponse + From<Rejection> + Send + 'static;
    /// Admits the sender of a GET before anything else of the request is judged, then does the work.
    fn read(
        &self,
        operation: &'static Operation,
        request: Request,
        work: ReadWork<Self>,
    ) -> impl Future<Output = Result<Response, Self::Error>> + Send;
    /// Admits the sender of a PATCH before anything else of the request is judged, then does the work.
    fn write(
        &self,
        operation: &'static Operation,
        request: Request,
        work: WriteWork<Self>,
    ) -> impl Future<Output = Result<Response, Self::Error>> + Send;
}

/// A server that has the records of a list.
pub trait Lists<L: List>: Backend {
    /// The page that the query asks for.
    fn list(reader: &mut Self::Reader<'_>, query: &ListQuery<L>) -> Result<Page<L::Record>, Self::Error>;
}

/// A server that has each record of a list at an address of its own.
pub trait Gets<L: List>: Backend {
    /// The record with this id.
    fn get<K: IdKind>(reader: &mut Self::Reader<'_>, id: &Id<K>) -> Result<Json<L::Record>, Self::Error>;
}

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Page<R> {
    /// The records.
    pub records: Json<Vec<R>>,
    /// The neighbouring pages as relation and address.
    pub links: Vec<(&'static str, String)>,
    /// All records found, if that was asked for.
    pub total: Option<u64>,
}
