//! What a target chose where the specification leaves the choice open.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The choices of a target: open point → question → choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Profile {
    /// The choices.
    pub points: BTreeMap<String, BTreeMap<String, String>>,
}
