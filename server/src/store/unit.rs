//! A unit of work: the one way to write. What a change has consequences for is worked out before it commits.

use std::collections::{BTreeMap, BTreeSet};

use rollcall::Timestamp;

use crate::ids::Ids;
use crate::store::counts::{self, Which};
use crate::store::dialect::{Connection, Span};
use crate::store::fold::{fold, searchable};
use crate::store::sql::{Sql, Value};
use crate::store::table::ReadContext;
use crate::store::tables::{TABLES, table_of};
use crate::store::{Abandoned, Error, Result, WriteContext};
use crate::store::{org, policy};

/// Writes within one transaction.
pub struct Unit<'c> {
    connection: &'c Connection,
    /// Makes new identifiers.
    pub ids: &'c mut Ids,
    context: WriteContext<'c>,
    /// Records whose counts may have changed, by table.
    dirty_counts: BTreeMap<&'static str, BTreeSet<String>>,
    /// Users whose attributes have changed.
    dirty_org: BTreeSet<String>,
    /// Users whose policy may have changed.
    dirty_policy: BTreeSet<String>,
    bulk: bool,
}

/// Columns of a row with their values.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, Value)>);

impl Fields {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A column as it is.
    pub fn set(mut self, column: &str, value: impl Into<Value>) -> Self {
        self.0.push((column.to_owned(), value.into()));
        self
    }

    /// A text with its folded twin.
    pub fn text(self, column: &str, value: &str) -> Self {
        let folded = fold(value);
        self.set(column, value).set(&format!("{column}_folded"), folded)
    }

    /// The same, or null.
    pub fn text_or_null(self, column: &str, value: Option<&str>) -> Self {
        let folded = value.map(fold);
        self.set(column, value.map(str::to_owned))
            .set(&format!("{column}_folded"), folded)
    }

    /// JSON whose values are searched.
    pub fn values(self, column: &str, value: &serde_json::Value) -> Self {
        self.set(column, value.to_string())
            .set(&format!("{column}_folded"), searchable(value))
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
        Self::run_unless(Abandoned::default(), connection, ids, context, work)
    }

    /// The same, unless nobody waits for it any more: then nothing is written.
    pub fn run_unless<T, E: From<Error>>(
        abandoned: Abandoned,
        connection: &Connection,
        ids: &mut Ids,
        context: WriteContext<'_>,
        work: impl FnOnce(&mut Unit<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        connection.transaction_within(Span::Until(abandoned), true, |connection| {
            let mut unit = Unit::new(connection, ids, context);
            let done = work(&mut unit)?;
            unit.recompute_derived()?;
            Ok(done)
        })
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

    fn new<'n>(connection: &'n Connection, ids: &'n mut Ids, context: WriteContext<'n>) -> Unit<'n> {
        let (dirty_counts, dirty_org, dirty_policy) = Default::default();
        Unit {
            connection,
            ids,
            context,
            dirty_counts,
            dirty_org,
            dirty_policy,
            bulk: false,
        }
    }

    /// The moment of the change.
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
    pub fn reading(&self) -> ReadContext<'_> {
        ReadContext {
            now: self.context.now,
            base: self.context.base,
            lapsed: true,
            page_starts: None,
        }
    }

    /// Adds a row.
    pub fn insert(&mut self, table: &'static str, fields: &Fields) -> Result<()> {
        let names: Vec<&str> = fields.0.iter().map(|(column, _)| column.as_str()).collect();
        let mut sql = Sql::new(&format!("INSERT INTO {table} ({}) VALUES ", names.join(", ")));
        sql.bind_all(fields.0.iter().map(|(_, value)| value.clone()));
        self.connection.execute(&sql).map(drop)
    }

    /// Changes the row with this id.
    pub fn update(&mut self, table: &'static str, id: &str, fields: &Fields) -> Result<()> {
        let mut sql = Sql::new(&format!("UPDATE {table} SET "));
        for (place, (column, value)) in fields.0.iter().enumerate() {
            sql.push(if place == 0 { "" } else { ", " })
                .push(column)
                .push(" = ")
                .bind(value.clone());
        }
        sql.push(" WHERE id = ").bind(id);
        self.connection.execute(&sql).map(drop)
    }

    /// Whatever else is written.
    pub fn execute(&mut self, sql: &Sql) -> Result<usize> {
        self.connection.execute(sql)
    }

    /// The counts of this record, of whatever resource, may have changed.
    pub fn mark_dirty(&mut self, id: &str) {
        if let Some(table) = table_of(id).filter(|_| !self.bulk) {
            self.dirty_counts.entry(table).or_default().insert(id.to_owned());
        }
    }

    /// The user's state or pointers have changed.
    pub fn mark_user_dirty(&mut self, id: &str) -> Result<()> {
        if self.bulk {
            return Ok(());
        }
        self.mark_dirty(id);
        self.dirty_policy.insert(id.to_owned());
        let mut sql = Sql::new(
            "SELECT manager_id, parent_id, workspace_integration_id FROM directory_users WHERE id = ",
        );
        sql.bind(id);
        let near = self.connection.first(&sql, |cells| {
            Ok([
                cells.string_or_null()?,
                cells.string_or_null()?,
                cells.string_or_null()?,
            ])
        })?;
        near.into_iter()
            .flatten()
            .flatten()
            .for_each(|id| self.mark_dirty(&id));
        Ok(())
    }

    /// The user's attributes have changed.
    pub fn mark_memberships_dirty(&mut self, user: &str) -> Result<()> {
        if !self.bulk {
            self.dirty_org.insert(user.to_owned());
        }
        self.mark_user_dirty(user)
    }

    /// The attribute's state or name has changed: those under its rules, and those it describes, follow.
    pub fn mark_attribute_dirty(&mut self, id: &str, renamed: bool) -> Result<()> {
        if self.bulk {
            return Ok(());
        }
        self.mark_dirty(id);
        self.dirty_policy
            .extend(policy::users_under(self.connection, id)?);
        if renamed {
            let mut sql =
                Sql::new("SELECT directory_user_id FROM user_attributes WHERE directory_attribute_id = ");
            sql.bind(id);
            let users = self.connection.query(&sql, |cells| cells.string())?;
            self.dirty_org.extend(users);
        }
        Ok(())
    }

    /// The user's policy must be worked out again.
    pub fn touch_policy_of(&mut self, user: &str) {
        if !self.bulk {
            self.dirty_policy.insert(user.to_owned());
        }
    }

    /// Works out all that follows from what was written so far: org, policy, counts.
    pub fn recompute_derived(&mut self) -> Result<()> {
        let now = self.now();
        if self.bulk {
            org::describe_all(self.connection)?;
            policy::evaluate_all(self.connection, self.ids, now)?;
            for table in TABLES.iter() {
                counts::recount(self.connection, table.name, Which::All, now)?;
            }
            return Ok(());
        }
        let dirty_org: Vec<String> = std::mem::take(&mut self.dirty_org).into_iter().collect();
        for users in dirty_org.chunks(CHUNK) {
            org::describe(self.connection, users)?;
        }
        let dirty_policy: Vec<String> = std::mem::take(&mut self.dirty_policy).into_iter().collect();
        if !dirty_policy.is_empty() {
            let rules = policy::RuleIndex::read(self.connection, now)?;
            for users in dirty_policy.chunks(CHUNK) {
                for id in rules.evaluate(self.connection, self.ids, users, now)? {
                    self.mark_dirty(&id);
                }
            }
        }
        for (table, ids) in std::mem::take(&mut self.dirty_counts) {
            let ids: Vec<String> = ids.into_iter().collect();
            for ids in ids.chunks(CHUNK) {
                counts::recount(self.connection, table, Which::Ids(ids), now)?;
            }
        }
        Ok(())
    }
}

/// How many records are worked on at a time.
pub const CHUNK: usize = 500;
