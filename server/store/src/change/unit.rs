//! A unit of work: the one way to write. What a change has consequences for is worked out before it commits.

use std::collections::BTreeSet;

use rollcall::Timestamp;

use crate::change::counts::CountChanges;
use crate::change::fields::Fields;
use crate::dialect::Connection;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::{Name, Sql, Value};

/// Writes within one transaction.
pub struct Unit<'c> {
    pub(super) connection: &'c Connection,
    /// Makes new identifiers.
    pub ids: &'c mut Ids,
    pub(super) context: WriteContext<'c>,
    pub(super) counts: CountChanges,
    /// Users whose attributes have changed.
    pub(super) dirty_org: BTreeSet<String>,
    /// Users whose policy may have changed.
    pub(super) dirty_policy: BTreeSet<String>,
    /// Rules that may have become live, or have ended to be: the policy of those who qualify may have changed.
    pub(super) dirty_rules: BTreeSet<String>,
    /// Of how many users the policy is evaluated at once.
    pub(super) most_evaluated: usize,
    pub(super) bulk: bool,
    pub(super) is_refusal_kept: bool,
}

/// When, by whom and under which address something is written.
#[derive(Clone, Debug)]
pub struct WriteContext<'w> {
    /// When it is changed.
    pub now: Timestamp,
    /// The workspace user who makes it; `None` for time and the command line.
    pub actor: Option<String>,
    /// The id of the token it is made with, if it is.
    pub token: Option<String>,
    /// The public base address.
    pub base: &'w str,
}

impl WriteContext<'_> {
    /// By no workspace user, as changes of time and of the command line are; without addresses in the answer.
    pub fn of_nobody(now: Timestamp) -> Self {
        Self {
            now,
            actor: None,
            token: None,
            base: "",
        }
    }
}

impl<'c> Unit<'c> {
    /// From here on consequences are not noted for each record, but worked out for all records at the end.
    pub fn recompute_all_at_end(&mut self) {
        self.bulk = true;
    }

    /// Keeps the rows that are written so far, although the work is refused: the refusal is stored as its answer.
    pub(crate) fn keep_refusal(&mut self) {
        self.is_refusal_kept = true;
    }

    /// Whether the rows that are written so far are kept although the work is refused.
    pub(crate) fn is_refusal_kept(&self) -> bool {
        self.is_refusal_kept
    }

    /// When it is changed.
    pub fn now(&self) -> Timestamp {
        self.context.now
    }

    /// The workspace user who makes it; none for time and the command line.
    pub fn actor(&self) -> Option<&str> {
        self.context.actor.as_deref()
    }

    /// The id of the token it is made with; none for time and the command line.
    pub fn token(&self) -> Option<&str> {
        self.context.token.as_deref()
    }

    /// For reading what was written, and what follows from it.
    pub fn connection(&self) -> &'c Connection {
        self.connection
    }

    /// Adds a row.
    pub fn insert(&mut self, table: &'static str, fields: &Fields) -> Result<()> {
        if !self.bulk {
            self.counts.insert(self.connection, table, fields)?;
        }
        let (names, values): (Vec<Name>, Vec<Value>) = fields.0.iter().cloned().unzip();
        match self.bulk {
            true => self.connection.load(table, &names, values),
            false => self.connection.insert(table, &names, values),
        }
    }

    /// Changes the row with this id.
    pub fn update(&mut self, table: &'static str, id: &str, fields: &Fields) -> Result<()> {
        if !self.bulk {
            self.counts.update(self.connection, table, id, fields)?;
        }
        let mut sql = Sql::new(["UPDATE ", table, " SET "]);
        fields.push_equal(&mut sql, ", ");
        sql.push(" WHERE id = ").bind(id);
        self.connection.execute(&sql).map(drop)
    }

    /// Removes the row that has these values.
    pub fn delete(&mut self, table: &'static str, key: &Fields) -> Result<()> {
        let delete = || {
            let mut sql = Sql::new(["DELETE FROM ", table]);
            key.push_where(&mut sql);
            self.connection.execute(&sql).map(drop)
        };
        match self.bulk {
            true => delete(),
            false => self.counts.delete(self.connection, table, key, delete),
        }
    }

    /// Whatever else is written, and no record counts for.
    pub fn execute(&mut self, sql: &Sql) -> Result<usize> {
        self.connection.execute(sql)
    }

    /// The user's state has changed.
    pub fn mark_user_dirty(&mut self, id: &str) {
        if !self.bulk {
            self.dirty_policy.insert(id.to_owned());
        }
    }

    /// The user's attributes have changed.
    pub fn mark_memberships_dirty(&mut self, user: &str) {
        if !self.bulk {
            self.dirty_org.insert(user.to_owned());
        }
        self.mark_user_dirty(user);
    }

    /// The rule's state has changed.
    pub fn mark_rule_dirty(&mut self, id: &str) {
        if !self.bulk {
            self.dirty_rules.insert(id.to_owned());
        }
    }
}
