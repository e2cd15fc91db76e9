//! A violation that is known and excused for a while.

use jiff::civil::Date;
use serde::Serialize;

use crate::engine::finding::Finding;

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

impl Waiver {
    /// Whether it excuses a violation.
    pub(crate) fn excuses(&self, finding: &Finding) -> bool {
        // Whole words, so that one name is not taken for another that begins alike.
        let words = |text: &str| format!(" {} ", text.trim());
        let about = self.about.as_deref().map(words);
        about.is_none_or(|about| words(&finding.about).contains(&about))
    }
}
