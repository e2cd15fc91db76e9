//! What comes right before a request and must not matter to its answer.

use crate::http::request::Request;

/// What is sent right before a request and must not matter to its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Preceding {
    /// How reports call it, such as "after another page".
    pub what: &'static str,
    /// What it is.
    pub kind: PrecedingKind,
}

/// What can come right before a request.
#[derive(Clone, Debug, PartialEq)]
pub enum PrecedingKind {
    /// The same request.
    Same,
    /// Another request.
    Request(Box<Request>),
    /// Nothing: the request is the first of its connection.
    NewConnection,
}

impl Preceding {
    /// A request right after this one.
    pub fn then(&self, request: Request) -> Request {
        match &self.kind {
            PrecedingKind::Same => request.clone().after(request),
            PrecedingKind::Request(before) => request.after(Request::clone(before)),
            PrecedingKind::NewConnection => Request {
                new_connection: true,
                ..request
            },
        }
    }

    /// Whether it is a request, which has to be sent, too.
    pub fn is_request(&self) -> bool {
        self.kind != PrecedingKind::NewConnection
    }
}
