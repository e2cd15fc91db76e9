//! Texts that many rows contain, remembered for as long as the database does not change: the search index is asked about a text
//! once, and not for each page of what it finds.

use std::collections::BTreeMap;

/// The most texts that are remembered.
const MOST: usize = 256;

/// Texts by list, filter and spelling, each with a number of rows of which it has more.
#[derive(Clone, Debug, Default)]
pub struct CommonTexts(BTreeMap<String, i64>);

impl CommonTexts {
    /// Whether more rows than these are known to have a text.
    pub(super) fn has_more(&self, text: &str, rows: i64) -> bool {
        self.0.get(text).is_some_and(|known| *known >= rows)
    }

    /// Remembers that more rows than these have a text.
    pub(super) fn remember(&mut self, text: String, rows: i64) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(text, rows);
    }
}
