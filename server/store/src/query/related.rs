//! Related records of a page: one query for each relation, never one for each record (§4.4.6).

use std::collections::HashMap;

use rollcall::list::Form;

use crate::dialect::{Cells, Connection, push_numbered, push_related};
use crate::error::Result;
use crate::render::{Included, Rendered, push_columns};
use crate::sql::Sql;
use crate::tables::resource::{Inclusion, Related};
use crate::tables::table::ReadContext;

impl Related {
    /// Reads the records that belong to these owners, of which each has as many as `counts` says, if that is known.
    fn load(
        &self,
        connection: &Connection,
        reading: &ReadContext<'_>,
        owners: &[&str],
        counts: Option<&[i64]>,
    ) -> Result<Loaded> {
        let included = match self.including {
            Some(_) => Included::Later,
            None => Included::Same("{}".to_owned()),
        };
        let mut rendered = Rendered::new(self.record, included, owners.len());
        let mut of = vec![Vec::new(); owners.len()];
        let mut known: HashMap<String, usize> = HashMap::new();
        let has_some = |owner: &usize| counts.is_none_or(|counts| counts[*owner] > 0);
        let asked: Vec<usize> = (0..owners.len()).filter(has_some).collect();
        let ids: Vec<&str> = asked.iter().map(|owner| owners[*owner]).collect();
        let look = |cells: &mut Cells<'_, '_>| {
            let place = usize::try_from(cells.int()?).unwrap_or_default();
            let id = cells.text()?;
            let number = match known.get(id) {
                Some(number) => *number,
                None => {
                    let id = id.to_owned();
                    rendered.push(cells, reading)?;
                    known.insert(id, rendered.len() - 1);
                    rendered.len() - 1
                }
            };
            if let Some(owner) = asked.get(place) {
                of[*owner].push(number);
            }
            Ok(true)
        };
        if !ids.is_empty() {
            connection.visit(&self.sql(connection, reading, &ids, counts), look)?;
        }
        // Sorted here, whole records need not go through the sorter of the database.
        let ids = rendered.ids();
        for of in &mut of {
            of.sort_unstable_by_key(|number| ids[*number]);
        }
        let records = match self.including {
            Some(relations) => include(connection, reading, rendered, &relations())?,
            None => rendered,
        };
        Ok(Loaded {
            records,
            of,
            is_many: self.is_many,
        })
    }

    /// The statement for the number of an owner, then the id and the columns of a record.
    fn sql(
        &self,
        connection: &Connection,
        reading: &ReadContext<'_>,
        owners: &[&str],
        counts: Option<&[i64]>,
    ) -> Sql {
        let mut sql = Sql::default();
        push_numbered(&mut sql, owners);
        sql.push(" SELECT o.number, t.id, ");
        push_columns(&mut sql, self.record, reading);
        let are_few = counts.is_some_and(|counts| counts.iter().all(|count| *count <= self.most));
        if are_few || self.rows.pointer().is_some() {
            self.rows
                .push_join(sql.push(" FROM o"), self.shows_trashed, reading.now);
            return sql;
        }
        push_related(connection, &mut sql, self.rows.table, |sql| {
            self.rows
                .push_rows_of(sql, "c.id", "o.id", self.shows_trashed, reading.now);
            // The database stops at the last one, however many there are.
            sql.push(" ORDER BY c.id LIMIT ").bind(self.most);
        });
        sql
    }

    /// How many related records each owner has.
    fn count(&self, connection: &Connection, reading: &ReadContext<'_>, owners: &[&str]) -> Result<Vec<i64>> {
        let mut sql = Sql::default();
        push_numbered(&mut sql, owners);
        sql.push(" SELECT (");
        self.rows
            .push_rows_of(&mut sql, "count(*)", "o.id", self.shows_trashed, reading.now);
        sql.push(") FROM o ORDER BY o.number");
        connection.query(&sql, |cells| cells.int())
    }
}

/// The records that a relation shows of a page.
struct Loaded {
    records: Rendered,
    /// Their numbers, for each record of the page.
    of: Vec<Vec<usize>>,
    is_many: bool,
}

/// What a relation in one form writes, for each record of a page.
enum IncludedValue {
    Records(Loaded),
    Counts(Vec<i64>),
    Exists(Vec<i64>),
}

impl IncludedValue {
    fn push(&self, json: &mut Vec<u8>, owner: usize) {
        match self {
            Self::Records(loaded) if loaded.is_many => {
                json.push(b'[');
                for (place, number) in loaded.of[owner].iter().enumerate() {
                    if place > 0 {
                        json.push(b',');
                    }
                    json.extend_from_slice(loaded.records.record(*number));
                }
                json.push(b']');
            }
            Self::Records(loaded) => match loaded.of[owner].first() {
                Some(number) => json.extend_from_slice(loaded.records.record(*number)),
                None => json.extend_from_slice(b"null"),
            },
            Self::Counts(counts) => json.extend_from_slice(counts[owner].to_string().as_bytes()),
            Self::Exists(counts) => {
                let exists = counts[owner] > 0;
                json.extend_from_slice(exists.to_string().as_bytes());
            }
        }
    }
}

/// Puts relations under `included` of every record, each as its member says.
pub fn include(
    connection: &Connection,
    reading: &ReadContext<'_>,
    page: Rendered,
    relations: &[Inclusion],
) -> Result<Rendered> {
    let owners = page.ids();
    let mut members = Vec::new();
    for inclusion in relations {
        let Inclusion { form, related, .. } = inclusion;
        let counts = inclusion.count.map(|place| page.counts(place));
        let written = match (form, counts) {
            (Form::Records, counts) => {
                IncludedValue::Records(related.load(connection, reading, &owners, counts.as_deref())?)
            }
            (Form::Count, Some(counts)) => IncludedValue::Counts(counts),
            (Form::Count, None) => IncludedValue::Counts(related.count(connection, reading, &owners)?),
            (Form::Exists, Some(counts)) => IncludedValue::Exists(counts),
            (Form::Exists, None) => IncludedValue::Exists(related.count(connection, reading, &owners)?),
        };
        members.push((format!("\"{}\":", member_name(inclusion.member, *form)), written));
    }
    Ok(page.include(|json, owner| {
        for (place, (name, written)) in members.iter().enumerate() {
            json.push(if place == 0 { b'{' } else { b',' });
            json.extend_from_slice(name.as_bytes());
            written.push(json, owner);
        }
        json.extend_from_slice(if members.is_empty() { b"{}" } else { b"}" });
    }))
}

/// The member of `included` that has a relation in this form.
pub fn member_name(member: &str, form: Form) -> String {
    [member, &form.suffix().replace('-', "_")].concat()
}
