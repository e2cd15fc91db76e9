//! The body of a request.

use axum::body::Body as RequestBody;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Rejection;
use crate::list::{MOST_FAULTS, abridged, unknown};
use crate::{Fault, FaultCode};

/// The most bytes of a body.
pub const MAX_BODY: usize = 64 * 1024;

/// A request body of the contract.
pub trait Body: DeserializeOwned {
    /// Members it may have.
    const MEMBERS: &'static [&'static str];
    /// Members it must have.
    const REQUIRED: &'static [&'static str];
}

/// The whole body, if it is no larger than it may be.
pub(super) async fn read(body: RequestBody) -> Result<Vec<u8>, Rejection> {
    match Limited::new(body, MAX_BODY).collect().await {
        Ok(whole) => Ok(whole.to_bytes().to_vec()),
        Err(error) if error.is::<LengthLimitError>() => Err(Rejection::TooLarge(MAX_BODY)),
        Err(_) => Err(Rejection::Incomplete),
    }
}

/// Reads a body; names all of its faults.
pub(super) fn parse<B: Body>(headers: &HeaderMap, body: &[u8]) -> Result<B, Rejection> {
    if !is_json(headers) {
        return Err(Rejection::NotJson);
    }
    if is_encoded(headers) {
        return Err(Rejection::Encoded);
    }
    let value: Value = serde_json::from_slice(body).map_err(|why| Rejection::Malformed(why.to_string()))?;
    let Value::Object(members) = value else {
        let fault = Fault::of_body("", FaultCode::InvalidMember, "the body is a JSON object");
        return Err(Rejection::Body(vec![fault]));
    };
    let strange = members
        .keys()
        .filter(|name| !B::MEMBERS.contains(&name.as_str()))
        .map(|name| {
            let mut one = unknown(
                name,
                FaultCode::UnknownMember,
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
        let detail = "this member is required";
        Fault::of_body(format!("/{name}"), FaultCode::MissingMember, detail)
    });
    let faults: Vec<_> = missing.chain(strange).take(MOST_FAULTS).collect();
    if !faults.is_empty() {
        return Err(Rejection::Body(faults));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    serde_path_to_error::deserialize(&mut json).map_err(|why| {
        let pointer = pointer(why.path());
        let sentence = why.inner().to_string();
        let sentence = sentence
            .rsplit_once(" at line ")
            .map_or(&*sentence, |(sentence, _)| sentence);
        let fault = Fault::of_body(pointer, FaultCode::InvalidMember, abridged(sentence));
        Rejection::Body(vec![fault])
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
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

/// Whether a coding was applied to the body (RFC 9110 §8.4).
fn is_encoded(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    codings.any(|coding| !coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
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
