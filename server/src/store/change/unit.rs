//! A unit of work: the one way to write. What a change has consequences for is worked out before it commits.

use std::collections::BTreeSet;

use rollcall::Timestamp;

use crate::ids::Ids;
use crate::store::change::counts::CountChanges;
use crate::store::change::{evaluation_queue, org, policy, recount};
use crate::store::dialect::Connection;
use crate::store::error::{Error, Result};
use crate::store::fold::{fold, searchable};
use crate::store::sql::{Name, Sql, Value};
use crate::store::tables::TABLES;
use crate::store::tables::table::ReadContext;

/// Writes within one transaction.
pub struct Unit<'c> {
    connection: &'c Connection,
    /// Makes new identifiers.
    pub ids: &'c mut Ids,
    context: WriteContext<'c>,
    counts: CountChanges,
    /// Users whose attributes have changed.
    dirty_org: BTreeSet<String>,
    /// Users whose policy may have changed.
    dirty_policy: BTreeSet<String>,
    /// Rules that may have become live, or have ended to be: the policy of those who qualify may have changed.
    dirty_rules: BTreeSet<String>,
    /// Of how many users the policy is evaluated at once.
    most_evaluated: usize,
    bulk: bool,
    is_refusal_kept: bool,
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

/// Columns of a row with their values.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(Name, Value)>);

impl Fields {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a column, if it is among them.
    pub fn get(&self, column: &'static str) -> Option<&Value> {
        let mut fields = self.0.iter().rev();
        fields.find_map(|(name, value)| (*name == Name::Own(column)).then_some(value))
    }

    /// Adds ` WHERE …` for the rows that have these values.
    pub fn push_where(&self, sql: &mut Sql) {
        self.push_equal(sql.push(" WHERE "), " AND ");
    }

    /// Adds `column = value` for each of them, with this text between them.
    fn push_equal(&self, sql: &mut Sql, between: &'static str) {
        sql.push_each(between, &self.0, |sql, (column, value)| {
            sql.push(*column).push(" = ").bind(value.clone());
        });
    }

    /// A column as it is.
    pub fn set(mut self, column: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.0.push((column.into(), value.into()));
        self
    }

    /// A text with its folded twin.
    pub fn text(self, column: &'static str, value: &str) -> Self {
        let folded = fold(value);
        self.set(column, value).set(Name::Folded(column), folded)
    }

    /// The same, or null.
    pub fn text_or_null(self, column: &'static str, value: Option<&str>) -> Self {
        let folded = value.map(fold);
        self.set(column, value.map(str::to_owned))
            .set(Name::Folded(column), folded)
    }

    /// JSON whose values are searched.
    pub fn values(self, column: &'static str, value: &serde_json::Value) -> Self {
        self.set(column, value.to_string())
            .set(Name::Folded(column), searchable(value))
    }
}

impl<'c> Unit<'c> {
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

    /// From here on consequences are not noted for each record, but worked out for all records at the end.
    pub fn recompute_all_at_end(&mut self) {
        self.bulk = true;
    }

    /// What was written stays although the work is refused: the refusal is kept as its answer.
    pub(crate) fn keep_refusal(&mut self) {
        self.is_refusal_kept = true;
    }

    /// Whether what was written stays although the work is refused.
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

    /// For reading records within the unit; what follows must have been worked out.
    pub fn reading(&self) -> Result<ReadContext<'_>> {
        Ok(ReadContext {
            now: self.context.now,
            base: self.context.base,
            lapsed: policy::has_lapsed(self.connection, self.context.now)?,
            overdue: true,
            remembered: None,
        })
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

    /// Works out all that follows from what was written so far: org, policy, counts.
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

/// How many records are worked on at a time.
pub const CHUNK: usize = 500;
