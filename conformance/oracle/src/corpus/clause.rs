//! The clause of the specification that an element or a check comes from.

use std::fmt::{self, Display};

use serde::Serialize;

/// The clause of the specification that a finding violates, such as `§4.4.2`.
///
/// It comes from a check or from an element of the contract. Nothing makes one of a literal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Clause(String);

impl Clause {
    /// The clauses from which the contract has an element (`x-source`); of a contract that cites none, the contract itself.
    pub fn of_source(source: &[String]) -> Self {
        match source {
            [] => Self("the contract".to_owned()),
            clauses => Self(clauses.join(", ")),
        }
    }

    /// The clause that a check is from.
    pub fn of_check(clause: &'static str) -> Self {
        Self(clause.to_owned())
    }

    /// The clause as it is cited.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
