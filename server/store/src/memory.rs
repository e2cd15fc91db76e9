//! What a reader remembers of one state of the database, and forgets once the database changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use rollcall::Timestamp;

use crate::dialect::Connection;
use crate::error::Result;
use crate::grant::{self, Digest, Grant};
use crate::sql::Value;

/// Facts about one state of the database.
#[derive(Debug, Default)]
pub struct Memory {
    version: Option<i64>,
    /// When the next manifest entry lapses, if one does.
    next_lapse: Option<Timestamp>,
    /// When the next record expires, if one does.
    next_expiry: Option<Timestamp>,
    /// What tokens may do, and until when.
    grants: Facts<Digest, (Arc<Grant>, Timestamp), 1_024>,
    /// The places after which numbered pages begin, by the query of their list and their number: the way to a deep page is walked
    /// once.
    page_starts: Facts<(String, u64), Vec<Value>, 1_024>,
    /// Texts that many rows contain, by list, filter and spelling, each with a number of rows of which it has more: the search
    /// index is asked about a text once, and not for each page of what it finds.
    common_texts: Facts<String, i64, 256>,
    /// About how many rows tables have.
    rows: Facts<&'static str, i64, 64>,
}

/// Facts by a key; all of them are forgotten when there are too many.
#[derive(Debug)]
struct Facts<K, V, const MOST: usize>(BTreeMap<K, V>);

impl<K, V, const MOST: usize> Default for Facts<K, V, MOST> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord, V, const MOST: usize> Facts<K, V, MOST> {
    fn remember(&mut self, key: K, fact: V) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(key, fact);
    }
}

impl Memory {
    /// Nothing yet about this version of the database but when time changes it next.
    pub(crate) fn of(version: i64, next_lapse: Option<Timestamp>, next_expiry: Option<Timestamp>) -> Self {
        Self {
            version: Some(version),
            next_lapse,
            next_expiry,
            ..Self::default()
        }
    }

    /// Whether it is about this version of the database.
    pub(crate) fn is_of(&self, version: i64) -> bool {
        self.version == Some(version)
    }

    /// Whether a manifest entry has lapsed that is not recorded yet.
    pub(crate) fn has_lapsed(&self, now: Timestamp) -> bool {
        self.next_lapse.is_some_and(|lapse| lapse <= now)
    }

    /// Whether a record has expired that is not recorded as expired yet.
    pub(crate) fn is_overdue(&self, now: Timestamp) -> bool {
        self.next_expiry.is_some_and(|expiry| expiry <= now)
    }

    /// Whose token this is, if it is in use.
    pub(crate) fn grant(
        &mut self,
        connection: &Connection,
        secret: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<Grant>>> {
        let digest = grant::digest(secret);
        if let Some((grant, until)) = self.grants.0.get(&digest) {
            return Ok((*until > now).then(|| Arc::clone(grant)));
        }
        let Some((grant, until)) = grant::find(connection, &digest, now)? else {
            return Ok(None);
        };
        let grant = Arc::new(grant);
        self.grants.remember(digest, (Arc::clone(&grant), until));
        Ok(Some(grant))
    }

    /// The last known page of a query up to this one, and the place after which it begins.
    pub(crate) fn nearest_page_start(&self, query: &str, number: u64) -> Option<(u64, Vec<Value>)> {
        let pages = (query.to_owned(), 0)..=(query.to_owned(), number);
        let ((_, number), place) = self.page_starts.0.range(pages).last()?;
        Some((*number, place.clone()))
    }

    /// Remembers where a page of a query begins.
    pub(crate) fn remember_page_start(&mut self, query: &str, number: u64, place: Vec<Value>) {
        self.page_starts.remember((query.to_owned(), number), place);
    }

    /// Whether more rows than these are known to have a text.
    pub(crate) fn is_common(&self, text: &str, rows: i64) -> bool {
        let known = self.common_texts.0.get(text);
        known.is_some_and(|known| *known >= rows)
    }

    /// Remembers that more rows than these have a text.
    pub(crate) fn remember_common(&mut self, text: String, rows: i64) {
        self.common_texts.remember(text, rows);
    }

    /// About how many rows a table has, if it is known.
    pub(crate) fn rows(&self, table: &'static str) -> Option<i64> {
        self.rows.0.get(table).copied()
    }

    /// Remembers about how many rows a table has.
    pub(crate) fn remember_rows(&mut self, table: &'static str, rows: i64) {
        self.rows.remember(table, rows);
    }
}
