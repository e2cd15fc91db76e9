//! Related records of a page: one query for each relation, never one for each record (§4.4.6).

use std::collections::HashMap;

use rollcall::Timestamp;
use rollcall::list::{Form, Included};
use rollcall::model::Count;

use crate::store::Result;
use crate::store::column::Listed;
use crate::store::dialect::Connection;
use crate::store::resource::{Readable, Reading, push_columns};
use crate::store::sql::Sql;
use crate::store::unit::CHUNK;

/// The most records that a relation to many shows of one record; its count and its list have all of them (L3).
pub const MOST_RELATED: i64 = 200;

/// How related rows are found from the ids of a page.
#[derive(Clone, Copy, Debug)]
pub struct Related {
    /// The rows, by the id of the record they belong to.
    listed: Listed,
    /// Whether soft-deleted ones are shown: to-one relations do, to-many ones do not (R15).
    trashed: bool,
    /// The most that are loaded for one record: those with the smallest ids.
    most: i64,
}

impl Related {
    /// A relation to one record.
    pub fn one(listed: Listed) -> Self {
        Self {
            listed,
            trashed: true,
            most: 1,
        }
    }

    /// A relation to many records.
    pub fn many(listed: Listed) -> Self {
        Self {
            listed,
            trashed: false,
            most: MOST_RELATED,
        }
    }

    /// A relation to many records that shows the first of them.
    pub fn first(listed: Listed) -> Self {
        Self {
            most: 1,
            ..Self::many(listed)
        }
    }

    /// The related records, each with the id of the record it belongs to, in the order of their ids.
    fn load<S: Readable>(
        self,
        connection: &Connection,
        reading: &Reading<'_>,
        owners: &[&str],
    ) -> Result<Vec<(String, S)>> {
        let mut loaded = Vec::new();
        for owners in owners.chunks(CHUNK) {
            let mut sql = owners_as_rows(owners);
            sql.push(" SELECT o.id, ");
            push_columns::<S>(&mut sql, reading);
            sql.push(&format!(
                " FROM o CROSS JOIN {} t WHERE t.id IN (",
                self.listed.table
            ));
            self.listed
                .push_rows_of(&mut sql, "c.id", "o.id", self.trashed, reading.now);
            // The database stops at the last one, however many there are.
            sql.push(" ORDER BY c.id LIMIT ").bind(self.most);
            sql.push(") ORDER BY t.id");
            loaded.extend(connection.query(&sql, |cells| Ok((cells.string()?, S::read(cells, reading)?)))?);
        }
        Ok(loaded)
    }

    /// How many related records each owner has.
    fn count(self, connection: &Connection, now: Timestamp, owners: &[&str]) -> Result<HashMap<String, i64>> {
        let mut counts = HashMap::new();
        for owners in owners.chunks(CHUNK) {
            let mut sql = owners_as_rows(owners);
            sql.push(" SELECT o.id, (");
            self.listed
                .push_rows_of(&mut sql, "count(*)", "o.id", self.trashed, now);
            sql.push(") FROM o");
            counts.extend(connection.query(&sql, |cells| Ok((cells.string()?, cells.int()?)))?);
        }
        Ok(counts)
    }
}

/// Begins a statement with a table `o` that has a row for each id.
fn owners_as_rows(ids: &[&str]) -> Sql {
    let mut sql = Sql::new("WITH o (id) AS (VALUES ");
    for (place, id) in ids.iter().enumerate() {
        sql.push(if place == 0 { "" } else { ", " }).bind_all([*id]);
    }
    sql.push(")");
    sql
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
            let mut loaded = related.load::<S>(self.connection, self.reading, &ids)?;
            S::include_always(self.connection, self.reading, &mut loaded)?;
            let mut found: HashMap<String, Vec<S>> = HashMap::new();
            for (owner, related) in loaded {
                found.entry(owner).or_default().push(related);
            }
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
