//! Counts, kept on write (§2.1, L18): each is the length of the list its `x-count` names, so one definition serves the kept
//! column, the recount behind it, and the live count while a manifest entry has lapsed.

use rollcall::Timestamp;
use rollcall::list::{CountSpec, Counted};

use crate::store::Result;
use crate::store::column::Listed;
use crate::store::dialect::Connection;
use crate::store::sql::Sql;

/// A column `count_<member>` of a table.
#[derive(Clone, Copy, Debug)]
pub struct CountColumn {
    spec: &'static CountSpec,
}

impl CountColumn {
    /// The column of a member.
    pub fn of(spec: &'static CountSpec) -> Self {
        Self { spec }
    }

    /// Its name.
    pub fn column(self) -> String {
        ["count_", self.spec.member].concat()
    }

    /// Whether time alone can make it wrong.
    pub fn lapses(self) -> bool {
        match self.spec.counted {
            Counted::List(field) => Listed::of(field).lapses(),
            Counted::External => false,
        }
    }

    /// Adds the number as it is now, for the record whose id is the SQL expression `owner`.
    pub fn push_live(self, sql: &mut Sql, owner: &str, now: Timestamp) {
        match self.spec.counted {
            Counted::List(field) => Listed::of(field).push_count(sql, owner, now),
            Counted::External => {
                sql.push(&format!("(SELECT count(*) FROM external_resources x WHERE x.directory_user_id = {owner} AND x.kind = "));
                sql.bind(self.spec.member).push(")");
            }
        }
    }
}

/// The tables that keep counts, with their members.
pub fn tables() -> impl Iterator<Item = (&'static str, &'static [CountSpec])> {
    crate::resources::counted_tables().into_iter()
}

/// Which records are counted again.
#[derive(Clone, Copy, Debug)]
pub enum Which<'i> {
    /// All of a table: after loading many.
    All,
    /// Those with these ids.
    Ids(&'i [String]),
}

/// Counts the records of a table again. `is_manager` follows, where the table has it (§2.1).
pub fn recount(connection: &Connection, table: &'static str, which: Which<'_>, now: Timestamp) -> Result<()> {
    let Some((_, specs)) = tables().find(|(known, _)| *known == table) else {
        return Ok(());
    };
    let mut sql = Sql::new(&format!("UPDATE {table} AS o SET "));
    for (place, spec) in specs.iter().enumerate() {
        let count = CountColumn::of(spec);
        sql.push(if place == 0 { "" } else { ", " })
            .push(&count.column())
            .push(" = ");
        count.push_live(&mut sql, "o.id", now);
    }
    let rows = |sql: &mut Sql| match which {
        Which::All => {}
        Which::Ids(ids) => {
            sql.push(" WHERE o.id IN ")
                .bind_all(ids.iter().map(String::as_str));
        }
    };
    rows(&mut sql);
    connection.execute(&sql)?;
    if table == crate::resources::MANAGERS {
        let mut sql = Sql::new(&format!(
            "UPDATE {table} AS o SET is_manager = (o.count_direct_report_users > 0)"
        ));
        rows(&mut sql);
        connection.execute(&sql)?;
    }
    Ok(())
}
