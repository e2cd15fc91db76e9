//! Where numbered pages begin, remembered for as long as the database does not change: the way to a deep page is walked once.

use std::collections::BTreeMap;

use crate::store::sql::Value;

/// The most starts that are remembered.
const MOST: usize = 1_024;

/// The places after which pages begin, by the query of their list and their number.
#[derive(Clone, Debug, Default)]
pub struct PageStarts(BTreeMap<(String, u64), Vec<Value>>);

impl PageStarts {
    /// The last known page up to this one, and the place after which it begins.
    pub(super) fn nearest(&self, query: &str, number: u64) -> Option<(u64, Vec<Value>)> {
        let known = self.0.range((query.to_owned(), 0)..=(query.to_owned(), number));
        let ((_, number), place) = known.last()?;
        Some((*number, place.clone()))
    }

    /// Remembers where a page begins.
    pub(super) fn remember(&mut self, query: &str, number: u64, place: Vec<Value>) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert((query.to_owned(), number), place);
    }
}
