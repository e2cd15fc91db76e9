//! One file for each table: where the members of its records are stored, and what its lists show.

pub mod column;
pub mod count;
mod directory_attributes;
mod directory_dimensions;
mod directory_identities;
mod directory_users;
mod policy_conditions;
mod policy_rules;
mod policy_rulesets;
mod policy_users;
pub mod resource;
pub mod state;
pub mod table;
mod workspace_integrations;
mod workspace_items;
mod workspace_logs;
mod workspace_users;

pub use workspace_items::kind;

use std::sync::LazyLock;

use rollcall::list::{CountSpec, List};
use rollcall::lists::{self, AnyField};
use rollcall::model;
use rollcall::record::Part;

use crate::ids::Prefixed;
use crate::sql::Name;
use crate::tables::column::RowSet;
use crate::tables::resource::Resource;
use crate::tables::table::{Stored, Table};

/// The table whose records can be managers (§2.1).
pub const MANAGERS: &str = <model::DirectoryUser as Stored>::TABLE;

/// A table whose records keep counts.
#[derive(Debug)]
pub struct TableSpec {
    /// Its name.
    pub name: &'static str,
    /// How the ids of its records begin.
    pub id_prefix: &'static str,
    /// The columns that its search index covers; empty without one.
    pub searched: &'static [Name],
    /// The counts of its records.
    pub counts: Vec<&'static CountSpec>,
}

impl TableSpec {
    fn of<R: Stored, I: Prefixed>() -> Self {
        let counts = R::PARTS.iter().filter_map(|part| match part {
            Part::Count(spec) => Some(spec),
            _ => None,
        });
        Self {
            name: R::TABLE,
            id_prefix: I::PREFIX,
            searched: R::Member::SEARCHED,
            counts: counts.collect(),
        }
    }
}

/// The table of the record with this id, if its counts are kept.
pub fn table_of(id: &str) -> Option<&'static str> {
    let table = TABLES.iter().find(|table| id.starts_with(table.id_prefix))?;
    Some(table.name)
}

/// The tables with a search index.
pub fn searched() -> impl Iterator<Item = &'static TableSpec> {
    TABLES.iter().filter(|table| !table.searched.is_empty())
}

/// All lists, each with the identifier of its records. A list that is missing here does not compile.
macro_rules! lists {
    ($($list:ident: $id:ident,)*) => {
        /// Every table whose records keep counts.
        pub static TABLES: LazyLock<Vec<TableSpec>> = LazyLock::new(|| {
            let tables = [$(TableSpec::of::<<lists::$list as List>::Record, model::$id>(),)*];
            tables.into_iter().filter(|table| !table.counts.is_empty()).collect()
        });

        /// The rows a field of any list finds.
        pub fn row_set(field: AnyField) -> RowSet {
            match field {
                $(AnyField::$list(field) => lists::$list::row_set(field),)*
            }
        }
    };
}

lists! {
    DirectoryUsers: DirectoryUserId,
    DirectoryAttributes: DirectoryAttributeId,
    DirectoryDimensions: DirectoryDimensionId,
    DirectoryIdentities: DirectoryIdentityId,
    WorkspaceUsers: WorkspaceUserId,
    WorkspaceDevices: WorkspaceItemId,
    WorkspaceRoles: WorkspaceItemId,
    WorkspaceServices: WorkspaceItemId,
    WorkspaceTokens: WorkspaceItemId,
    WorkspaceIntegrations: WorkspaceIntegrationId,
    WorkspaceLogs: WorkspaceLogId,
    PolicyRulesets: PolicyRulesetId,
    PolicyRules: PolicyRuleId,
    PolicyConditions: PolicyConditionId,
    PolicyUsers: PolicyUserId,
}
