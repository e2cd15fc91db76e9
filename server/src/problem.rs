//! The only error that answers HTTP: RFC 9457 for everything, the framework's own refusals included (A3, A4).
//!
//! A [`Problem`] says what went wrong; where and under which request id is added by `request_log.rs`, which alone writes the body.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT_ENCODING, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use rollcall::http::Rejection;
use rollcall::model::{Problem as Body, ProblemCode, ProblemError, Status};
use rollcall::operations;
use rollcall_store::lifecycle::BadExpiry;
use rollcall_store::{Error, NotStored};

use crate::connection::Malformed;

/// Why a request was not served.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The word for programs; the status follows from it.
    pub code: ProblemCode,
    /// One sentence for people.
    pub detail: String,
    /// Each fault with its place.
    pub errors: Vec<ProblemError>,
    header: Option<(HeaderName, String)>,
}

impl Problem {
    /// A problem without places.
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            errors: Vec::new(),
            header: None,
        }
    }

    /// 401: a header `Authorization` that does not begin with `Bearer` (A2, A9).
    pub fn wrong_scheme() -> Self {
        Self::unauthorized_because(
            r#"Bearer realm="rollcall""#,
            "The Authorization header has no token under the scheme Bearer. Write: Authorization: Bearer <token>.",
        )
    }

    /// 401: no token, or one that is not in use (A2).
    pub fn unauthorized(token_sent: bool) -> Self {
        let (challenge, detail) = match token_sent {
            true => (
                r#"Bearer realm="rollcall", error="invalid_token""#,
                "The token is unknown, expired or revoked.",
            ),
            false => (
                r#"Bearer realm="rollcall""#,
                "Send a token: Authorization: Bearer <token>.",
            ),
        };
        Self::unauthorized_because(challenge, detail)
    }

    fn unauthorized_because(challenge: &str, detail: &str) -> Self {
        Self::new(ProblemCode::Unauthorized, detail).with(WWW_AUTHENTICATE, challenge)
    }

    /// 403: the token may not do this (A2).
    pub fn insufficient_scope(scope: &str) -> Self {
        let challenge = format!(r#"Bearer realm="rollcall", error="insufficient_scope", scope="{scope}""#);
        let detail = format!("This needs a token with the scope {scope}.");
        Self::new(ProblemCode::InsufficientScope, detail).with(WWW_AUTHENTICATE, challenge)
    }

    /// 429: the token has asked too often (A6).
    pub fn too_many_requests(per_second: u32) -> Self {
        let detail = format!("This token may send {per_second} requests a second.");
        Self::new(ProblemCode::TooManyRequests, detail).with(RETRY_AFTER, "1")
    }

    /// 429: the demo simulates a limit.
    pub fn simulated_limit() -> Self {
        let detail = "The demo refuses some requests, as --fail-rate asks for; try again.";
        Self::new(ProblemCode::TooManyRequests, detail).with(RETRY_AFTER, "1")
    }

    /// 503: the store does not answer.
    pub fn unavailable() -> Self {
        Self::try_again("The store cannot be reached; try again.", 5)
    }

    /// 503: changes are refused, and reading goes on.
    fn not_stored(why: NotStored) -> Self {
        Self::try_again(format!("Changes cannot be stored: {why}."), 5)
    }

    /// 503: as many requests run as may run at once.
    pub fn busy() -> Self {
        Self::try_again("The server is busy; try again.", 1)
    }

    /// 503: the answer was not ready in time.
    pub fn too_slow(limit: Duration) -> Self {
        let seconds = limit.as_secs();
        Self::try_again(
            format!("There was no answer within {seconds} seconds; try again."),
            5,
        )
    }

    /// 400: what came over the connection is no sound request.
    pub fn malformed(malformed: Malformed) -> Self {
        Self::new(ProblemCode::MalformedRequest, malformed.to_string())
    }

    fn try_again(detail: impl Into<String>, seconds: u32) -> Self {
        Self::new(ProblemCode::Unavailable, detail).with(RETRY_AFTER, seconds.to_string())
    }

    /// 500: a fault of ours; what it is stands in the log only.
    pub fn internal() -> Self {
        Self::new(
            ProblemCode::Internal,
            "The server failed; its log tells more under this request id.",
        )
    }

    fn with(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.header = Some((name, value.into()));
        self
    }

    fn faults(errors: Vec<ProblemError>) -> Self {
        // What is unknown is named by its sentence already.
        let named = |error: &ProblemError| {
            matches!(
                error.code,
                ProblemCode::UnknownParameter | ProblemCode::UnknownMember
            )
        };
        let sentence = |error: &ProblemError| {
            let place = error
                .parameter
                .as_ref()
                .or(error.pointer.as_ref())
                .filter(|_| !named(error));
            place.map_or_else(
                || error.detail.clone(),
                |place| format!("{place}: {}", error.detail),
            )
        };
        let detail = errors.iter().map(sentence).collect::<Vec<_>>().join("; ");
        let code = errors
            .first()
            .map_or(ProblemCode::InvalidValue, |error| error.code);
        Self {
            code,
            detail,
            errors,
            header: None,
        }
    }

    /// The status of each code, the one place that says so (A4).
    pub fn status(&self) -> StatusCode {
        use ProblemCode as C;
        match self.code {
            C::UnknownParameter
            | C::RepeatedParameter
            | C::EmptyValue
            | C::ValueTooLong
            | C::InvalidValue => StatusCode::BAD_REQUEST,
            C::InvalidEncoding | C::InvalidPage | C::UnknownWord => StatusCode::BAD_REQUEST,
            C::MalformedJson | C::MalformedRequest => StatusCode::BAD_REQUEST,
            C::Unauthorized => StatusCode::UNAUTHORIZED,
            C::InsufficientScope => StatusCode::FORBIDDEN,
            C::NotFound | C::UnknownVersion => StatusCode::NOT_FOUND,
            C::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            C::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            C::IllegalTransition => StatusCode::CONFLICT,
            C::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            C::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            C::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            C::UnknownMember
            | C::MissingMember
            | C::InvalidMember
            | C::ConflictingMembers
            | C::IdempotencyMismatch => StatusCode::UNPROCESSABLE_ENTITY,
            C::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            C::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            C::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The answer, once it is known which request it is for.
    pub fn render(self, instance: &str, request_id: &str) -> Response {
        let code = self.status();
        // Every status above lies within the bounds of its type.
        let Ok(status) = Status::try_from(i64::from(code.as_u16())) else {
            return code.into_response();
        };
        let words = self.code.to_string();
        let mut title = words.replace('_', " ");
        title[..1].make_ascii_uppercase();
        let body = Body {
            type_: ["urn:rollcall:problem:", &words].concat(),
            title,
            status,
            detail: self.detail,
            instance: instance.to_owned(),
            code: self.code,
            request_id: request_id.to_owned(),
            errors: self.errors,
        };
        let bytes = serde_json::to_vec(&body).unwrap_or_default();
        let kind = HeaderValue::from_static("application/problem+json");
        let mut response = (code, [(http::header::CONTENT_TYPE, kind)], bytes).into_response();
        if let Some((name, value)) = self.header
            && let Ok(value) = HeaderValue::try_from(value)
        {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

impl IntoResponse for Problem {
    /// An empty answer that carries the problem; `request_log.rs` renders it.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Rejection> for Problem {
    fn from(refused: Rejection) -> Self {
        match refused {
            Rejection::Query(errors) | Rejection::Body(errors) => {
                Self::faults(errors.into_iter().map(ProblemError::from).collect())
            }
            Rejection::NoSuchId(detail) => Self::new(ProblemCode::NotFound, detail),
            Rejection::NotAcceptable => Self::new(
                ProblemCode::NotAcceptable,
                "This service answers application/json.",
            ),
            Rejection::NotJson => Self::new(
                ProblemCode::UnsupportedMediaType,
                "Send the body as Content-Type: application/json.",
            ),
            Rejection::Encoded => Self::new(
                ProblemCode::UnsupportedMediaType,
                "Send the body as it is, without Content-Encoding.",
            )
            .with(ACCEPT_ENCODING, "identity"),
            Rejection::TooLarge(limit) => Self::new(
                ProblemCode::PayloadTooLarge,
                format!("A body may have {limit} bytes."),
            ),
            Rejection::Incomplete => Self::new(
                ProblemCode::MalformedRequest,
                "The body broke off before its end.",
            ),
            Rejection::Malformed(why) => Self::new(
                ProblemCode::MalformedJson,
                format!("The body is not JSON: {why}."),
            ),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::BadCursor => {
                let detail = "the cursor is not one of this list under these filters and this sort; begin again without page";
                let parameter = Some("page".to_owned());
                let code = ProblemCode::InvalidPage;
                let error = ProblemError {
                    parameter,
                    pointer: None,
                    code,
                    detail: detail.to_owned(),
                    allowed: None,
                };
                Self::faults(vec![error])
            }
            Error::NotFound => Self::new(ProblemCode::NotFound, "There is no such record."),
            Error::Illegal(why) => Self::new(ProblemCode::IllegalTransition, why),
            Error::LastWayIn => Self::new(ProblemCode::IllegalTransition, last_way_in()),
            Error::BadExpiry(why) => bad_expiry(why),
            Error::Changed => Self::new(
                ProblemCode::PreconditionFailed,
                "The record has changed since its ETag was handed out.",
            ),
            Error::KeyReused => Self::new(
                ProblemCode::IdempotencyMismatch,
                "This Idempotency-Key has been used for another request; take a new one.",
            ),
            // Of the first two nobody reads this; of the last one the log has a line already.
            Error::Abandoned | Error::Behind | Error::Unreachable(_) | Error::Full(_) => Self::unavailable(),
            // The one who writes has logged it.
            Error::NotStored(why) => Self::not_stored(why),
            Error::Unavailable(why) => {
                tracing::error!(%why, "the store is unavailable");
                Self::unavailable()
            }
            error @ (Error::Corrupt(_)
            | Error::Unfit(_)
            | Error::UnfinishedCopy
            | Error::TooNew { .. }
            | Error::Failed(_)
            | Error::MayNotSignIn(_)) => {
                tracing::error!(%error, "the store failed");
                Self::internal()
            }
        }
    }
}

/// Why the last holder of a token that can restore others stays.
fn last_way_in() -> String {
    let scope = operations::RESTORE_WORKSPACE_USER.scope;
    format!(
        "No other active workspace user has a token with the scope {scope}, so nobody could restore this one. Make a token for \
         another first."
    )
}

fn bad_expiry(why: BadExpiry) -> Problem {
    let (code, detail) = match why {
        BadExpiry::Both => (
            ProblemCode::ConflictingMembers,
            "give expires_at or expires_after_days, not both",
        ),
        BadExpiry::OutOfRange => (
            ProblemCode::InvalidMember,
            "that many days from now end after the year 9999",
        ),
    };
    let pointer = Some("/expires_after_days".to_owned());
    Problem::faults(vec![ProblemError {
        parameter: None,
        pointer,
        code,
        detail: detail.to_owned(),
        allowed: None,
    }])
}
