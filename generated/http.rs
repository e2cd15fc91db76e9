//! Between HTTP and [`crate::Api`]: what the generated router does with every request before and after its method.
//!
//! The order is that of A2: who asks and whether they may, then what they ask for. A method of the trait sees only what was
//! understood; what was not is [`Refused`], which the server turns into its one form of error.

mod answer;
mod etag;
mod json;

use axum::body::Body as RequestBody;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, RawPathParams, Request};
pub use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH};
pub use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

pub use answer::{page, record};
pub use etag::{ETag, ETags};
pub use json::Json;

use crate::list::{List, ListQuery, MOST_FAULTS, pairs, unknown};
use crate::model::{IdempotencyKey, ProblemCode, ProblemError};
use crate::{Id, IdKind};

/// An operation as the router knows it.
#[derive(Debug)]
pub struct Operation {
    /// The contract's operationId.
    pub id: &'static str,
    /// The path below the base address, with its parameter in braces.
    pub path: &'static str,
    /// The scope a token needs.
    pub scope: &'static str,
}

/// What stands before every operation.
pub trait Gate: Clone + Send + Sync + 'static {
    /// Who asks.
    type Caller: Send;
    /// An error that answers HTTP.
    type Refusal: IntoResponse + From<Refused> + Send;
    /// Decides whether the sender of this request may do this at all. Nothing else of the request has been looked at yet.
    fn admit(
        &self,
        operation: &'static Operation,
        head: &Parts,
    ) -> impl Future<Output = Result<Self::Caller, Self::Refusal>> + Send;
}

/// A request that was not understood; the contract says with which status each is answered (A4).
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// 400: faults of the query or a header.
    Query(Vec<ProblemError>),
    /// 404: the path's identifier cannot be one of the resource; the sentence says why.
    NoSuchId(String),
    /// 406: JSON is not wanted.
    NotAcceptable,
    /// 415: the body is not declared as JSON.
    NotJson,
    /// 413: the body is larger than this many bytes.
    TooLarge(usize),
    /// 400: the body broke off.
    Incomplete,
    /// 400: the body is not JSON; the sentence says where.
    Malformed(String),
    /// 422: the body is JSON but not what is expected.
    Body(Vec<ProblemError>),
}

/// The most bytes of a body.
pub const MAX_BODY: usize = 64 * 1024;

/// Who calls, and under which conditions.
#[derive(Clone, Debug)]
pub struct Call<C> {
    /// Who asks.
    pub caller: C,
    /// What must hold for a change to be made (O11).
    pub conditions: Conditions,
}

/// The most bytes of `If-Match` and of `If-None-Match`, all lines together.
const MAX_ETAGS: usize = 1_024;

/// Preconditions and idempotency of a change (O11).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// ETags one of which the record must have.
    pub if_match: Option<ETags>,
    /// The caller's key for this request.
    pub idempotency_key: Option<String>,
    /// A digest of what is asked for: two requests under one key must have the same.
    pub fingerprint: [u8; 32],
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

/// A request body of the contract.
pub trait Body: DeserializeOwned {
    /// Members it may have.
    const MEMBERS: &'static [&'static str];
    /// Members it must have.
    const REQUIRED: &'static [&'static str];
}

/// A request that was admitted, ready to be read.
#[derive(Debug)]
pub struct Incoming {
    method: Method,
    id: String,
    query: String,
    held: Option<ETags>,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// Admits a request, then reads head and body.
pub async fn admit<A: Gate>(
    api: &A,
    operation: &'static Operation,
    request: Request,
) -> Result<(Call<A::Caller>, Incoming), A::Refusal> {
    let (mut head, body) = request.into_parts();
    let caller = api.admit(operation, &head).await?;
    accepts_json(&head.headers)?;
    let id = path_id(&mut head).await?;
    let body = read(body).await?;
    let held = tags(&head.headers, IF_NONE_MATCH)?;
    let conditions = conditions(&head, &body)?;
    let query = head.uri.query().unwrap_or_default().to_owned();
    Ok((
        Call { caller, conditions },
        Incoming {
            method: head.method,
            id,
            query,
            held,
            headers: head.headers,
            body,
        },
    ))
}

/// The whole body, if it is no larger than it may be.
async fn read(body: RequestBody) -> Result<Vec<u8>, Refused> {
    match Limited::new(body, MAX_BODY).collect().await {
        Ok(whole) => Ok(whole.to_bytes().to_vec()),
        Err(error) if error.is::<LengthLimitError>() => Err(Refused::TooLarge(MAX_BODY)),
        Err(_) => Err(Refused::Incomplete),
    }
}

/// The entity tags that a header names, if it was sent.
fn tags(headers: &HeaderMap, name: HeaderName) -> Result<Option<ETags>, Refused> {
    let lines = headers.get_all(&name);
    let bytes: usize = lines.iter().map(HeaderValue::len).sum();
    if bytes > MAX_ETAGS {
        let detail = format!("this header may have {MAX_ETAGS} bytes");
        let fault = fault(Some(name.as_str()), None, ProblemCode::ValueTooLong, &detail);
        return Err(Refused::Query(vec![fault]));
    }
    Ok(ETags::read(lines))
}

/// The path's one parameter; empty where the path has none.
async fn path_id(head: &mut Parts) -> Result<String, Refused> {
    let any = RawPathParams::from_request_parts(head, &())
        .await
        .is_ok_and(|all| all.iter().next().is_some());
    if !any {
        return Ok(String::new());
    }
    let path: Result<Path<String>, PathRejection> = Path::from_request_parts(head, &()).await;
    path.map(|Path(id)| id)
        .map_err(|_| Refused::NoSuchId("The identifier in the path is badly encoded.".to_owned()))
}

fn accepts_json(headers: &HeaderMap) -> Result<(), Refused> {
    let values = || headers.get_all(ACCEPT).iter();
    if values().all(HeaderValue::is_empty) {
        return Ok(());
    }
    let ranges = values()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|one| one.split(','));
    // The range that says most about JSON decides (RFC 9110 §12.5.1).
    match ranges.filter_map(wants_json).max() {
        Some((_, true)) => Ok(()),
        Some((_, false)) | None => Err(Refused::NotAcceptable),
    }
}

/// How closely a media range names JSON, if at all, and whether it is wanted.
fn wants_json(range: &str) -> Option<(u8, bool)> {
    let mut parts = range.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
    let mut known = ["*/*", "application/*", "application/json"].iter().zip(0..);
    let closeness = known.find_map(|(known, closeness)| (*known == kind).then_some(closeness))?;
    let refused = parts.any(|part| {
        let weight = part.to_ascii_lowercase();
        matches!(weight.as_str(), "q=0" | "q=0." | "q=0.0" | "q=0.00" | "q=0.000")
    });
    Some((closeness, !refused))
}

fn conditions(head: &Parts, body: &[u8]) -> Result<Conditions, Refused> {
    let key_name = HeaderName::from_static("idempotency-key");
    let refused = |code, detail| {
        let fault = fault(Some(key_name.as_str()), None, code, detail);
        Refused::Query(vec![fault])
    };
    let mut keys = head.headers.get_all(&key_name).iter();
    let key = keys.next().map(|value| {
        let key = value
            .to_str()
            .ok()
            .and_then(|key| IdempotencyKey::try_from(key).ok());
        key.map(|key| key.to_string()).ok_or_else(|| {
            refused(
                ProblemCode::InvalidValue,
                "an idempotency key has 1 to 255 visible ASCII characters",
            )
        })
    });
    if keys.next().is_some() {
        return Err(refused(
            ProblemCode::RepeatedParameter,
            "an idempotency key is given once",
        ));
    }
    let mut digest = Sha256::new();
    for part in [head.method.as_str().as_bytes(), head.uri.path().as_bytes(), body] {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    Ok(Conditions {
        if_match: tags(&head.headers, IF_MATCH)?,
        idempotency_key: key.transpose()?,
        fingerprint: digest.finalize().into(),
    })
}

impl Incoming {
    /// The ETags that the sender of a GET holds already.
    fn held(&self) -> Option<&ETags> {
        self.held.as_ref().filter(|_| self.method.is_safe())
    }

    /// The identifier in the path.
    pub fn id<K: IdKind>(&self) -> Result<Id<K>, Refused> {
        self.id
            .parse()
            .map_err(|why| Refused::NoSuchId(format!("The identifier in the path is {why}.")))
    }

    /// The query of a list.
    pub fn query<L: List>(&self) -> Result<ListQuery<L>, Refused> {
        ListQuery::parse(&self.query).map_err(Refused::Query)
    }

    /// Refuses any query: this operation has no parameters there.
    pub fn no_query(&self) -> Result<(), Refused> {
        let pairs = pairs(&self.query).map_err(Refused::Query)?;
        let unknown = |(name, _): &(String, String)| {
            unknown(
                name,
                ProblemCode::UnknownParameter,
                name,
                "a parameter here; there are none",
                &[],
            )
        };
        let faults = || pairs.iter().take(MOST_FAULTS).map(unknown).collect();
        if pairs.is_empty() {
            Ok(())
        } else {
            Err(Refused::Query(faults()))
        }
    }

    /// The body, its faults all named.
    pub fn body<B: Body>(&self) -> Result<B, Refused> {
        if !self.is_json() {
            return Err(Refused::NotJson);
        }
        let value: Value =
            serde_json::from_slice(&self.body).map_err(|why| Refused::Malformed(why.to_string()))?;
        let Value::Object(members) = value else {
            return Err(Refused::Body(vec![fault(
                None,
                Some(""),
                ProblemCode::InvalidMember,
                "the body is a JSON object",
            )]));
        };
        let strange = members
            .keys()
            .filter(|name| !B::MEMBERS.contains(&name.as_str()))
            .map(|name| {
                let mut one = unknown(
                    name,
                    ProblemCode::UnknownMember,
                    name,
                    "a member of this body",
                    B::MEMBERS,
                );
                one.pointer = one
                    .parameter
                    .take()
                    .map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1")));
                one
            });
        let missing = B::REQUIRED.iter().filter(|name| !members.contains_key(**name));
        let missing = missing.map(|name| {
            fault(
                None,
                Some(&format!("/{name}")),
                ProblemCode::MissingMember,
                "this member is required",
            )
        });
        let faults: Vec<_> = missing.chain(strange).take(MOST_FAULTS).collect();
        if !faults.is_empty() {
            return Err(Refused::Body(faults));
        }
        let mut json = serde_json::Deserializer::from_slice(&self.body);
        serde_path_to_error::deserialize(&mut json).map_err(|why| {
            let pointer = pointer(why.path());
            let sentence = why.inner().to_string();
            let sentence = sentence.split(" at line ").next().unwrap_or_default();
            Refused::Body(vec![fault(
                None,
                Some(&pointer),
                ProblemCode::InvalidMember,
                sentence,
            )])
        })
    }

    fn is_json(&self) -> bool {
        let kind = self
            .headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let kind = kind
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        kind == "application/json"
    }
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Map { key } => pointer.extend(["/", key]),
            Segment::Seq { index } => pointer.extend(["/", &index.to_string()]),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

fn fault(parameter: Option<&str>, pointer: Option<&str>, code: ProblemCode, detail: &str) -> ProblemError {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    ProblemError {
        parameter: owned(parameter),
        pointer: owned(pointer),
        code,
        detail: detail.to_owned(),
        allowed: None,
    }
}
