//! A kept count (§2.1, L18): the length of the list that its `x-count` names. One definition serves the kept column, what a change
//! adds to it, the recount of all, and the live count while a manifest entry has lapsed.

use rollcall::Timestamp;
use rollcall::list::{CountSpec, Counted};

use crate::sql::Sql;
use crate::tables::row_set;

/// A column `count_<member>` of a table.
#[derive(Clone, Copy, Debug)]
pub struct CountColumn {
    table: &'static str,
    spec: &'static CountSpec,
}

impl CountColumn {
    /// The column of a member in a table.
    pub fn of(table: &'static str, spec: &'static CountSpec) -> Self {
        Self { table, spec }
    }

    /// The table.
    pub fn table(self) -> &'static str {
        self.table
    }

    /// The member.
    pub fn member(self) -> &'static str {
        self.spec.member
    }

    /// Whether time alone can make it wrong.
    pub fn lapses(self) -> bool {
        match self.spec.counted {
            Counted::List(field) => row_set(field).lapses(),
            Counted::External => false,
        }
    }

    /// Adds the number as it is now, for the record whose id is the SQL expression `owner`.
    pub fn push_live(self, sql: &mut Sql, owner: &'static str, now: Timestamp) {
        match self.spec.counted {
            Counted::List(field) => row_set(field).push_count(sql, owner, now),
            Counted::External => {
                sql.push("(SELECT count(*) FROM external_resources x WHERE x.directory_user_id = ")
                    .push([owner, " AND x.kind = "])
                    .bind(self.spec.member)
                    .push(")");
            }
        }
    }
}
