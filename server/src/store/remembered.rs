//! What a reader remembers for as long as the database does not change.

use crate::store::common_texts::CommonTexts;
use crate::store::page_starts::PageStarts;

/// What a reader has found out about one state of the store.
#[derive(Clone, Debug, Default)]
pub struct Remembered {
    /// Where numbered pages begin.
    pub(super) page_starts: PageStarts,
    /// Texts that many rows contain.
    pub(super) common_texts: CommonTexts,
}
