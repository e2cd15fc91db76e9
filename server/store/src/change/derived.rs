//! What follows from a change before it commits: org, policy, counts.

use std::collections::BTreeSet;

use crate::change::chunks::CHUNK;
use crate::change::counts::CountChanges;
use crate::change::unit::{Unit, WriteContext};
use crate::change::{evaluation_queue, org, policy, recount};
use crate::dialect::Connection;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::tables::TABLES;
use crate::tables::table::ReadContext;

impl Unit<'_> {
    /// Runs `work` and all that follows from it in one transaction.
    pub fn run<T, E: From<Error>>(
        connection: &Connection,
        ids: &mut Ids,
        context: WriteContext<'_>,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        connection.transaction(true, |connection| {
            Unit::run_within(connection, ids, context, usize::MAX, work)
        })
    }

    /// The same within a transaction. The policy of so many users is evaluated at once; that of more is left to the queue of
    /// evaluations.
    pub fn run_within<T, E: From<Error>>(
        connection: &Connection,
        ids: &mut Ids,
        context: WriteContext<'_>,
        most_evaluated: usize,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut unit = Unit {
            connection,
            ids,
            context,
            counts: CountChanges::default(),
            dirty_org: BTreeSet::new(),
            dirty_policy: BTreeSet::new(),
            dirty_rules: BTreeSet::new(),
            most_evaluated,
            bulk: false,
            is_refusal_kept: false,
        };
        let done = work(&mut unit)?;
        unit.recompute_derived()?;
        Ok(done)
    }

    /// Loads many records in one transaction: consequences are worked out for all records at the end, not for each.
    pub fn load<T>(
        connection: &Connection,
        ids: &mut Ids,
        context: WriteContext<'_>,
        work: impl FnOnce(&mut Unit<'_>) -> Result<T>,
    ) -> Result<T> {
        Self::run(connection, ids, context, |unit| {
            unit.recompute_all_at_end();
            work(unit)
        })
    }

    /// For reading records within the unit; what follows must have been worked out.
    pub fn reading(&self) -> Result<ReadContext<'_>> {
        Ok(ReadContext {
            now: self.context.now,
            base: self.context.base,
            lapsed: policy::has_lapsed(self.connection, self.context.now)?,
            overdue: true,
            memory: None,
        })
    }

    /// The attribute's state has changed.
    pub fn mark_attribute_dirty(&mut self, id: &str) -> Result<()> {
        for rule in policy::rules_of(self.connection, id)? {
            self.mark_rule_dirty(&rule);
        }
        Ok(())
    }

    /// A database that plans by statistics knows nothing of the rows that were written in this transaction until it is told.
    fn learn_rows(&self) -> Result<()> {
        match self.connection.plans_itself() {
            true => self.connection.analyze(),
            false => Ok(()),
        }
    }

    /// Computes org, policy and counts from the rows that are written so far.
    pub fn recompute_derived(&mut self) -> Result<()> {
        if self.bulk {
            self.learn_rows()?;
            org::describe_all(self.connection)?;
            policy::evaluate_all(self)?;
            self.learn_rows()?;
            for table in TABLES.iter() {
                recount::recount(self.connection, table.name, self.now())?;
            }
            return Ok(());
        }
        let dirty_org: Vec<String> = std::mem::take(&mut self.dirty_org).into_iter().collect();
        for users in dirty_org.chunks(CHUNK) {
            org::describe(self.connection, users)?;
        }
        for rule in std::mem::take(&mut self.dirty_rules) {
            let room = self.most_evaluated.saturating_sub(self.dirty_policy.len());
            let users = policy::users_of(self.connection, &rule, "", room.saturating_add(1))?;
            match users.len() <= room {
                true => self.dirty_policy.extend(users),
                false => evaluation_queue::add(self, &rule)?,
            }
        }
        let dirty_policy: Vec<String> = std::mem::take(&mut self.dirty_policy).into_iter().collect();
        policy::evaluate(self, &dirty_policy)?;
        self.counts.apply(self.connection)
    }
}
