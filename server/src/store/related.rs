//! Related records of a page: one query for each relation, never one for each record (§4.4.6).

use std::collections::HashMap;

use rollcall::Timestamp;
use rollcall::list::{Form, Included};
use rollcall::model::Count;

use crate::store::Result;
use crate::store::column::{Column, Listed, Only};
use crate::store::dialect::Connection;
use crate::store::resource::{Readable, Reading, push_columns};
use crate::store::sql::Sql;

/// How related rows are found from the ids of a page.
#[derive(Clone, Copy, Debug)]
pub struct Related {
    /// The rows, by the id of the record they belong to.
    pub listed: Listed,
    /// Whether soft-deleted ones are shown: to-one relations do, to-many ones do not (R15).
    pub trashed: bool,
}

impl Related {
    /// A relation to one record.
    pub fn one(listed: Listed) -> Self {
        Self {
            listed,
            trashed: true,
        }
    }

    /// A relation to many records.
    pub fn many(listed: Listed) -> Self {
        Self {
            listed,
            trashed: false,
        }
    }

    /// The related records by owner, each owner's in the order of their ids.
    pub fn load<S: Readable>(
        self,
        connection: &Connection,
        reading: &Reading<'_>,
        owners: &[&str],
    ) -> Result<HashMap<String, Vec<S>>> {
        let mut sql = Sql::new("SELECT ");
        let owner = self.push_owner(&mut sql);
        sql.push(", ");
        push_columns::<S>(&mut sql, reading);
        self.push_from(&mut sql, &owner, owners, reading.now);
        sql.push(" ORDER BY t.id");
        let mut found: HashMap<String, Vec<S>> = HashMap::new();
        connection.query(&sql, |cells| {
            let owner = cells.string()?;
            found.entry(owner).or_default().push(S::read(cells, reading)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// How many related records each owner has; none for those that have none.
    pub fn count(
        self,
        connection: &Connection,
        now: Timestamp,
        owners: &[&str],
    ) -> Result<HashMap<String, i64>> {
        let mut sql = Sql::new("SELECT ");
        let owner = self.push_owner(&mut sql);
        sql.push(", count(*)");
        self.push_from(&mut sql, &owner, owners, now);
        sql.push(" GROUP BY ").push(&owner);
        let counts = connection.query(&sql, |cells| Ok((cells.string()?, cells.int()?)))?;
        Ok(counts.into_iter().collect())
    }

    fn push_owner(self, sql: &mut Sql) -> String {
        let owner = match self.listed.column {
            Column::Through(_) => "x.theirs".to_owned(),
            Column::Plain(column) | Column::Text(column) | Column::Values(column) => format!("t.{column}"),
            // No relation is joined by a state or a moment.
            Column::State | Column::ExpiredAt => "t.id".to_owned(),
        };
        sql.push(&owner);
        owner
    }

    fn push_from(self, sql: &mut Sql, owner: &str, owners: &[&str], now: Timestamp) {
        let table = self.listed.table;
        if let Column::Through(through) = self.listed.column {
            // Two rows of the other table can lead from one owner to one record; it is shown once.
            sql.push(&format!(
                " FROM (SELECT DISTINCT x.{} AS ours, x.{} AS theirs",
                through.ours, through.theirs
            ));
            sql.push(&format!(
                " FROM {} x WHERE x.{} IN ",
                through.table, through.theirs
            ));
            sql.bind_all(owners.iter().copied());
            through.only.push(sql, "x", now);
            sql.push(&format!(
                ") x JOIN {table} t ON t.{} = x.ours WHERE TRUE",
                through.key
            ));
        } else {
            sql.push(&format!(" FROM {table} t WHERE {owner} IN "))
                .bind_all(owners.iter().copied());
        }
        if self.listed.only != Only::All {
            self.listed.only.push(sql, "t", now);
        }
        if !self.trashed {
            sql.push(" AND +t.deleted_at IS NULL");
        }
    }
}

/// A page whose records get what was asked for.
pub struct Page<'p, R> {
    /// The connection.
    pub connection: &'p Connection,
    /// The moment and the base address.
    pub reading: &'p Reading<'p>,
    /// The records.
    pub records: &'p mut [R],
    /// The id of a record.
    pub id: fn(&R) -> &str,
}

impl<R> Page<'_, R> {
    /// Loads one relation in one form: `set` puts records where they belong, `included` gives the place of counts.
    pub fn include<S: Readable, I: Included<T>, T: Copy>(
        &mut self,
        (relation, form): (T, Form),
        related: Related,
        included: fn(&mut R) -> &mut I,
        set: impl Fn(&mut I, Vec<S>),
    ) -> Result<()> {
        let ids: Vec<&str> = self.records.iter().map(self.id).collect();
        if form == Form::Records {
            let mut found = related.load::<S>(self.connection, self.reading, &ids)?;
            for record in &mut *self.records {
                let mine = found.remove((self.id)(record)).unwrap_or_default();
                set(included(record), mine);
            }
            return Ok(());
        }
        let counts = related.count(self.connection, self.reading.now, &ids)?;
        for record in &mut *self.records {
            let count = counts.get((self.id)(record)).copied().unwrap_or_default();
            match form {
                Form::Exists => included(record).set_exists(relation, count > 0),
                // A count of rows is within the bounds of a count.
                Form::Count | Form::Records => {
                    if let Ok(count) = Count::try_from(count) {
                        included(record).set_count(relation, count);
                    }
                }
            }
        }
        Ok(())
    }
}
