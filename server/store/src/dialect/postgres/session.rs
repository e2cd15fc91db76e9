//! A connection while it lasts, with its statements by their portable text.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use postgres::{Client, Statement};

use super::spell;
use crate::dialect::spelling::spelled;

/// How many statements a connection keeps prepared: every page of every list in a few orders.
const PREPARED: usize = 256;

pub(super) struct Session {
    pub(super) client: Client,
    /// No other session of this process has it.
    pub(super) number: u64,
    prepared: HashMap<String, Statement>,
}

impl Session {
    pub(super) fn of(client: Client) -> Self {
        static SESSIONS: AtomicU64 = AtomicU64::new(0);
        Self {
            client,
            number: SESSIONS.fetch_add(1, Ordering::Relaxed),
            prepared: HashMap::new(),
        }
    }

    /// Prepares a statement, once.
    pub(super) fn statement(&mut self, text: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.prepared.get(text) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&spelled(text, spell))?;
        if self.prepared.len() >= PREPARED {
            self.prepared.clear();
        }
        self.prepared.insert(text.to_owned(), statement.clone());
        Ok(statement)
    }
}
