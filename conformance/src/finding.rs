//! A violation and what shows it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::exchange::Evidence;

/// One violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The list, filter or member concerned.
    pub about: String,
    /// The clause of the specification that is violated.
    pub clause: String,
    /// What should have come back.
    pub expected: String,
    /// What came back.
    pub actual: String,
    /// The requests that show it.
    pub evidence: Vec<Evidence>,
}
