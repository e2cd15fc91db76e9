//! Where a field of a list is found in the store: what each resource declares once, and everything else is made of.

use rollcall::Timestamp;

use crate::dialect::UNUSED;
use crate::sql::{Sql, Word};
use crate::tables::state::{MANIFEST, STAGED, push_expired_at, push_state};

/// How a field is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// As it is shown, compared byte by byte.
    Plain(&'static str),
    /// As it is shown, with its folded twin `<column>_folded` for searching and for the order (L19).
    Text(&'static str),
    /// As JSON in `<column>`, its values folded in `<column>_folded`; only searched.
    Json(&'static str),
    /// The state, which time can change (O1).
    State,
    /// When the record expired, which time can change too (L17).
    ExpiredAt,
    /// Not in the row but in another table.
    Joined(JoinPath),
}

/// A way to a value in another table: rows of `t` whose `key` is among `x.ours` where `x.theirs` is the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinPath {
    /// The other table, called `x`.
    pub table: &'static str,
    /// Its column that points to ours.
    pub ours: &'static str,
    /// Its column that has the value.
    pub theirs: &'static str,
    /// Our column that it points to.
    pub key: &'static str,
    /// Which of its rows count.
    pub scope: RowScope,
}

impl JoinPath {
    /// A way that ends at our id and takes every row.
    pub const fn new(table: &'static str, ours: &'static str, theirs: &'static str) -> Self {
        Self {
            table,
            ours,
            theirs,
            key: "id",
            scope: RowScope::All,
        }
    }

    /// The same, over these rows alone.
    pub const fn scope(self, scope: RowScope) -> Self {
        Self { scope, ..self }
    }

    /// The same, to another column of ours than the id.
    pub const fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// Adds the condition that a row of the other table links `alias` to what `value` adds.
    pub fn push_links(
        self,
        sql: &mut Sql,
        alias: &'static str,
        now: Timestamp,
        value: impl FnOnce(&mut Sql),
    ) {
        sql.push([
            "EXISTS (SELECT 1 FROM ",
            self.table,
            " x WHERE x.",
            self.ours,
            " = ",
        ]);
        sql.push([alias, ".", self.key, " AND x.", self.theirs]);
        value(sql);
        self.scope.push(sql, "x", now);
        sql.push(")");
    }
}

/// Which rows of a table count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowScope {
    /// Every row.
    All,
    /// Workspace items of a kind that are attached (O8).
    Items(&'static str),
    /// Policy users in a manifest that has not lapsed, by a rule that is live (P1, P5).
    Manifest,
    /// Policy users staged for a manifest (P1).
    Staged,
    /// Policy users in either standing (P3).
    Standing,
}

impl RowScope {
    /// Adds ` AND …` for the rows of `alias` that count now.
    pub fn push(self, sql: &mut Sql, alias: &'static str, now: Timestamp) {
        let manifest = |sql: &mut Sql| {
            sql.push(["(", alias, ".standing = "])
                .push(Word(MANIFEST))
                .push([" AND (", alias])
                .push([".expires_at IS NULL OR ", alias, ".expires_at > "])
                .bind(now)
                .push([") AND ", alias])
                .push(".rule_id NOT IN (SELECT rule_id FROM pending_evaluations WHERE NOT is_live))");
        };
        match self {
            Self::All => {}
            Self::Items(kind) => {
                sql.push([" AND ", alias, ".is_attached AND ", alias, ".kind = "])
                    .bind(kind);
            }
            Self::Manifest => {
                sql.push(" AND ");
                manifest(sql);
            }
            Self::Staged => {
                sql.push([" AND ", alias, ".standing = "]).push(Word(STAGED));
            }
            Self::Standing => {
                sql.push([" AND (", alias, ".standing = "]).push(Word(STAGED));
                sql.push(" OR ");
                manifest(sql);
                sql.push(")");
            }
        }
    }

    /// Adds the same for the rows that count as far as it is recorded, whatever has lapsed since.
    pub fn push_recorded(self, sql: &mut Sql, alias: &'static str) {
        if let Self::All | Self::Items(_) = self {
            return self.push(sql, alias, Timestamp::EPOCH);
        }
        sql.push([" AND ", alias, ".standing"]);
        match self {
            Self::Standing => sql
                .push(" IN (")
                .push(Word(MANIFEST))
                .push(", ")
                .push(Word(STAGED))
                .push(")"),
            Self::Staged => sql.push(" = ").push(Word(STAGED)),
            Self::All | Self::Items(_) | Self::Manifest => sql.push(" = ").push(Word(MANIFEST)),
        };
    }

    /// The columns that decide which rows count.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::All => &[],
            Self::Items(_) => &["is_attached", "kind"],
            Self::Manifest | Self::Staged | Self::Standing => &["standing"],
        }
    }

    /// The columns that [`Self::push`] looks at.
    pub fn tested(self) -> &'static [&'static str] {
        match self {
            Self::Manifest | Self::Standing => &["standing", "expires_at", "rule_id"],
            Self::All | Self::Items(_) | Self::Staged => self.columns(),
        }
    }

    /// Whether time alone can change which rows count.
    pub fn lapses(self) -> bool {
        matches!(self, Self::Manifest | Self::Standing)
    }
}

/// The rows a list shows when one of its fields has a value: what counts, relations and links have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowSet {
    /// The table of the list, called `t`.
    pub table: &'static str,
    /// Which of its rows the list shows.
    pub scope: RowScope,
    /// The field.
    pub column: Column,
}

impl RowSet {
    /// Whether time alone can change which rows there are.
    pub fn lapses(self) -> bool {
        let joined = matches!(self.column, Column::Joined(path) if path.scope.lapses());
        self.scope.lapses() || joined
    }

    /// Adds `SELECT count(*) …` of the rows whose field is the SQL expression `owner`; soft-deleted ones do not count (L18).
    pub fn push_count(self, sql: &mut Sql, owner: &'static str, now: Timestamp) {
        sql.push("(");
        self.push_rows_of(sql, "count(*)", owner, false, now);
        sql.push(")");
    }

    /// Adds `SELECT …` of the rows, called `c`, whose field is the SQL expression `owner`, with the soft-deleted ones or
    /// without.
    pub fn push_rows_of(
        self,
        sql: &mut Sql,
        select: &'static str,
        owner: &'static str,
        trashed: bool,
        now: Timestamp,
    ) {
        // Not called `t`: that is what `owner` may speak of.
        sql.push(["SELECT ", select, " FROM ", self.table, " c WHERE "]);
        self.push_rows(sql, "c", owner, trashed, now);
    }

    /// Adds the condition that `alias` is one of these rows.
    fn push_rows(
        self,
        sql: &mut Sql,
        alias: &'static str,
        owner: &'static str,
        trashed: bool,
        now: Timestamp,
    ) {
        if !trashed {
            sql.push([UNUSED, alias, ".deleted_at IS NULL AND "]);
        }
        self.push_matches_of(sql, alias, now, |sql| {
            sql.push(" = ").push(owner);
        });
        self.scope.push(sql, alias, now);
    }

    /// Adds ` JOIN …`: the rows `t` for each row of `o`, whose ids own them.
    pub fn push_join(self, sql: &mut Sql, trashed: bool, now: Timestamp) {
        if let (Some(path), RowScope::All) = (self.pointer(), self.scope) {
            sql.push([" {join} ", path.table, " x ON x.id = o.id"]);
            path.scope.push(sql, "x", now);
            sql.push([" {join} ", self.table, " t ON t.id = x.", path.ours]);
            if !trashed {
                sql.push(" AND t.deleted_at IS NULL");
            }
            return;
        }
        sql.push([" {join} ", self.table, " t ON "]);
        self.push_rows(sql, "t", "o.id", trashed, now);
    }

    /// The way to the one row that an owner points to, if that is what it is.
    pub fn pointer(self) -> Option<JoinPath> {
        match self.column {
            Column::Joined(path) if (path.theirs, path.key) == ("id", "id") => Some(path),
            _ => None,
        }
    }

    /// Adds the condition that the field of `t` is what `value` adds (` = …` or ` IN …`).
    pub fn push_matches(self, sql: &mut Sql, now: Timestamp, value: impl FnOnce(&mut Sql)) {
        self.push_matches_of(sql, "t", now, value);
    }

    fn push_matches_of(
        self,
        sql: &mut Sql,
        alias: &'static str,
        now: Timestamp,
        value: impl FnOnce(&mut Sql),
    ) {
        match self.column {
            Column::Plain(column) | Column::Text(column) | Column::Json(column) => {
                sql.push([alias, ".", column]);
                value(sql);
            }
            Column::Joined(path) => {
                sql.push([alias, ".", path.key, " IN (SELECT x.", path.ours, " FROM "]);
                sql.push([path.table, " x WHERE x.", path.theirs]);
                value(sql);
                path.scope.push(sql, "x", now);
                sql.push(")");
            }
            // Nothing is counted by a state or a timestamp, so that these speak of `t` alone.
            Column::State => {
                push_state(sql, now);
                value(sql);
            }
            Column::ExpiredAt => {
                push_expired_at(sql, now);
                value(sql);
            }
        }
    }
}
