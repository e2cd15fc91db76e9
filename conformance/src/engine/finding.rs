//! A violation and what shows it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::corpus::clause::Clause;
use crate::http::exchange::Evidence;

/// One violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The list, filter or member concerned.
    pub about: String,
    /// The clause of the specification that is violated.
    #[schemars(with = "String")]
    pub clause: Clause,
    /// What should have come back.
    pub expected: String,
    /// What came back.
    pub actual: String,
    /// The requests that show it.
    pub evidence: Vec<Evidence>,
    /// The code that a person mends, where several things are about it: the operation of a write, the member that both bounds of a
    /// window look at. Findings that share it are one cause.
    #[serde(skip)]
    pub subject: Option<String>,
}
