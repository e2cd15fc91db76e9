//! The stub's error: a status, and the faults that the router found.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use rollcall::Fault;
use rollcall::http::Rejection;
use rollcall::model::{Problem, ProblemCode, ProblemError};

#[derive(Debug)]
pub(crate) struct Refusal {
    status: u16,
    detail: String,
    errors: Vec<Fault>,
}

impl Refusal {
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            detail: String::new(),
            errors: Vec::new(),
        }
    }
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        let (status, detail, errors) = match rejection {
            Rejection::Query(errors) => (400, String::new(), errors),
            Rejection::NoSuchId(why) => (404, why, Vec::new()),
            Rejection::NotAcceptable => (406, String::new(), Vec::new()),
            Rejection::NotJson | Rejection::Encoded => (415, String::new(), Vec::new()),
            Rejection::TooLarge(most) => (413, most.to_string(), Vec::new()),
            Rejection::Malformed(why) => (400, why, Vec::new()),
            Rejection::Incomplete => (400, String::new(), Vec::new()),
            Rejection::Body(errors) => (422, String::new(), errors),
        };
        Self {
            status,
            detail,
            errors,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let problem = Problem {
            type_: "about:blank".to_owned(),
            title: "Refused".to_owned(),
            status: i64::from(self.status).try_into().unwrap(),
            detail: self.detail,
            instance: "/".to_owned(),
            code: self
                .errors
                .first()
                .map_or(ProblemCode::NotFound, |error| error.code.into()),
            request_id: "1".to_owned(),
            errors: self.errors.into_iter().map(ProblemError::from).collect(),
        };
        let body = serde_json::to_vec(&problem).unwrap();
        (
            StatusCode::from_u16(self.status).unwrap(),
            [(CONTENT_TYPE, "application/problem+json")],
            body,
        )
            .into_response()
    }
}
