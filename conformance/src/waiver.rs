//! Violations that are known and excused for a while.
//!
//! Invariant: a waiver never hides a violation; it stays in the report with the reason that was given.

use jiff::civil::Date;
use serde::Serialize;

/// One violation that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiver {
    /// The number of the check that fails.
    pub check: String,
    /// Why that is excused.
    pub reason: String,
    /// The last day on which it is.
    pub expires: Date,
    /// The subject of the violation, such as `filter[email]`; without it, all violations the check finds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}
