//! How much of what can be asked of a list a plan asks.

use schemars::JsonSchema;
use serde::Serialize;

/// How much of what can be asked of a list a run has asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Coverage {
    /// The list.
    pub list: String,
    /// How many queries were planned.
    pub queries: usize,
    /// How many values of filters they ask for.
    pub values: usize,
    /// How many pairs of parameters meet in a query in which both matter.
    pub pairs: usize,
    /// The pairs for which the records allow no such query.
    pub out_of_reach: Vec<String>,
    /// The pairs that the limit of the plan leaves out.
    pub left_out: Vec<String>,
}

impl Coverage {
    /// The coverage of two plans for the same list.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.queries += other.queries;
        self.values = self.values.max(other.values);
        self.pairs += other.pairs;
        self.out_of_reach.extend_from_slice(&other.out_of_reach);
        self.left_out.extend_from_slice(&other.left_out);
        self
    }
}
