//! What a reader remembers for as long as the database does not change.

use std::collections::HashMap;
use std::sync::Arc;

use rollcall::Timestamp;

use crate::store::access::tokens;
use crate::store::access::tokens::{Digest, Grant, digest};
use crate::store::change::{expiry, policy};
use crate::store::dialect::Connection;
use crate::store::error::Result;

/// The most tokens that are remembered.
const MOST_TOKENS: usize = 1_024;

/// Facts about one version of the database.
#[derive(Debug, Default)]
pub(super) struct VersionCache {
    version: Option<i64>,
    /// When the next manifest entry lapses, if one does.
    next_lapse: Option<Timestamp>,
    /// When the next record expires, if one does.
    next_expiry: Option<Timestamp>,
    /// What tokens may do, and until when.
    grants: HashMap<Digest, (Arc<Grant>, Timestamp)>,
}

impl VersionCache {
    /// Forgets everything if the database has changed since, and says whether it has. Asked within a transaction, it is about
    /// the state of that one.
    pub(super) fn refresh(&mut self, connection: &Connection) -> Result<bool> {
        let version = connection.data_version()?;
        let has_changed = self.version != Some(version);
        if has_changed {
            *self = Self {
                version: Some(version),
                next_lapse: policy::next_lapse(connection)?,
                next_expiry: expiry::next(connection)?,
                grants: HashMap::new(),
            };
        }
        Ok(has_changed)
    }

    /// Whether a manifest entry has lapsed that is not recorded yet.
    pub(super) fn has_lapsed(&self, now: Timestamp) -> bool {
        self.next_lapse.is_some_and(|lapse| lapse <= now)
    }

    /// Whether a record has expired that is not recorded as expired yet.
    pub(super) fn is_overdue(&self, now: Timestamp) -> bool {
        self.next_expiry.is_some_and(|expiry| expiry <= now)
    }

    /// Whose token this is, if it is in use.
    pub(super) fn grant(
        &mut self,
        connection: &Connection,
        secret: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<Grant>>> {
        let digest = digest(secret);
        if let Some((grant, until)) = self.grants.get(&digest) {
            return Ok((*until > now).then(|| Arc::clone(grant)));
        }
        let found = tokens::find(connection, &digest, now)?;
        let Some((grant, until)) = found else {
            return Ok(None);
        };
        if self.grants.len() >= MOST_TOKENS {
            self.grants.clear();
        }
        let grant = Arc::new(grant);
        self.grants.insert(digest, (Arc::clone(&grant), until));
        Ok(Some(grant))
    }
}
