//! A request, read but not judged; each part is judged when an operation asks for it.

use std::str::FromStr;

use axum::extract::{FromRequestParts as _, Path, RawPathParams, Request};
use http::header::IF_NONE_MATCH;
use http::request::Parts;

use super::accept::accepts_json;
use super::body::{self, Body};
use super::conditions::{Conditions, tags};
use super::{Codings, ETag, ETags};
use crate::list::{List, ListQuery, MOST_FAULTS, pairs, unknown};
use crate::{Fault, FaultCode, Id, IdKind};

/// A request that was not understood; the contract says with which status each is answered (A4).
#[derive(Clone, Debug, PartialEq)]
pub enum Rejection {
    /// 400: faults of the query or a header.
    Query(Vec<Fault>),
    /// 404: the path's identifier cannot be one of the resource; the sentence says why.
    NoSuchId(String),
    /// 406: JSON is not wanted.
    NotAcceptable,
    /// 415: the body is not declared as JSON.
    NotJson,
    /// 415: the body is declared as encoded, such as compressed.
    Encoded,
    /// 413: the body is larger than this many bytes.
    TooLarge(usize),
    /// 400: the body broke off.
    Incomplete,
    /// 400: the body is not JSON; the sentence says where.
    Malformed(String),
    /// 422: the body is JSON but not what is expected.
    Body(Vec<Fault>),
}

/// A request with its whole body.
#[derive(Debug)]
pub struct ReceivedRequest {
    head: Parts,
    /// The path's one parameter; empty where the path has none.
    id: Result<String, Rejection>,
    body: Result<Vec<u8>, Rejection>,
}

impl ReceivedRequest {
    /// Reads the body and the path.
    pub async fn receive(request: Request) -> Self {
        let (mut head, body) = request.into_parts();
        let id = path_id(&mut head).await;
        Self {
            id,
            body: body::read(body).await,
            head,
        }
    }

    /// Method, target and headers.
    pub fn head(&self) -> &Parts {
        &self.head
    }

    /// Rejects a request that is understood by no operation: one that wants no JSON, or has a broken path or body.
    pub fn check(&self) -> Result<(), Rejection> {
        accepts_json(&self.head.headers)?;
        self.id.as_ref().map_err(Clone::clone)?;
        self.body.as_ref().map_err(Clone::clone)?;
        Ok(())
    }

    fn query_text(&self) -> &str {
        self.head.uri.query().unwrap_or_default()
    }

    fn body_bytes(&self) -> Result<&[u8], Rejection> {
        self.body.as_deref().map_err(Clone::clone)
    }

    /// The form of this tag that the sender of a GET has already.
    pub fn has(&self, tag: &ETag) -> Result<Option<ETag>, Rejection> {
        let held = self.held()?;
        Ok(held.and_then(|held| held.held(tag, Codings::of(&self.head.headers))))
    }

    /// The ETags that the sender of a GET holds already.
    pub fn held(&self) -> Result<Option<ETags>, Rejection> {
        match self.head.method.is_safe() {
            true => tags(&self.head.headers, IF_NONE_MATCH),
            false => Ok(None),
        }
    }

    /// What must hold for a change to be made; `K` is the type of an idempotency key.
    pub fn conditions<K: FromStr>(&self) -> Result<Conditions, Rejection> {
        let Parts {
            method, uri, headers, ..
        } = &self.head;
        Conditions::of::<K>(method, uri.path(), headers, self.body_bytes()?)
    }

    /// The identifier in the path.
    pub fn id<K: IdKind>(&self) -> Result<Id<K>, Rejection> {
        self.id
            .as_deref()
            .map_err(Clone::clone)?
            .parse()
            .map_err(|why| Rejection::NoSuchId(format!("The identifier in the path is {why}.")))
    }

    /// The query of a list.
    pub fn query<L: List>(&self) -> Result<ListQuery<L>, Rejection> {
        ListQuery::parse(self.query_text()).map_err(Rejection::Query)
    }

    /// Refuses any query: this operation has no parameters there.
    pub fn no_query(&self) -> Result<(), Rejection> {
        let pairs = pairs(self.query_text()).map_err(Rejection::Query)?;
        let unknown = |(name, _): &(String, String)| {
            unknown(
                name,
                FaultCode::UnknownParameter,
                name,
                "a parameter here; there are none",
                &[],
            )
        };
        let faults = || pairs.iter().take(MOST_FAULTS).map(unknown).collect();
        if pairs.is_empty() {
            Ok(())
        } else {
            Err(Rejection::Query(faults()))
        }
    }

    /// The body; a rejection names all of its faults.
    pub fn body<B: Body>(&self) -> Result<B, Rejection> {
        body::parse(&self.head.headers, self.body_bytes()?)
    }
}

async fn path_id(head: &mut Parts) -> Result<String, Rejection> {
    let any = RawPathParams::from_request_parts(head, &())
        .await
        .is_ok_and(|all| all.iter().next().is_some());
    if !any {
        return Ok(String::new());
    }
    let path = Path::<String>::from_request_parts(head, &()).await;
    path.map(|Path(id)| id)
        .map_err(|_| Rejection::NoSuchId("The identifier in the path is badly encoded.".to_owned()))
}
