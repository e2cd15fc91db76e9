//! What is wrong with a part of a request.

/// One fault of a request and its place. A server answers with it as an element of `errors` (A4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The query parameter or header at fault.
    pub parameter: Option<String>,
    /// The place in the body at fault, as a JSON pointer.
    pub pointer: Option<String>,
    /// The kind of the fault.
    pub code: FaultCode,
    /// One sentence for people.
    pub detail: String,
    /// All that could stand at the place, where that is a list of words.
    pub allowed: Option<Vec<String>>,
}

/// The kind of a [`Fault`]. The generated code turns it into the `ProblemCode` of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultCode {
    /// The operation has no such parameter.
    UnknownParameter,
    /// A parameter is given more than once.
    RepeatedParameter,
    /// A value is missing.
    EmptyValue,
    /// A value is longer than it may be.
    ValueTooLong,
    /// A value is not of the type of its parameter.
    InvalidValue,
    /// The text is not percent-encoded UTF-8.
    InvalidEncoding,
    /// A page or page size that there cannot be.
    InvalidPage,
    /// A word that is none of those allowed.
    UnknownWord,
    /// The body may not have this member.
    UnknownMember,
    /// The body must have this member.
    MissingMember,
    /// A member has a value that it may not have.
    InvalidMember,
}

impl Fault {
    /// A fault of a query parameter or header.
    pub fn of_parameter(name: &str, code: FaultCode, detail: impl Into<String>) -> Self {
        Self {
            parameter: Some(name.to_owned()),
            pointer: None,
            code,
            detail: detail.into(),
            allowed: None,
        }
    }

    /// A fault at a place of the body; the pointer of the whole body is empty.
    pub fn of_body(pointer: impl Into<String>, code: FaultCode, detail: impl Into<String>) -> Self {
        Self {
            parameter: None,
            pointer: Some(pointer.into()),
            code,
            detail: detail.into(),
            allowed: None,
        }
    }
}
